#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/stats.hpp>

#include "data/columns.hpp"
#include "data/memory_rows.hpp"
#include "kernel/text.hpp"
#include "sums/classes.hpp"
#include "sums/collect.hpp"
#include "sums/cut_rows.hpp"
#include "sums/pair_sums.hpp"
#include "sums/summarise.hpp"

namespace genera {
namespace {

using sums::Summary;

/// Larger statistics are refused, so that they cannot exhaust memory.
constexpr double max_bytes = 2e9;

void require_features(const Statistics& statistics) {
  if (!statistics.schema().empty()) return;
  throw Error(Errc::bad_data, "there is no feature column", "give a column other than the label");
}

void refuse_excess(const Summary& summary) {
  const Statistics& statistics = summary.statistics;
  const auto d = static_cast<double>(statistics.columns().size());
  const auto classes = static_cast<double>(std::max<std::size_t>(2, statistics.classes().size()));
  const double each = statistics.scatter() == Scatter::full ? d * d * 8 : d * 8;
  if (classes * each > max_bytes)
    throw Error(Errc::bad_data,
                fmt::format("the statistics of {} classes and {} columns need {:.0f} GB", classes,
                            d, classes * each / 1e9),
                {"use fewer columns ({}, {}), or fit {}, which keeps variances only",
                 {{"features"}, {"drop"}, {"model", {"gnb"}}}});
  if (statistics.schema().pairs) {
    std::vector<Index> levels;
    for (const NameSet& names : statistics.levels()) levels.push_back(names.size());
    sums::refuse_many_pairs(levels, static_cast<Index>(classes));
  }
  double names = 0;
  for (const NameSet& terms : statistics.terms()) names += static_cast<double>(terms.size());
  for (const NameSet& levels : statistics.levels()) names += static_cast<double>(levels.size());
  constexpr double bytes_of_a_name = 64;
  const double bytes = names * (bytes_of_a_name + classes * 16);
  if (bytes > max_bytes)
    throw Error(Errc::bad_data,
                fmt::format("the counts of {} different terms in {} classes need {:.0f} GB", names,
                            classes, bytes / 1e9),
                {"use {}, which bounds the memory, or leave columns out ({})",
                 {{"hash_bits", {"20"}}, {"drop"}}});
}

const Column& feature(const Summary& summary, std::size_t j) {
  return summary.statistics.schema().features[j];
}

}  // namespace

std::string sums::missing_columns(const Summary& summary, MissingAmong which) {
  std::vector<std::string> parts;
  for (std::size_t j = 0; j < summary.missing_cells.size(); ++j) {
    const bool number = data::kept_as_number(feature(summary, j).type);
    if (summary.missing_cells[j] > 0 &&
        (which == MissingAmong::all || number == (which == MissingAmong::numbers)))
      parts.push_back(fmt::format("'{}' ({})", feature(summary, j).name, summary.missing_cells[j]));
  }
  constexpr std::size_t max = 8;
  const std::size_t shown = std::min(max, parts.size());
  std::string text =
      fmt::format("{}", fmt::join(parts.begin(), parts.begin() + static_cast<Index>(shown), ", "));
  if (parts.size() > shown)
    text += " and " + counted(std::ssize(parts) - static_cast<Index>(shown), "more column");
  return text;
}

Index sums::cells_left_out(const Summary& summary) {
  Index cells = 0;
  for (std::size_t j = 0; j < summary.missing_cells.size(); ++j)
    cells += data::kept_as_number(feature(summary, j).type) ? 0 : summary.missing_cells[j];
  return cells;
}

void sums::note_left_out(const Summary& summary, std::vector<Note>& notes) {
  if (const Index cells = cells_left_out(summary); cells > 0)
    notes.push_back(
        {fmt::format("{} left out: {}", counted(cells, "missing cell is", "missing cells are"),
                     missing_columns(summary, MissingAmong::others))});
}

namespace {

using sums::missing_columns;
using sums::MissingAmong;
using sums::weightless_rows;

/// Does not suggest to drop rows because of a column that is missing everywhere, nor to leave out
/// all columns.
Advice missing_hint(const Summary& summary, Missing policy) {
  if (summary.unlabelled_rows == summary.rows)
    return {"give rows that have a label, or choose the column of class labels with {}",
            {{"target"}}};
  std::vector<std::string> empty;
  for (std::size_t j = 0; j < summary.missing_cells.size(); ++j) {
    if (summary.missing_cells[j] == summary.incomplete_rows &&
        summary.incomplete_rows == summary.rows)
      empty.push_back(feature(summary, j).name);
  }
  if (empty.size() == summary.missing_cells.size()) return "give columns that have values";
  if (empty.empty() && policy == Missing::drop)
    return {"no row is complete: leave out the columns that miss most with {}", {{"drop"}}};
  if (empty.empty())
    return {"use {} to learn from the complete rows only", {{"missing", {"drop"}}}};
  return {"leave the empty columns out: {}", {{"drop", empty}}};
}

void apply_missing_policy(const Summary& summary, Missing policy, std::vector<Note>& notes) {
  if (policy != Missing::drop) sums::note_left_out(summary, notes);
  const Index lost = summary.unlabelled_rows + summary.incomplete_rows;
  if (lost == 0) return;
  std::string what;
  if (summary.incomplete_rows > 0)
    what += fmt::format("{} of {} {} missing values in {}", summary.incomplete_rows,
                        counted(summary.rows, "row"), summary.incomplete_rows == 1 ? "has" : "have",
                        missing_columns(summary, policy == Missing::drop ? MissingAmong::all
                                                                         : MissingAmong::numbers));
  if (summary.unlabelled_rows > 0)
    what += fmt::format("{}{} no label in '{}'", what.empty() ? "" : "; ",
                        counted(summary.unlabelled_rows, "row has", "rows have"),
                        summary.statistics.target());
  if (policy != Missing::drop || lost == summary.rows)
    throw Error(Errc::bad_data, what, missing_hint(summary, policy));
  notes.push_back({fmt::format("{}: {} dropped, {} used", what, counted(lost, "row"),
                               summary.rows - lost - weightless_rows(summary.weighted))});
}

}  // namespace

/// Sums of weights must be accurate and large enough to count rows: this bound is so far above the
/// smallest normal double, 2.2e-308, that 1e-16 of it is still normal.
void sums::check_weights(const Statistics& statistics, std::vector<Note>& notes) {
  constexpr double min = 1e-290;
  const ClassStatistics* light = nullptr;
  const auto weigh = [](const ClassStatistics& entry) {
    const std::string of = entry.name.empty() ? "" : " of class '" + entry.name + "'";
    return entry.rows == 1
               ? fmt::format("the only row{} weighs {:.6g}", of, entry.weight)
               : fmt::format("the {} rows{} weigh {:.6g} together", entry.rows, of, entry.weight);
  };
  for (const ClassStatistics& entry : statistics.classes()) {
    if (entry.weight > 0 && entry.weight < min)
      throw Error(Errc::bad_data, weigh(entry) + ", which is too little to compute with",
                  "multiply all weights by the same number");
    if (!light && entry.rows > 1 && entry.weight < 1) light = &entry;
  }
  if (!light) return;
  notes.push_back({weigh(*light) +
                       ", less than one row: whatever counts rows (BIC, shrinkage, smoothing, "
                       "degrees of freedom) takes them so; if the weights are shares, multiply all "
                       "of them by the same number, so that their mean is 1",
                   Note::Kind::warning});
}

namespace {

void add(std::vector<Note>& notes, std::optional<Note> note) {
  if (note) notes.push_back(*std::move(note));
}

/// Thrown through a pass that has seen enough.
struct Enough {};

Summary pass(RowSource& rows, const sums::PassOptions& pass, const Control& control) {
  const sums::SummaryOptions options{
      {pass.collect.scatter, pass.collect.joint, pass.entries, pass.collect.pairs},
      pass.collect.missing};
  const auto none = [&] {
    Summary empty{.statistics = Statistics(sums::schema_of(rows.schema(), options.schema))};
    require_features(empty.statistics);
    refuse_excess(empty);
    return empty;
  };
  if (const Rows* all = rows.in_memory()) {
    (void)none();
    if (pass.collect.pairs) sums::refuse_many_pairs(all->data());
    return sums::summarise_all(*all, options, control);
  }
  if (rows.schema().target.empty()) sums::refuse_unlabelled();
  return rows.reduce(
      control, none, [&](const Rows& chunk) { return sums::summarise(chunk, options); },
      [&](Summary& total, Summary&& part) {
        sums::merge(total, std::move(part));
        if (pass.is_enough && pass.is_enough(total)) throw Enough{};
        refuse_excess(total);
        sums::refuse_flood_of_classes(total.statistics.target(), total.statistics.classes().size(),
                                      total.rows);
      });
}

sums::Pass whole_pass(RowSource& rows, const sums::PassOptions& options, const Control& control) {
  Summary total = pass(rows, options, control);
  std::vector<Note> notes = rows.notes();
  add(notes, sums::note_weightless(total.weighted));
  sums::check_weights(total.statistics, notes);
  // No note for weights from memory: the program that made them knows what they are.
  if (!rows.name().empty() && !rows.schema().frequencies)
    add(notes, sums::note_whole_weights(total.weighted));
  return {std::move(total), std::move(notes), 0};
}

}  // namespace

namespace sums {

std::optional<Pass> pass_until(RowsRef rows, const PassOptions& options, const Control& control) {
  try {
    return whole_pass(*rows, options, control);
  } catch (const Enough&) {
    return std::nullopt;
  }
}

Pass pass_over(RowsRef rows, const CollectOptions& options, Entries entries,
               const Control& control) {
  return whole_pass(*rows, {options, entries}, control);
}

void leave_out_unlabelled(Pass& pass) {
  Summary& summary = pass.summary;
  if (summary.unlabelled_rows == 0) return;
  const Index rows = std::exchange(summary.unlabelled_rows, 0);
  summary.rows -= rows;
  pass.unlabelled_left_out = rows;
  pass.notes.push_back(
      {fmt::format("{} no label in '{}' and {} left out", counted(rows, "row has", "rows have"),
                   summary.statistics.target(), rows == 1 ? "is" : "are")});
}

Collected finish(Pass&& pass, Missing missing) {
  apply_missing_policy(pass.summary, missing, pass.notes);
  if (pass.summary.statistics.classes().empty())
    throw Error(Errc::bad_data, "there is no row to learn from",
                "give rows that have a label, no missing value and a weight above 0");
  Collected result{.statistics = {},
                   .dropped_rows = pass.summary.unlabelled_rows + pass.summary.incomplete_rows,
                   .unlabelled_left_out = pass.unlabelled_left_out,
                   .missing_cells = missing == Missing::drop ? 0 : cells_left_out(pass.summary),
                   .notes = std::move(pass.notes)};
  result.statistics = std::move(pass.summary.statistics);
  return result;
}

}  // namespace sums

Collected collect(RowsRef rows, const CollectOptions& options, const Control& control) {
  if (options.pairs && sums::has_numbers(rows->schema())) {
    data::KeptRows kept(*rows);
    if (kept->passes() == Passes::one) kept.keep(control);
    sums::CutRows cut(*kept, sums::all_cuts(*kept, options, control));
    return collect(cut, options, control);
  }
  return sums::finish(sums::pass_over(rows, options, sums::Entries::all, control), options.missing);
}

}  // namespace genera
