#pragma once

#include <genera/control.hpp>
#include <genera/error.hpp>
#include <genera/query.hpp>
#include <genera/report.hpp>
#include <genera/types.hpp>

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

/// Messages on standard error.
namespace genera::cli {

class Report {
 public:
  explicit Report(bool quiet) : quiet_(quiet) {}
  void note(const std::string& text) const;
  /// Prints the notes that are not among `said`.
  void notes(const std::vector<Note>& notes, const std::vector<std::string>& said = {}) const;
  void warning(const std::string& text) const;

 private:
  bool quiet_;
};

/// The notes as printed, with options as in a shell.
[[nodiscard]] std::vector<std::string> typed(const std::vector<Note>& notes);

/// Counts the levels that are unknown to the model, on any number of threads.
class UnseenTally {
 public:
  /// Adds rows with `cells` cells that have an unknown level.
  void add(ClassifierRef model, const Table& table, Index cells);
  [[nodiscard]] Index cells() const { return cells_; }
  [[nodiscard]] const std::vector<UnseenLevel>& levels() const { return levels_; }

 private:
  std::mutex mutex_;
  Index cells_ = 0;
  std::vector<UnseenLevel> levels_;
};

/// Warns of levels that are unknown to the model, if there are any.
void warn_unseen(bool quiet, Index cells, const std::vector<UnseenLevel>& levels);
/// Reports the number of rows and cells with missing values.
void note_missing(bool quiet, const MissingCells& missing);

/// Measures the time of the current call in a sequence of calls that report progress.
class CallClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  explicit CallClock(Time now) : start_(now), given_(now) {}
  /// The seconds since the current call began, which is when the previous one last reported.
  double seconds(const Progress& progress, Time now);

 private:
  Time start_, given_;
  Progress::Task task_ = Progress::Task::reading;
  Index done_ = 0;
};

/// Shows the progress of a call on a terminal, after the first second. The notes about its input
/// (target, types) are printed then, too, on any standard error.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet, std::vector<Note> announced = {});
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// For calls that end before this object does.
  [[nodiscard]] Control control(int threads);
  /// The notes that were printed.
  [[nodiscard]] const std::vector<std::string>& said() const { return said_; }

 private:
  using Clock = std::chrono::steady_clock;
  void show(const Progress& progress);
  void announce();
  bool quiet_, visible_;
  bool shown_ = false;
  std::vector<Note> announced_;  // not yet printed
  std::vector<std::string> said_;
  CallClock clock_;
  Clock::time_point next_;
};

/// "1200 of 5000 rows, about 3 s left"; `seconds` have passed.
[[nodiscard]] std::string progress_text(const Progress& progress, double seconds);

/// ", about 3 min left", if this share took `seconds`; empty if the share is 0.
[[nodiscard]] std::string time_left(double seconds, double share);

/// Prints two lines: the problem and the hint.
void report_error(const Advice& problem, const Advice& hint);

/// 2 for errors of the command line, 1 for errors of the data or the model.
[[nodiscard]] int exit_status(Errc code);

}  // namespace genera::cli
