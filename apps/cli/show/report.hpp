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

/// Words for people, on standard error.
namespace genera::cli {

class Report {
 public:
  explicit Report(bool quiet) : quiet_(quiet) {}
  void note(const std::string& text) const;
  /// Without those that were `said` before.
  void notes(const std::vector<Note>& notes, const std::vector<std::string>& said = {}) const;
  void warning(const std::string& text) const;

 private:
  bool quiet_;
};

/// As they are printed, with options as they are typed.
[[nodiscard]] std::vector<std::string> typed(const std::vector<Note>& notes);

/// Categories that the model has never seen, counted on any number of threads.
class UnseenTally {
 public:
  /// Of some rows, in which so many cells hold one.
  void add(ClassifierRef model, const Table& table, Index cells);
  [[nodiscard]] Index cells() const { return cells_; }
  [[nodiscard]] const std::vector<UnseenLevel>& levels() const { return levels_; }

 private:
  std::mutex mutex_;
  Index cells_ = 0;
  std::vector<UnseenLevel> levels_;
};

/// If there are any: categories that the model has never seen, with their columns.
void warn_unseen(bool quiet, Index cells, const std::vector<UnseenLevel>& levels);
/// How many rows and cells lacked something.
void note_missing(bool quiet, const MissingCells& missing);

/// Since when a call works, of several one after the other that tell how far they are.
class CallClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  explicit CallClock(Time now) : start_(now), given_(now) {}
  /// Since the beginning of the call that tells this now: where the one before last told something.
  double seconds(const Progress& progress, Time now);

 private:
  Time start_, given_;
  Progress::Task task_ = Progress::Task::reading;
  Index done_ = 0;
};

/// How far a call is: on a terminal, from the first second on. What a long call begins with (its
/// target, its types) is announced then, wherever messages go.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet, std::vector<Note> announced = {});
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// For calls that it outlives.
  [[nodiscard]] Control control(int threads);
  /// What was announced, as it was printed.
  [[nodiscard]] const std::vector<std::string>& said() const { return said_; }

 private:
  using Clock = std::chrono::steady_clock;
  void show(const Progress& progress);
  void announce();
  bool quiet_, visible_;
  bool shown_ = false;
  std::vector<Note> announced_;  // not yet
  std::vector<std::string> said_;
  CallClock clock_;
  Clock::time_point next_;
};

/// "1200 of 5000 rows, about 3 s left", after so many seconds.
[[nodiscard]] std::string progress_text(const Progress& progress, double seconds);

/// ", about 3 min left", if such a share took so many seconds; empty if nothing is done.
[[nodiscard]] std::string time_left(double seconds, double share);

/// Two lines: what is wrong, and what to do.
void report_error(const Advice& problem, const Advice& hint);

/// 2 if the command line is wrong, 1 if the data or the model are.
[[nodiscard]] int exit_status(Errc code);

}  // namespace genera::cli
