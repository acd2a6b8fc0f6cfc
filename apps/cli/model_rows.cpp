#include "model_rows.hpp"

#include <utility>

namespace genera::cli {

RowStream rows_for(ClassifierRef model, const Source& source, Purpose purpose, Passes passes) {
  ExpectedRoles roles = roles_for(model, purpose, source.roles.target.name());
  roles.weights = source.roles.weights;
  roles.frequencies = source.roles.frequencies;
  return {source.rows(),
          csv_for(model, source),
          std::move(roles),
          {.kept = purpose == Purpose::impute ? Kept(KeptRecords{}) : source.kept,
           .reread = passes == Passes::many}};
}

CsvOptions csv_for(ClassifierRef model, const Source& source) {
  CsvOptions csv = source.csv;
  const bool table = source.rows().format() != genera::Source::Format::svmlight;
  const auto& known = model.origin().missing_tokens;
  if (table && known && !source.tokens_given) csv.missing_tokens = *known;
  return csv;
}

Classifier remembering(const Classifier& model, const Source& source, std::string fingerprint) {
  Origin origin{.target_edges = source.roles.target_edges, .fingerprint = std::move(fingerprint)};
  const bool usual = source.csv.missing_tokens == CsvOptions{}.missing_tokens;
  if (!usual) origin.missing_tokens = source.csv.missing_tokens;
  return std::visit([&](const auto& m) { return Classifier(m.with_origin(origin)); }, model);
}

}  // namespace genera::cli
