#pragma once

#include <genera/error.hpp>
#include <genera/query.hpp>
#include <genera/types.hpp>

#include <chrono>
#include <string>
#include <vector>

/// Words for people, on standard error.
namespace genera::cli {

class Report {
 public:
  explicit Report(bool quiet) : quiet_(quiet) {}
  void note(const std::string& text) const;
  void notes(const std::vector<std::string>& texts) const;
  void warning(const std::string& text) const;

 private:
  bool quiet_;
};

/// If there are any: categories that the model has never seen.
void warn_unseen(bool quiet, Index cells);
/// How many rows and cells lacked something.
void note_missing(bool quiet, const MissingCells& missing);

/// How many rows are done: on a terminal, from the first second on.
class Progress {
 public:
  explicit Progress(bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void advance(Index rows);
  void step(int iteration);  ///< of an EM

 private:
  using Clock = std::chrono::steady_clock;
  bool is_due();
  bool shown_ = false;
  bool wanted_;
  Index rows_ = 0;
  Clock::time_point next_;
};

/// Two lines: what is wrong, and what to do.
void report_error(const std::string& what, const std::string& hint);

/// 2 if the command line is wrong, 1 if the data or the model are.
[[nodiscard]] int exit_status(Errc code);

}  // namespace genera::cli
