#include "options/common.hpp"
#include "show/report.hpp"
#include "tour/chapters.hpp"
#include "values.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>
#include <genera/version.hpp>

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
  return {"tour",
          "the lectures, reproduced on Iris: a page with figures",
          "Writes index.html into a folder: generative classification step by step, from the data "
          "to mixtures, with the figures and with the command that makes each of them. Every "
          "number is computed again. The page needs no network; its figures, models and tables are "
          "files beside it. Figures are drawn with gnuplot, which must be installed.",
          {},
          {common_texts_but_json(
              "DIR", "the folder for the page, which is made if it is not there (required)")},
          {"genera tour -o tour"}};
}

[[noreturn]] void refuse_folder(const std::string& folder, const std::string& why) {
  throw Error(Errc::bad_data, folder + ": " + why, "name another folder after -o");
}

/// A new folder beside the one that is wanted, removed with all that is in it unless it was moved.
class NewFolder {
 public:
  explicit NewFolder(const std::string& wanted) : wanted_(wanted) {
    std::error_code error;
    if (files::exists(wanted_, error) && !files::is_directory(wanted_, error))
      refuse_folder(wanted, "is not a folder");
    files::create_directories(wanted_, error);
    if (error) refuse_folder(wanted, "cannot be made: " + error.message());
    remove_abandoned();
    made_ = wanted_ / (prefix + std::to_string(::getpid()));
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

  /// The page last: where it is, everything is.
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

  /// What runs that were killed have left behind.
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

tour::Page lectures(tour::Workshop& shop) {
  tour::Page page{
      .title = "Generative classification, on Iris",
      .introduction =
          {{"A classifier can learn the border between classes, or how each class makes its data. "
            "This page walks through the second way in the order of two lectures: what such a "
            "model "
            "is, how it is learned, what it can answer, and how it compares with the first way."},
           {"Every number below was computed when this page was made. Each figure stands with the "
            "commands that make it; click on them to select, copy them into an empty folder, and "
            "they will run."}},
      .sections = {},
      .footer =
          fmt::format("Made by `genera tour`, version {}. Iris: Fisher (1936). The figures are "
                      "drawn by gnuplot.",
                      version)};
  for (auto* chapters : {tour::first_chapters, tour::learned_chapters, tour::last_chapters}) {
    for (tour::Section& section : chapters(shop)) page.sections.push_back(std::move(section));
  }
  return page;
}

void run_tour(const Words& words) {
  const Common common = common_of(words);
  if (!common.output)
    throw Error(Errc::bad_argument, "'tour' needs -o",
                "name the folder that the page is written to, as in -o tour");
  const NewFolder folder(*common.output);
  tour::Workshop shop(folder.path(), common);
  const std::string html = html_of(lectures(shop));
  write_file((files::path(folder.path()) / "index.html").string(),
             [&](std::ostream& out) { out << html; });
  folder.keep("index.html");
  Report(common.quiet)
      .note(
          fmt::format("the tour is in {}", (files::path(*common.output) / "index.html").string()));
}

}  // namespace

Verb tour_verb() { return {tour_text(), run_tour}; }

}  // namespace genera::cli
