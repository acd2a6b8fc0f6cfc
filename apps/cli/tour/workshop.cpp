#include "tour/workshop.hpp"

#include "command.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>
#include <genera/query.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <sstream>

namespace genera::cli::tour {
namespace {

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

template <class Change>
std::string changed_lines(std::string_view text, Change change) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out += change(std::string(text.substr(begin, end - begin)), begin == 0);
    begin = end + 1;
  }
  return out;
}

/// While it lives, what is written to standard output goes into a file without a name.
class CapturedOutput {
 public:
  CapturedOutput() : file_(std::tmpfile()), saved_(::dup(STDOUT_FILENO)) {
    if (file_ == nullptr || saved_ < 0 || ::dup2(::fileno(file_), STDOUT_FILENO) < 0)
      throw Error(Errc::bad_data, "a temporary file cannot be made", "make room in /tmp");
  }
  CapturedOutput(const CapturedOutput&) = delete;
  CapturedOutput& operator=(const CapturedOutput&) = delete;
  ~CapturedOutput() {
    ::dup2(saved_, STDOUT_FILENO);
    ::close(saved_);
    std::fclose(file_);
  }

  [[nodiscard]] std::string text() const {
    std::string all;
    std::rewind(file_);
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) all += static_cast<char>(c);
    return all;
  }

 private:
  std::FILE* file_;
  int saved_;
};

}  // namespace

Command genera_command(const std::string& words) { return {"genera " + words}; }

Command file_command(const std::string& file, const std::string& content) {
  return {"printf '%s\\n' '" + content + "' > " + file, file, content + '\n'};
}

Command iris_without(const std::string& file, const std::string& species) {
  return {fmt::format("genera datasets iris | grep -v {} > {}", species, file), file,
          changed_lines(builtin_dataset("iris"), [&](const std::string& line, bool) {
            return line.find(species) == std::string::npos ? line + '\n' : "";
          })};
}

Command unlabelled_iris(const std::string& file) {
  return {"genera datasets iris | sed '2,$s/[^,]*$/unknown/' > " + file, file,
          changed_lines(builtin_dataset("iris"), [](const std::string& line, bool first) {
            return (first ? line : line.substr(0, line.rfind(',')) + ",unknown") + '\n';
          })};
}

Commands operator+(Commands first, const Commands& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

std::string typed(const Commands& commands) {
  std::string text;
  for (const Command& command : commands) text += (text.empty() ? "" : "\n") + command.line;
  return text;
}

Workshop::Workshop(std::string folder, const Common& common)
    : folder_(std::move(folder)), common_(common) {}

std::string Workshop::path(const std::string& name) const {
  return (std::filesystem::path(folder_) / name).string();
}

Control Workshop::control() const { return {.threads = common_.threads}; }

void Workshop::run(const Commands& commands) {
  for (const Command& command : commands) {
    if (done_.insert(command.line).second) run(command);
  }
}

/// Files of the folder are where it is; whoever types the command stands in it.
void Workshop::run(const Command& command) {
  if (!command.file.empty()) {
    write_file(path(command.file), [&](std::ostream& out) { out << command.content; });
    made_.insert(command.file);
    return;
  }
  std::vector<std::string> words = words_of(command.line);
  words.erase(words.begin());
  std::string redirected;  // > FILE
  if (words[words.size() - 2] == ">") {
    redirected = words.back();
    words.resize(words.size() - 2);
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i - 1] == "-o") made_.insert(words[i]);
    if (made_.contains(words[i])) words[i] = path(words[i]);
  }
  words.insert(words.end(), {"--quiet", "--threads", std::to_string(common_.threads)});
  const CapturedOutput output;
  run_command(words);
  printed_[command.line] = output.text();
  if (redirected.empty()) return;
  write_file(path(redirected), [&](std::ostream& out) { out << printed_[command.line]; });
  made_.insert(redirected);
}

std::string Workshop::printed(const Commands& commands) {
  run(commands);
  return printed_.at(commands.back().line);
}

namespace {

/// A number behind a word of the first tag of an svg, as in width="720".
double attribute(const std::string& svg, const std::string& name, double otherwise) {
  const std::size_t at = svg.find(name + "=\"");
  return at == std::string::npos ? otherwise
                                 : std::strtod(svg.c_str() + at + name.size() + 2, nullptr);
}

}  // namespace

Figure Workshop::figure(const Commands& commands, std::string caption, std::string description) {
  run(commands);
  const std::vector<std::string> words = words_of(commands.back().line);
  const std::string svg = text(words.back()).substr(0, 1000);
  return {.image = words.back(),
          .caption = std::move(caption),
          .description = std::move(description),
          .commands = typed(commands),
          .width = attribute(svg, "width", 720),
          .height = attribute(svg, "height", 540)};
}

Classifier Workshop::classifier(const std::string& name) const {
  return load_classifier(path(name));
}

Model Workshop::model(const std::string& name) const { return load_model(path(name)); }

Table Workshop::rows(const std::string& data, ClassifierRef model, Purpose purpose) const {
  return read_csv(data.starts_with('@') ? data : path(data), roles_for(model, purpose));
}

std::string Workshop::text(const std::string& name) const {
  std::ifstream file(path(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace genera::cli::tour
