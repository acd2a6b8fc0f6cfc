#include "show/report.hpp"

#include "lists.hpp"
#include "show/printable.hpp"

#include <fmt/core.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <tuple>

namespace genera::cli {
namespace {

/// If standard error cannot be written, the work is still done.
void say(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// "'colour' ('teal' 3, 'mauve' 1), 'size' ('XXL' 2)": the most frequent ones of each column.
std::string columns_with_levels(std::vector<UnseenLevel> levels) {
  constexpr std::size_t most_columns = 5, most_levels = 3;
  std::ranges::stable_sort(levels, [](const UnseenLevel& a, const UnseenLevel& b) {
    return std::tie(a.column, b.cells, a.level) < std::tie(b.column, a.cells, b.level);
  });
  std::string text;
  std::size_t columns = 0;
  for (std::size_t i = 0; i < levels.size();) {
    std::size_t end = i;
    while (end < levels.size() && levels[end].column == levels[i].column) ++end;
    if (++columns <= most_columns) {
      text += fmt::format("{}'{}' (", columns > 1 ? ", " : "", brief(levels[i].column));
      for (std::size_t j = i; j < std::min(end, i + most_levels); ++j)
        text +=
            fmt::format("{}'{}' {}", j > i ? ", " : "", brief(levels[j].level), levels[j].cells);
      text += end - i > most_levels ? fmt::format(" and {} more)", end - i - most_levels) : ")";
    }
    i = end;
  }
  if (columns > most_columns) text += fmt::format(" and {} more columns", columns - most_columns);
  return text;
}

}  // namespace

void Report::note(const std::string& text) const {
  if (!quiet_) say(fmt::format("genera: {}\n", readable_sentence(text)));
}

void Report::notes(const std::vector<Note>& notes) const {
  for (const std::string& text : typed(notes)) note(text);
}

void Report::warning(const std::string& text) const {
  if (!quiet_) say(fmt::format("genera: warning: {}\n", readable_sentence(text)));
}

std::vector<std::string> typed(const std::vector<Note>& notes) {
  std::vector<std::string> texts;
  for (const Note& note : notes) texts.push_back(in_words(note, as_typed));
  return texts;
}

void UnseenTally::add(ClassifierRef model, const Table& table, Index cells) {
  if (cells == 0) return;
  const std::vector<UnseenLevel> found = unseen_levels(model, table);
  const std::lock_guard lock(mutex_);
  cells_ += cells;
  add_levels(levels_, found);
}

void warn_unseen(bool quiet, Index cells, const std::vector<UnseenLevel>& levels) {
  if (cells == 0) return;
  Report(quiet).warning(fmt::format(
      "{} {} a category that was never seen in training; {} taken as missing{}{}", cells,
      cells == 1 ? "cell holds" : "cells hold", cells == 1 ? "it is" : "they are",
      levels.empty() ? "" : ": ", columns_with_levels(levels)));
}

void note_missing(bool quiet, const MissingCells& missing) {
  if (missing.cells == 0) return;
  Report(quiet).note(fmt::format("{} {} {} missing {}: answered exactly from what is there",
                                 missing.rows, missing.rows == 1 ? "row has" : "rows have",
                                 missing.cells, missing.cells == 1 ? "cell" : "cells"));
}

ProgressLine::ProgressLine(bool quiet)
    : wanted_(!quiet && ::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_(start_ + std::chrono::seconds(1)) {}

ProgressLine::~ProgressLine() {
  if (shown_) say("\r\033[K");
}

Control ProgressLine::control(int threads) {
  if (!wanted_) return {.threads = threads};
  return {.threads = threads, .progress = [this](const Progress& progress) {
            show(progress);
            return true;
          }};
}

void ProgressLine::show(const Progress& progress) {
  if (progress.done < done_) start_ = Clock::now();  // another call
  done_ = progress.done;
  if (Clock::now() < next_) return;
  next_ = Clock::now() + std::chrono::milliseconds(200);
  shown_ = true;
  std::string text;
  if (progress.task == Progress::Task::iterating)
    text = fmt::format("{}iteration {}", progress.step ? "EM, " : "", progress.done);
  else if (progress.task == Progress::Task::searching)
    text = fmt::format("{} of {} candidates", progress.done, progress.total.value_or(0));
  else if (progress.task == Progress::Task::repeating)
    text = fmt::format("{} of {} repeats{}", progress.done, progress.total.value_or(0),
                       time_left(std::chrono::duration<double>(Clock::now() - start_).count(),
                                 progress.done, progress.total.value_or(0)));
  else
    text = fmt::format("{} rows", progress.done);
  say(fmt::format("\rgenera: {}\033[K", text));
}

std::string time_left(double seconds, Index done, Index total) {
  if (done <= 0 || total < done) return "";
  const double left = seconds / static_cast<double>(done) * static_cast<double>(total - done);
  constexpr double minute = 60, hour = 3600;
  if (left < 2 * minute) return fmt::format(", about {:.0f} s left", left);
  if (left < 2 * hour) return fmt::format(", about {:.0f} min left", left / minute);
  return fmt::format(", about {:.0f} h left", left / hour);
}

void report_error(const std::string& what, const Advice& hint) {
  say(fmt::format("genera: error: {}\nhint: {}\n", readable_sentence(what),
                  readable_sentence(in_words(hint, as_typed))));
}

int exit_status(Errc code) {
  switch (code) {
    case Errc::bad_argument:
      return 2;
    case Errc::bad_data:
    case Errc::bad_model:
    case Errc::stopped:
      return 1;
  }
  return 1;
}

}  // namespace genera::cli
