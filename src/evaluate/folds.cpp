// Stratified folds.
#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/select.hpp>

#include "evaluate/strata.hpp"
#include "kernel/text.hpp"

namespace genera {
namespace {

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
  const std::vector<select_detail::Stratum> strata = select_detail::shuffled_strata(rows, seed);
  Index labelled = 0;
  for (const auto& stratum : strata) labelled += std::ssize(stratum.positions);
  refuse_folds(count, labelled, !rows.data().weights.empty());
  Folds folds{.count = count,
              .of = std::vector<std::int32_t>(static_cast<std::size_t>(rows.count()), -1)};
  std::vector<std::string> small;
  std::int32_t next = 0;
  for (const auto& stratum : strata) {
    if (std::ssize(stratum.positions) < count) small.push_back(stratum.label);
    for (const Index position : stratum.positions) {
      folds.of[static_cast<std::size_t>(position)] = next;
      next = next + 1 == static_cast<std::int32_t>(count) ? 0 : next + 1;
    }
  }
  note_small_classes(small, count, folds.notes);
  return folds;
}

}  // namespace genera
