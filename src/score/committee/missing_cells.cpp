// Missing cells of the rows asked of a committee.
#include <algorithm>
#include <cmath>
#include <functional>

#include "data/columns.hpp"
#include "score/committee/bound_classifier.hpp"

namespace genera::score {
namespace {

using IsMissing = std::function<bool(Index row)>;

IsMissing number_is_missing(const DataView& data, Index column) {
  const std::vector<Index> places{column};
  return [numbers = data::NumberColumns(data, places)](Index row) {
    return std::isnan(numbers(row, 0));
  };
}

/// Whether a cell of the column is missing; empty for columns of sparse matrices, where every cell
/// is there.
IsMissing missing_in(const DataView& data, const std::string& name) {
  const std::vector<data::FeaturePlace> places = data::feature_places(data.columns);
  for (std::size_t j = 0; j < places.size(); ++j) {
    if (data.columns[j].name != name) continue;
    const Index at = places[j].at;
    switch (places[j].kind) {
      case data::FeaturePlace::Kind::number:
        return number_is_missing(data, at);
      case data::FeaturePlace::Kind::code:
        return [&codes = data.codes[static_cast<std::size_t>(at)]](Index row) {
          return codes(row) < 0;
        };
      case data::FeaturePlace::Kind::text:
        return [&text = data.sparse[static_cast<std::size_t>(data::ColumnPlaces(data).text(name))]](
                   Index row) { return text.is_missing(row); };
    }
  }
  return {};
}

}  // namespace

MissingCells missing_cells(const BoundClassifier& bound, const Tally& tally) {
  const Committee* committee = bound.classifier().committee();
  if (!committee) return missing_cells(*bound.members().front(), tally);
  const Rows& rows = bound.rows();
  const DataView& data = rows.data();
  std::vector<IsMissing> columns;
  for (std::size_t j = 0; j < committee->features().size(); ++j)
    columns.push_back(data.by_position ? number_is_missing(data, static_cast<Index>(j))
                                       : missing_in(data, committee->features()[j].name));
  std::erase_if(columns, [](const IsMissing& column) { return !column; });
  MissingCells found;
  for (Index i = 0; i < rows.count(); ++i) {
    const Index row = rows.row(i);
    const auto cells =
        std::ranges::count_if(columns, [&](const IsMissing& column) { return column(row); });
    found.cells += cells;
    found.rows += cells > 0 ? 1 : 0;
  }
  return found;
}

}  // namespace genera::score
