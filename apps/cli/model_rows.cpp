#include "model_rows.hpp"

#include <utility>

namespace genera::cli {

RowStream rows_for(ClassifierRef model, const Source& source, Purpose purpose, Passes passes) {
  ExpectedRoles roles = roles_for(model, purpose, source.roles.target.name());
  roles.weights = source.roles.weights;
  roles.frequencies = source.roles.frequencies;
  return {source.rows(),
          source.csv,
          std::move(roles),
          {.kept = purpose == Purpose::impute ? Kept(KeptRecords{}) : source.kept,
           .reread = passes == Passes::many}};
}

}  // namespace genera::cli
