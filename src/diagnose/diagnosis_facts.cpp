#include <genera/diagnosis.hpp>

namespace genera {
namespace {

/// A member of the result; null without one.
template <class T, class Member>
Fact::Value member(const std::optional<T>& result, Member T::*which) {
  return result ? Fact::Value((*result).*which) : Fact::Value();
}

Facts f_test(const std::string& prefix, const std::optional<FTest>& test) {
  return {{prefix + "f", member(test, &FTest::f)},
          {prefix + "df1", member(test, &FTest::df1)},
          {prefix + "df2", member(test, &FTest::df2)},
          {prefix + "p", member(test, &FTest::p)}};
}

Facts chi_square(const std::string& prefix, const std::optional<ChiSquareTest>& test) {
  return {{prefix + "chi2", member(test, &ChiSquareTest::chi2)},
          {prefix + "df", member(test, &ChiSquareTest::df)},
          {prefix + "p", member(test, &ChiSquareTest::p)}};
}

template <class T>
Facts finished(Facts all, const Finding<T>& finding) {
  append(all, {{"why_not", finding.result ? Fact::Value() : Fact::Value(finding.why_not)},
               {"meaning", finding.meaning}});
  return all;
}

Facts wilks(const Finding<WilksTest>& finding) {
  const auto& found = finding.result;
  Facts all{{"lambda", found ? Fact::Value(found->lambda()) : Fact::Value()},
            {"log_lambda", member(found, &WilksTest::log_lambda)}};
  append(all, f_test("", found ? std::optional(found->test) : std::nullopt));
  all.push_back({"exact", member(found, &WilksTest::exact)});
  return finished(std::move(all), finding);
}

Facts variate(const CanonicalVariate& variate) {
  Facts all{{"eigenvalue", variate.eigenvalue},
            {"proportion", variate.proportion},
            {"correlation", variate.correlation}};
  append(all, chi_square("", variate.test));
  append(all, {{"coefficients", variate.coefficients}, {"meaning", variate.meaning}});
  return all;
}

Facts box(const Finding<BoxTest>& finding) {
  const auto& found = finding.result;
  Facts all{{"m", member(found, &BoxTest::m)}};
  append(all, chi_square("", found ? std::optional(found->chi_square) : std::nullopt));
  Facts f = f_test("f_", found ? found->f : std::nullopt);
  f.front().key = "f";
  append(all, std::move(f));
  append(all, {{"bic_gain", member(found, &BoxTest::bic_gain)},
               {"classes_left_out", found ? found->classes_left_out : std::vector<std::string>()}});
  return finished(std::move(all), finding);
}

Facts mardia(const ClassNormality& of) {
  const auto& found = of.mardia.result;
  Facts all{{"class", of.name},
            {"rows", member(found, &MardiaTest::rows)},
            {"skewness", member(found, &MardiaTest::skewness)}};
  append(all, chi_square("skewness_", found ? std::optional(found->skew) : std::nullopt));
  append(all, {{"kurtosis", member(found, &MardiaTest::kurtosis)},
               {"kurtosis_z", member(found, &MardiaTest::kurtosis_z)},
               {"kurtosis_p", member(found, &MardiaTest::kurtosis_p)}});
  return finished(std::move(all), of.mardia);
}

Facts feature(const FeatureTest& feature) {
  Facts all{{"column", feature.name}};
  append(all, f_test("", feature.alone));
  append(all, f_test("partial_", feature.given_others));
  append(all, {{"inflation", feature.inflation}, {"meaning", feature.meaning}});
  return all;
}

Facts collinearity(const Finding<Collinearity>& finding) {
  const auto set_facts = [](const NearDependence& set) {
    return Facts{{"condition_index", set.condition_index},
                 {"columns", set.columns},
                 {"loadings", set.loadings},
                 {"meaning", set.meaning}};
  };
  const Collinearity found = finding.result.value_or(Collinearity{});
  return finished({{"condition", member(finding.result, &Collinearity::condition)},
                   {"sets", list_of(found.sets, set_facts)}},
                  finding);
}

Facts outlier(const OutlyingRow& row) {
  return {{"row", row.row},
          {"place", row.place},
          {"line", row.line > 0 ? Fact::Value(row.line) : Fact::Value()},
          {"class", row.name},
          {"distance", row.distance},
          {"tail", row.tail},
          {"column", row.column},
          {"value", row.value},
          {"deviations", row.deviations},
          {"fits", row.fits.empty() ? Fact::Value() : Fact::Value(row.fits)}};
}

Facts outliers(const Finding<Outliers>& finding) {
  const Outliers found = finding.result.value_or(Outliers{});
  return finished({{"level", member(finding.result, &Outliers::level)},
                   {"tested", found.tested},
                   {"count", found.count},
                   {"rows", list_of(found.rows, outlier)},
                   {"classes_by_column", found.classes_by_column},
                   {"classes_left_out", found.classes_left_out}},
                  finding);
}

}  // namespace

Facts facts(const Diagnosis& diagnosis) {
  Fact::List classes;
  for (std::size_t k = 0; k < diagnosis.classes.size(); ++k)
    classes.emplace_back(Facts{{"name", diagnosis.classes[k]}, {"weight", diagnosis.counts[k]}});
  const auto left_out = [](const ColumnLeftOut& column) {
    return Facts{{"name", column.name}, {"reason", name_of(column.reason)}, {"why", column.why}};
  };
  return {{"rows", diagnosis.rows},
          {"rows_left_out", diagnosis.rows_left_out},
          {"classes", std::move(classes)},
          {"columns", diagnosis.columns},
          {"columns_left_out", list_of(diagnosis.columns_left_out, left_out)},
          {"wilks", wilks(diagnosis.means)},
          {"variates", list_of(diagnosis.variates, variate)},
          {"box", box(diagnosis.covariances)},
          {"mardia", list_of(diagnosis.normality, mardia)},
          {"features", list_of(diagnosis.features, feature)},
          {"collinearity", collinearity(diagnosis.collinearity)},
          {"outliers", outliers(diagnosis.outliers)}};
}

}  // namespace genera
