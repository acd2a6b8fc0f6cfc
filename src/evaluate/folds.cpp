// Which rows are held out together.
#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/random.hpp>
#include <genera/select.hpp>

#include "kernel/text.hpp"

namespace genera {
namespace {

/// The positions of the rows of each label that have a weight.
std::vector<std::vector<Index>> positions_by_label(const Rows& rows) {
  const CodesView& labels = rows.data().labels;
  std::vector<std::vector<Index>> found(labels.names.size());
  for (Index i = 0; i < rows.count() && !labels.empty(); ++i) {
    const std::int32_t label = labels(rows.row(i));
    if (label >= 0 && rows.weight(rows.row(i)) > 0)
      found[static_cast<std::size_t>(label)].push_back(i);
  }
  return found;
}

/// Fisher and Yates, with numbers that are the same everywhere.
void shuffle(std::vector<Index>& list, Rng rng) {
  for (std::size_t i = list.size(); i > 1; --i) {
    const auto other = static_cast<std::size_t>(rng.uniform() * static_cast<double>(i));
    std::swap(list[i - 1], list[other]);
  }
}

void refuse_folds(Index count, Index labelled, bool weights) {
  if (count < 2)
    throw Error(Errc::bad_argument,
                counted(count, "fold leaves", "folds leave") + " nothing to learn from",
                {"give {} at least 2", {{"folds"}}});
  if (labelled < count)
    throw Error(Errc::bad_data,
                fmt::format("there {} with a label{}, fewer than {} folds",
                            labelled == 1 ? "is 1 row" : fmt::format("are {} rows", labelled),
                            weights ? " and a weight above 0" : "", count),
                {"give fewer {}, or more rows", {{"folds"}}});
}

void note_small_classes(const std::vector<std::string>& small, Index count,
                        std::vector<Note>& notes) {
  if (small.empty()) return;
  notes.push_back(
      {{fmt::format("{} {} fewer rows than there are folds ({}): some folds have none",
                    kernel::quoted_list(small), small.size() == 1 ? "has" : "have", count)},
       Note::Kind::warning});
}

}  // namespace

Folds stratified_folds(const Rows& rows, Index count, std::uint64_t seed) {
  std::vector<std::vector<Index>> classes = positions_by_label(rows);
  const auto& names = rows.data().labels.names;
  Index labelled = 0;
  for (const auto& list : classes) labelled += std::ssize(list);
  refuse_folds(count, labelled, !rows.data().weights.empty());
  // In the order of the labels as text: the order of their first appearance does not matter.
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    if (!classes[k].empty()) order.push_back(k);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  Folds folds{.count = count,
              .of = std::vector<std::int32_t>(static_cast<std::size_t>(rows.count()), -1)};
  const Rng rng(seed);
  std::vector<std::string> small;
  std::int32_t next = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::vector<Index>& list = classes[order[k]];
    if (std::ssize(list) < count) small.push_back(names[order[k]]);
    shuffle(list, rng.split(k));
    for (const Index position : list) {
      folds.of[static_cast<std::size_t>(position)] = next;
      next = next + 1 == static_cast<std::int32_t>(count) ? 0 : next + 1;
    }
  }
  note_small_classes(small, count, folds.notes);
  return folds;
}

}  // namespace genera
