#include "model_rows.hpp"

namespace genera::cli {

RowStream rows_for(ClassifierRef model, const Source& source, Purpose purpose, Passes passes) {
  return {source.data,
          source.csv,
          roles_for(model, purpose, source.roles.target.name()),
          {.kept = purpose == Purpose::impute ? Kept(KeptRecords{}) : source.kept,
           .reread = passes == Passes::several}};
}

}  // namespace genera::cli
