#include "show/diagnosis_output.hpp"

#include "lists.hpp"
#include "show/json.hpp"

namespace genera::cli {
namespace {

Json number_of(const std::optional<double>& value) { return value ? Json::number(*value) : Json(); }

Json meaning_json(const Advice& meaning) { return in_words(meaning, as_typed); }

/// The members `prefix`f, `prefix`df1, …, null if there is no test.
void add_f(Json& to, const std::string& prefix, const std::optional<FTest>& test) {
  const auto figure = [&](double FTest::*which) {
    return test ? Json::number((*test).*which) : Json();
  };
  to.add(prefix + "f", figure(&FTest::f))
      .add(prefix + "df1", figure(&FTest::df1))
      .add(prefix + "df2", figure(&FTest::df2))
      .add(prefix + "p", figure(&FTest::p));
}

void add_chi_square(Json& to, const std::string& prefix, const std::optional<ChiSquareTest>& test) {
  const auto figure = [&](double ChiSquareTest::*which) {
    return test ? Json::number((*test).*which) : Json();
  };
  to.add(prefix + "chi2", figure(&ChiSquareTest::chi2))
      .add(prefix + "df", figure(&ChiSquareTest::df))
      .add(prefix + "p", figure(&ChiSquareTest::p));
}

template <class T>
Json finished(Json json, const Finding<T>& finding) {
  json.add("why_not", finding.result ? Json() : Json(finding.why_not))
      .add("meaning", meaning_json(finding.meaning));
  return json;
}

/// A member of the result, if there is one.
template <class T>
Json figure(const Finding<T>& finding, double T::*which) {
  return finding.result ? Json::number((*finding.result).*which) : Json();
}

Json wilks_json(const Finding<WilksTest>& finding) {
  Json json = Json::object();
  const auto& found = finding.result;
  json.add("lambda", found ? Json::number(found->lambda()) : Json())
      .add("log_lambda", figure(finding, &WilksTest::log_lambda));
  add_f(json, "", found ? std::optional(found->test) : std::nullopt);
  json.add("exact", found ? Json(found->exact) : Json());
  return finished(std::move(json), finding);
}

Json variate_json(const CanonicalVariate& variate) {
  Json json = Json::object();
  json.add("eigenvalue", Json::number(variate.eigenvalue))
      .add("proportion", Json::number(variate.proportion))
      .add("correlation", Json::number(variate.correlation));
  add_chi_square(json, "", variate.test);
  json.add("coefficients", Json::numbers(variate.coefficients))
      .add("meaning", meaning_json(variate.meaning));
  return json;
}

Json box_json(const Finding<BoxTest>& finding) {
  Json json = Json::object();
  const auto& found = finding.result;
  json.add("m", figure(finding, &BoxTest::m));
  add_chi_square(json, "", found ? std::optional(found->chi_square) : std::nullopt);
  const std::optional<FTest> f = found ? found->f : std::nullopt;
  json.add("f", f ? Json::number(f->f) : Json())
      .add("f_df1", f ? Json::number(f->df1) : Json())
      .add("f_df2", f ? Json::number(f->df2) : Json())
      .add("f_p", f ? Json::number(f->p) : Json());
  json.add("bic_gain", figure(finding, &BoxTest::bic_gain))
      .add("classes_left_out",
           Json::texts(found ? found->classes_left_out : std::vector<std::string>()));
  return finished(std::move(json), finding);
}

Json mardia_json(const ClassNormality& of) {
  Json json = Json::object();
  const auto& found = of.mardia.result;
  json.add("class", of.name)
      .add("rows", figure(of.mardia, &MardiaTest::rows))
      .add("skewness", figure(of.mardia, &MardiaTest::skewness));
  add_chi_square(json, "skewness_", found ? std::optional(found->skew) : std::nullopt);
  json.add("kurtosis", figure(of.mardia, &MardiaTest::kurtosis))
      .add("kurtosis_z", figure(of.mardia, &MardiaTest::kurtosis_z))
      .add("kurtosis_p", figure(of.mardia, &MardiaTest::kurtosis_p));
  return finished(std::move(json), of.mardia);
}

Json feature_json(const FeatureTest& feature) {
  Json json = Json::object();
  json.add("column", feature.name);
  add_f(json, "", feature.alone);
  add_f(json, "partial_", feature.given_others);
  json.add("inflation", number_of(feature.inflation)).add("meaning", meaning_json(feature.meaning));
  return json;
}

Json collinearity_json(const Finding<Collinearity>& finding) {
  Json sets = Json::array();
  for (std::size_t i = 0; finding.result && i < finding.result->sets.size(); ++i) {
    const NearDependence& set = finding.result->sets[i];
    sets.push(Json::object()
                  .add("condition_index", Json::number(set.condition_index))
                  .add("columns", Json::texts(set.columns))
                  .add("loadings", Json::numbers(set.loadings))
                  .add("meaning", meaning_json(set.meaning)));
  }
  return finished(Json::object()
                      .add("condition", figure(finding, &Collinearity::condition))
                      .add("sets", std::move(sets)),
                  finding);
}

Json outlier_json(const OutlyingRow& row) {
  return Json::object()
      .add("place", row.place)
      .add("line", row.line > 0 ? Json(Index{row.line}) : Json())
      .add("class", row.name)
      .add("distance", Json::number(row.distance))
      .add("tail", Json::number(row.tail))
      .add("column", row.column)
      .add("value", Json::number(row.value))
      .add("deviations", Json::number(row.deviations))
      .add("fits", row.fits.empty() ? Json() : Json(row.fits));
}

Json outliers_json(const Finding<Outliers>& finding) {
  const Outliers found = finding.result.value_or(Outliers{});
  Json rows = Json::array();
  for (const OutlyingRow& row : found.rows) rows.push(outlier_json(row));
  return finished(Json::object()
                      .add("level", figure(finding, &Outliers::level))
                      .add("tested", found.tested)
                      .add("count", found.count)
                      .add("rows", std::move(rows))
                      .add("classes_by_column", Json::texts(found.classes_by_column))
                      .add("classes_left_out", Json::texts(found.classes_left_out)),
                  finding);
}

template <class Items, class Make>
Json list_of(const Items& items, Make make) {
  Json array = Json::array();
  for (const auto& item : items) array.push(make(item));
  return array;
}

}  // namespace

std::string diagnosis_json(const Diagnosis& diagnosis) {
  Json classes = Json::array();
  for (std::size_t k = 0; k < diagnosis.classes.size(); ++k)
    classes.push(Json::object()
                     .add("name", diagnosis.classes[k])
                     .add("weight", Json::number(diagnosis.counts[k])));
  const auto unused = [](const ColumnLeftOut& column) {
    return Json::object()
        .add("name", column.name)
        .add("reason", name_of(column.reason))
        .add("why", column.why);
  };
  return Json::object()
      .add("rows", diagnosis.rows)
      .add("rows_left_out", diagnosis.rows_left_out)
      .add("classes", std::move(classes))
      .add("columns", Json::texts(diagnosis.columns))
      .add("columns_left_out", list_of(diagnosis.columns_left_out, unused))
      .add("wilks", wilks_json(diagnosis.means))
      .add("variates", list_of(diagnosis.variates, variate_json))
      .add("box", box_json(diagnosis.covariances))
      .add("mardia", list_of(diagnosis.normality, mardia_json))
      .add("features", list_of(diagnosis.features, feature_json))
      .add("collinearity", collinearity_json(diagnosis.collinearity))
      .add("outliers", outliers_json(diagnosis.outliers))
      .document();
}

}  // namespace genera::cli
