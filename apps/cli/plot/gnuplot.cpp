#include "plot/gnuplot.hpp"

#include "show/printable.hpp"
#include "values.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

extern char** environ;  // NOLINT(readability-redundant-declaration): not in every header

namespace genera::cli {
namespace {

[[noreturn]] void refuse_temporary(int reason) {
  throw Error(Errc::bad_data,
              "a temporary file cannot be written: " + std::generic_category().message(reason),
              "make room in the folder of temporary files, /tmp");
}

/// An unnamed file, which disappears with the last process that has it open.
class NamelessFile {
 public:
  explicit NamelessFile(const std::string& bytes = {}) : file_(std::tmpfile()) {
    if (!file_) refuse_temporary(errno);
    const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size();
    if (!written || std::fflush(file_.get()) != 0) refuse_temporary(errno);
  }

  [[nodiscard]] int number() const { return ::fileno(file_.get()); }
  /// A path by which child processes can open it.
  [[nodiscard]] std::string path() const { return fmt::format("/dev/fd/{}", number()); }

  [[nodiscard]] std::string bytes() const {
    std::string all;
    std::array<char, 1 << 16> buffer{};
    std::rewind(file_.get());
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file_.get()))
      all.append(buffer.data(), count);
    return all;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

constexpr const char* install_line = "install it: apt-get install gnuplot-nox";

/// Runs gnuplot on a script; returns its exit status and messages.
struct Ran {
  int status = 0;
  std::string words{};
};
Ran run_gnuplot(const NamelessFile& script) {
  const NamelessFile words;
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, words.number(), STDERR_FILENO);
  const std::string path = script.path();
  std::array<char*, 4> arguments{const_cast<char*>("gnuplot"),               // NOLINT: not changed
                                 const_cast<char*>("-d"),                    // NOLINT
                                 const_cast<char*>(path.c_str()), nullptr};  // NOLINT
  pid_t child = 0;
  const int failure =
      ::posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure == ENOENT)
    throw Error(Errc::bad_data, "figures are drawn by gnuplot, which is not installed",
                install_line);
  if (failure != 0)
    throw Error(Errc::bad_data,
                "gnuplot cannot be started: " + std::generic_category().message(failure),
                install_line);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  constexpr int not_found = 127;  // how some systems report that there is no such program
  if (WIFEXITED(status) && WEXITSTATUS(status) == not_found)
    throw Error(Errc::bad_data, "figures are drawn by gnuplot, which is not installed",
                install_line);
  return {status, words.bytes()};
}

/// The end of the messages, which has the reason, on one line.
std::string reason_in(const std::string& words) {
  constexpr std::size_t max = 300;
  std::string line;
  for (const char c : words) {
    const bool blank = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line.size() <= max ? printable(line)
                            : "…" + printable(std::string_view(line).substr(line.size() - max));
}

[[noreturn]] void refuse(const Ran& ran) {
  const std::string words = reason_in(ran.words);
  throw Error(Errc::bad_data, "gnuplot failed" + (words.empty() ? words : ": " + words),
              "see whether 'gnuplot --version' says 5.4 or later; --script DIR keeps its "
              "script");
}

/// Fonts of cairo's terminals are in points; those of svg are in pixels.
constexpr double points_per_pixel = 0.75;

std::string terminal_of(const DrawingJob& job) {
  const Drawing& drawing = job.drawing;
  switch (job.format) {
    case ImageFormat::svg: {
      const double size = job.width > 0 ? job.width / drawing.width : 1;
      return fmt::format("svg size {:g},{:g} font 'sans-serif,13' noenhanced background '#ffffff'",
                         size * drawing.width, size * drawing.height);
    }
    case ImageFormat::pdf: {
      constexpr double pixels_per_inch = 96;
      return fmt::format("pdfcairo size {:.6g}in,{:.6g}in font 'sans,13' fontscale 0.75 noenhanced",
                         drawing.width / pixels_per_inch, drawing.height / pixels_per_inch);
    }
    case ImageFormat::png:
      break;
  }
  const double scale = job.width > 0 ? job.width / drawing.width : 2;
  return fmt::format(
      "pngcairo size {:.0f},{:.0f} font 'sans,13' fontscale {:.6g} linewidth {:.6g} pointscale "
      "{:.6g} noenhanced",
      drawing.width * scale, drawing.height * scale, points_per_pixel * scale, scale, scale);
}

/// The script that draws one figure, with these names of files.
std::string script_of(const DrawingJob& job, const std::string& points, const std::string& pixels,
                      const std::string& image) {
  return fmt::format(
      "reset session\nset encoding utf8\nset terminal {}\nset output {}\ndata_file = "
      "{}\nimage_file = "
      "{}\n{}unset multiplot\nset output\n",
      terminal_of(job), quoted(image, 4096), quoted(points, 4096), quoted(pixels, 4096),
      job.drawing.commands);
}

}  // namespace

ImageFormat image_format(const std::string& path) {
  std::string extension = path.substr(std::min(path.size(), path.rfind('.')));
  std::ranges::transform(extension, extension.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  for (const auto& [name, format] : Choices<ImageFormat>{
           {".svg", ImageFormat::svg}, {".png", ImageFormat::png}, {".pdf", ImageFormat::pdf}})
    if (extension == name) return format;
  throw Error(Errc::bad_argument,
              "-o is '" + path + "', whose extension is not the format of an image",
              "name it .svg, .png or .pdf");
}

std::vector<std::string> images_of(std::span<const DrawingJob> jobs) {
  std::vector<NamelessFile> files, images;
  std::string script;
  for (const DrawingJob& job : jobs) {
    const std::string points = files.emplace_back(job.drawing.points).path();
    const std::string pixels = files.emplace_back(job.drawing.pixels).path();
    script += script_of(job, points, pixels, images.emplace_back().path());
  }
  const Ran ran = run_gnuplot(NamelessFile(script));
  std::vector<std::string> all;
  for (const NamelessFile& image : images) all.push_back(image.bytes());
  const bool drawn = std::ranges::none_of(all, [](const std::string& b) { return b.empty(); });
  if (ran.status != 0 || !drawn) refuse(ran);
  return all;
}

std::vector<KeptFile> kept_script(const DrawingJob& job, const std::string& image) {
  std::vector<KeptFile> kept{{"figure.gp", script_of(job, "figure.dat", "figure.rgb", image)},
                             {"figure.dat", job.drawing.points}};
  if (!job.drawing.pixels.empty()) kept.push_back({"figure.rgb", job.drawing.pixels});
  return kept;
}

}  // namespace genera::cli
