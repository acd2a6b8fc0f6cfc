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
  void notes(const std::vector<Note>& notes) const;
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

/// How far a call is: on a terminal, from the first second on.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// For calls that it outlives.
  [[nodiscard]] Control control(int threads);

 private:
  using Clock = std::chrono::steady_clock;
  void show(const Progress& progress);
  bool shown_ = false;
  bool wanted_;
  Clock::time_point start_;  // of the call whose progress is shown
  Index done_ = 0;
  Clock::time_point next_;
};

/// ", about 3 min left", from what has been done in how many seconds; empty if nothing has.
[[nodiscard]] std::string time_left(double seconds, Index done, Index total);

/// Two lines: what is wrong, and what to do.
void report_error(const std::string& what, const Advice& hint);

/// 2 if the command line is wrong, 1 if the data or the model are.
[[nodiscard]] int exit_status(Errc code);

}  // namespace genera::cli
