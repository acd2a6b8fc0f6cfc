#include "show/report.hpp"

#include "lists.hpp"
#include "show/printable.hpp"
#include "show/terminal.hpp"

#include <fmt/core.h>

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <tuple>
#include <utility>

namespace genera::cli {
namespace {

/// Failures to write to standard error are ignored.
void say(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

constexpr std::string_view warning_word = "warning:";

/// A line on standard error; a warning begins with that word.
std::string message(const std::string& text) {
  std::string sentence = readable_sentence(text);
  if (sentence.starts_with(warning_word) && shows_colours(STDERR_FILENO))
    sentence.replace(0, warning_word.size(), yellow(warning_word));
  return fmt::format("genera: {}\n", sentence);
}

/// "'colour' ('teal' 3, 'mauve' 1), 'size' ('XXL' 2)": the most frequent ones of each column.
std::string columns_with_levels(std::vector<UnseenLevel> levels) {
  constexpr std::size_t max_columns = 5, max_levels = 3;
  std::ranges::stable_sort(levels, [](const UnseenLevel& a, const UnseenLevel& b) {
    return std::tie(a.column, b.cells, a.level) < std::tie(b.column, a.cells, b.level);
  });
  std::string text;
  std::size_t columns = 0;
  for (std::size_t i = 0; i < levels.size();) {
    std::size_t end = i;
    while (end < levels.size() && levels[end].column == levels[i].column) ++end;
    if (++columns <= max_columns) {
      text += fmt::format("{}'{}' (", columns > 1 ? ", " : "", brief(levels[i].column));
      for (std::size_t j = i; j < std::min(end, i + max_levels); ++j)
        text +=
            fmt::format("{}'{}' {}", j > i ? ", " : "", brief(levels[j].level), levels[j].cells);
      text += end - i > max_levels ? fmt::format(" and {} more)", end - i - max_levels) : ")";
    }
    i = end;
  }
  if (columns > max_columns)
    text += " and " + counted(static_cast<Index>(columns - max_columns), "more column");
  return text;
}

}  // namespace

void Report::note(const std::string& text) const {
  if (!quiet_) say(message(text));
}

void Report::notes(const std::vector<Note>& notes, const std::vector<std::string>& said) const {
  for (const std::string& text : typed(notes))
    if (std::ranges::find(said, text) == said.end()) note(text);
}

void Report::warning(const std::string& text) const {
  note(std::string(warning_word) + " " + text);
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
  Report(quiet).warning(
      fmt::format("{} a category that was never seen in training; {} taken as missing{}{}",
                  counted(cells, "cell holds", "cells hold"), cells == 1 ? "it is" : "they are",
                  levels.empty() ? "" : ": ", columns_with_levels(levels)));
}

void note_missing(bool quiet, const MissingCells& missing) {
  if (missing.cells == 0) return;
  Report(quiet).note(fmt::format("{} {}: answered exactly from what is there",
                                 counted(missing.rows, "row has", "rows have"),
                                 counted(missing.cells, "missing cell")));
}

ProgressLine::ProgressLine(bool quiet, std::vector<Note> announced)
    : quiet_(quiet),
      visible_(!quiet && ::isatty(STDERR_FILENO) == 1),
      announced_(std::move(announced)),
      clock_(Clock::now()),
      next_(Clock::now() + std::chrono::seconds(1)) {}

ProgressLine::~ProgressLine() {
  if (shown_) say("\r\033[K");
}

Control ProgressLine::control(int threads) {
  if (quiet_ || (!visible_ && announced_.empty())) return {.threads = threads};
  return {.threads = threads, .progress = [this](const Progress& progress) {
            show(progress);
            return true;
          }};
}

void ProgressLine::announce() {
  Report(quiet_).notes(announced_);
  for (std::string& text : typed(std::exchange(announced_, {}))) said_.push_back(std::move(text));
}

double CallClock::seconds(const Progress& progress, Time now) {
  const bool other_call = progress.task != task_ || progress.done < done_;
  if (other_call) start_ = given_;
  given_ = now;
  task_ = progress.task;
  done_ = progress.done;
  return std::chrono::duration<double>(now - start_).count();
}

void ProgressLine::show(const Progress& progress) {
  const Clock::time_point now = Clock::now();
  const double seconds = clock_.seconds(progress, now);
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  if (!announced_.empty()) announce();
  if (!visible_) return;
  shown_ = true;
  say(fmt::format("\rgenera: {}\033[K", progress_text(progress, seconds)));
}

std::string progress_text(const Progress& progress, double seconds) {
  using Task = Progress::Task;
  const char* const things = progress.task == Task::searching ? "candidates"
                             : progress.task == Task::fitting ? "fits"
                                                              : "rows";
  if (progress.task == Task::iterating) {
    std::string text = fmt::format("{}iteration {}", progress.step ? "EM, " : "", progress.done);
    if (progress.step)
      text += fmt::format(", log-likelihood {:.6g}, change {:.1e}", progress.step->log_likelihood,
                          progress.step->change);
    if (progress.step && progress.step->iterations_left) {
      const auto done = static_cast<double>(progress.done);
      text += time_left(seconds, done / (done + *progress.step->iterations_left));
    }
    return text;
  }
  if (progress.total)
    return fmt::format(
        "{} of {} {}{}", progress.done, *progress.total, things,
        time_left(seconds, progress.share.value_or(static_cast<double>(progress.done) /
                                                   static_cast<double>(*progress.total))));
  if (progress.share)
    return fmt::format("{} {}, {:.0f}% of the file{}", progress.done, things, 100 * *progress.share,
                       time_left(seconds, *progress.share));
  return fmt::format("{} {}", progress.done, things);
}

std::string time_left(double seconds, double share) {
  if (!(share > 0 && share <= 1)) return "";
  const double left = seconds * (1 - share) / share;
  constexpr double minute = 60, hour = 3600;
  if (left < 2 * minute) return fmt::format(", about {:.0f} s left", left);
  if (left < 2 * hour) return fmt::format(", about {:.0f} min left", left / minute);
  return fmt::format(", about {:.0f} h left", left / hour);
}

void report_error(const Advice& problem, const Advice& hint) {
  const std::string word = shows_colours(STDERR_FILENO) ? red("error:") : "error:";
  say(fmt::format("genera: {} {}\nhint: {}\n", word, readable_sentence(in_words(problem, as_typed)),
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
