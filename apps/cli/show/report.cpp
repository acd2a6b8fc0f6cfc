#include "report.hpp"

#include <fmt/core.h>

#include <unistd.h>

#include <cstdio>

namespace genera::cli {

void Report::note(const std::string& text) const {
  if (!quiet_) fmt::print(stderr, "genera: {}\n", text);
}

void Report::notes(const std::vector<std::string>& texts) const {
  for (const std::string& text : texts) note(text);
}

void Report::warning(const std::string& text) const {
  if (!quiet_) fmt::print(stderr, "genera: warning: {}\n", text);
}

void warn_unseen(bool quiet, Index cells) {
  if (cells > 0)
    Report(quiet).warning(
        fmt::format("{} {} a category that was never seen in training; {} taken as missing", cells,
                    cells == 1 ? "cell holds" : "cells hold", cells == 1 ? "it is" : "they are"));
}

void note_missing(bool quiet, const MissingCells& missing) {
  if (missing.cells == 0) return;
  Report(quiet).note(fmt::format("{} {} {} missing {}: answered exactly from what is there",
                                 missing.rows, missing.rows == 1 ? "row has" : "rows have",
                                 missing.cells, missing.cells == 1 ? "cell" : "cells"));
}

Progress::Progress(bool quiet)
    : wanted_(!quiet && ::isatty(STDERR_FILENO) == 1),
      next_(Clock::now() + std::chrono::seconds(1)) {}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::advance(Index rows) {
  rows_ += rows;
  if (!is_due()) return;
  fmt::print(stderr, "\rgenera: {} rows", rows_);
  std::fflush(stderr);
}

void Progress::step(int iteration) {
  if (!is_due()) return;
  fmt::print(stderr, "\rgenera: EM, iteration {}\033[K", iteration);
  std::fflush(stderr);
}

bool Progress::is_due() {
  if (!wanted_ || Clock::now() < next_) return false;
  next_ = Clock::now() + std::chrono::milliseconds(200);
  return shown_ = true;
}

void report_error(const std::string& what, const std::string& hint) {
  fmt::print(stderr, "genera: error: {}\nhint: {}\n", what, hint);
}

int exit_status(Errc code) {
  switch (code) {
    case Errc::bad_argument:
      return 2;
    case Errc::bad_data:
    case Errc::bad_model:
      return 1;
  }
  return 1;
}

}  // namespace genera::cli
