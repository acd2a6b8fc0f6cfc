#include "data/csv/unfit_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "kernel/text.hpp"

namespace genera::data {
namespace {

/// What the column holds that its type cannot be; empty if it fits.
std::string unfit_cells(const ColumnGuess& guess, ColumnType type) {
  constexpr std::size_t max_levels = 2;
  if (type == ColumnType::binary && guess.values.size() > max_levels)
    return kernel::quoted_list(guess.values);
  // A few such cells are errors in a column of counts, which the parser reports with their place.
  if (type == ColumnType::count && !are_few(guess.not_counts, guess.present))
    return '\'' + guess.not_a_count + '\'';
  return {};
}

struct UnfitColumns {
  ColumnType type;
  const CellFormat& format;
  std::vector<std::string> names{};
  std::string cells{};  ///< of the first
  bool numeric = true;
  std::size_t fit_without_token = 0;          ///< columns of two values and a missing token
  std::vector<std::string> missing_tokens{};  ///< of these

  void add(const std::string& name, const ColumnGuess& guess, const std::string& found) {
    if (names.empty()) cells = fmt::format("'{}' holds {}", name, found);
    const auto token = std::ranges::find_if(guess.values, looks_missing);
    constexpr std::size_t levels_and_token = 3;
    if (token != guess.values.end() && guess.values.size() == levels_and_token) {
      ++fit_without_token;
      if (std::ranges::find(missing_tokens, *token) == missing_tokens.end())
        missing_tokens.push_back(*token);
    }
    names.push_back(name);
    numeric = numeric && guess.type == ColumnType::numeric;
  }

  [[nodiscard]] Advice remedy(bool others_left) const {
    const OptionUse model{"model", {numeric ? "gnb" : "categorical"}};
    if (type == ColumnType::binary && names.size() == fit_without_token)
      return {"use {} if it means missing, or a model for such columns, for example {}",
              {{"missing_token", with_tokens(format, missing_tokens)}, model}};
    if (!others_left) return {"use a model for such columns, for example {}", {model}};
    return {"use a model for such columns, for example {}, or leave them out: {}",
            {model, {"drop", names}}};
  }
};

}  // namespace

void refuse_unfit_columns(const FileColumns& file, const RecordLayout& layout, ColumnType type,
                          const std::vector<bool>& not_given) {
  UnfitColumns unfit{type, file.format};
  for (const FieldUse& use : layout.uses) {
    const bool feature = use.part == FieldUse::Part::number || use.part == FieldUse::Part::code;
    if (!feature || !not_given[static_cast<std::size_t>(use.feature)]) continue;
    const auto j = static_cast<std::size_t>(&use - layout.uses.data());
    const std::string found = unfit_cells(file.guesses[j], type);
    if (!found.empty()) unfit.add(file.names[j], file.guesses[j], found);
  }
  if (unfit.names.empty()) return;
  throw Error(Errc::bad_data,
              fmt::format("{}: {} cannot be {}: {} ({})", file.source,
                          counted(std::ssize(unfit.names), "column"),
                          type == ColumnType::count ? "counts (whole numbers of at least 0)"
                                                    : "binary (at most two values)",
                          kernel::quoted_list(unfit.names), unfit.cells),
              unfit.remedy(unfit.names.size() < layout.columns.size()));
}

}  // namespace genera::data
