#include "sums/weightless.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <genera/error.hpp>

namespace genera::sums {

std::optional<Note> note_weightless(const WeightedRows& rows) {
  const Index all = weightless_rows(rows);
  if (all == 0) return std::nullopt;
  std::string what = counted(all, "row of weight 0 is", "rows of weight 0 are") + " left out";
  std::vector<std::string> gone;
  for (const auto& [name, of_class] : rows) {
    if (of_class.weighted == 0)
      gone.push_back(fmt::format("'{}' ({})", name, counted(of_class.weightless, "row")));
  }
  if (gone.empty()) return Note{what};
  constexpr std::size_t max = 8;
  const std::size_t others = gone.size() - std::min(max, gone.size());
  gone.resize(gone.size() - others);
  what += fmt::format(", and with {} {} {}{}", all == 1 ? "it" : "them",
                      gone.size() == 1 ? "class" : "the classes", fmt::join(gone, ", "),
                      others == 0 ? "" : fmt::format(" and {} more", others));
  return Note{what, Note::Kind::warning};
}

Index weightless_rows(const WeightedRows& rows) {
  Index sum = 0;
  for (const auto& [name, of_class] : rows) sum += of_class.weightless;
  return sum;
}

std::optional<Note> note_whole_weights(const WeightedRows& rows) {
  RowsOfClass all;
  for (const auto& [name, of_class] : rows) {
    all.fractional += of_class.fractional;
    all.heavy += of_class.heavy;
  }
  if (all.fractional > 0 || all.heavy == 0) return std::nullopt;
  return Note{
      {"all weights are whole numbers: if a row of weight 7 stands for seven equal rows, "
       "use {} instead of {}",
       {{"counts"}, {"weights"}}}};
}

Index rows_with_weight(const Rows& rows) {
  if (rows.data().weights.empty()) return rows.count();
  Index found = 0;
  for (Index i = 0; i < rows.count(); ++i)
    found += rows.weight(rows.row(i)) > 0 ? rows.copies(rows.row(i)) : 0;
  return found;
}

}  // namespace genera::sums
