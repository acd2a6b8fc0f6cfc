#include "options/common.hpp"
#include "show/report.hpp"
#include "tour/chapters.hpp"
#include "tour/texts.hpp"
#include "values.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

namespace genera::cli {
namespace {

namespace files = std::filesystem;

VerbText tour_text() {
  return {
      "tour",
      "the lectures, reproduced on Iris: a page with figures",
      "Writes index.html to a folder: generative classification step by step, with figures, "
      "tables and the commands that make them. All numbers are computed when it runs. The page "
      "needs no network; its figures, models and tables are files beside it. gnuplot draws the "
      "figures and must be installed.",
      {},
      {common_texts_but_json("DIR", "the folder for the page, created if necessary (required)")},
      {"genera tour -o tour"}};
}

[[noreturn]] void refuse_folder(const std::string& folder, const std::string& why) {
  throw Error(Errc::bad_data, folder + ": " + why, "name another folder after -o");
}

/// A temporary folder in the target folder. Its destructor removes it, and the target if empty.
class NewFolder {
 public:
  explicit NewFolder(const std::string& wanted) : wanted_(wanted) {
    std::error_code error;
    if (files::exists(wanted_, error) && !files::is_directory(wanted_, error))
      refuse_folder(wanted, "is not a folder");
    files::create_directories(wanted_, error);
    if (error) refuse_folder(wanted, "cannot be made: " + error.message());
    remove_abandoned();
    made_ = files::absolute(wanted_) / (prefix + std::to_string(::getpid()));
    removed_.emplace(made_.string());
    files::create_directory(made_, error);
    if (error) refuse_folder(wanted, "cannot be written: " + error.message());
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;
  ~NewFolder() {
    std::error_code error;
    files::remove_all(made_, error);
    files::remove(wanted_, error);  // if nothing is in it
  }

  [[nodiscard]] std::string path() const { return made_.string(); }

  /// Moves all files to the target folder, the page last, so that a page is never incomplete.
  void keep(const std::string& page) const {
    std::error_code error;
    for (const files::directory_entry& file : files::directory_iterator(made_)) {
      if (file.path().filename() == page) continue;
      files::rename(file.path(), wanted_ / file.path().filename(), error);
      if (error) refuse_folder(wanted_.string(), "cannot be written: " + error.message());
    }
    files::rename(made_ / page, wanted_ / page, error);
    if (error) refuse_folder(wanted_.string(), "cannot be written: " + error.message());
  }

 private:
  static constexpr const char* prefix = ".tour-";

  /// Removes the folders of runs that were killed.
  void remove_abandoned() const {
    std::error_code error;
    std::vector<files::path> abandoned;
    for (const files::directory_entry& one : files::directory_iterator(wanted_, error)) {
      const std::string name = one.path().filename().string();
      pid_t process = 0;
      if (!name.starts_with(prefix)) continue;
      if (!read_whole(name.substr(std::strlen(prefix)), process) || process <= 0) continue;
      const bool ended = ::kill(process, 0) != 0 && errno == ESRCH;
      if (ended) abandoned.push_back(one.path());
    }
    for (const files::path& path : abandoned) files::remove_all(path, error);
  }

  files::path wanted_, made_;
  std::optional<RemovedOnSignal> removed_;
};

/// Makes a folder the working folder during its lifetime.
class WorkingFolder {
 public:
  explicit WorkingFolder(const std::string& folder) : before_(files::current_path()) {
    files::current_path(folder);
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;
  ~WorkingFolder() {
    std::error_code error;
    files::current_path(before_, error);
  }

 private:
  files::path before_;
};

void run_tour(const Words& words) {
  const Common common = common_of(words);
  if (!common.output)
    throw Error(Errc::bad_argument, "'tour' needs -o",
                "name the folder that the page is written to, as in -o tour");
  const NewFolder folder(*common.output);
  {
    const WorkingFolder inside(folder.path());
    tour::CommandRunner runner(common.threads);
    const std::string page = page_of(std::string(tour::chapters), runner);
    write_file("index.html", [&](std::ostream& out) { out << page; });
  }
  folder.keep("index.html");
  Report(common.quiet)
      .note(
          fmt::format("the tour is in {}", (files::path(*common.output) / "index.html").string()));
}

}  // namespace

Verb tour_verb() { return {tour_text(), run_tour}; }

}  // namespace genera::cli
