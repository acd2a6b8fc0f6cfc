#include <genera/diagnosis.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "data.hpp"
#include "laboratory.hpp"
#include "run.hpp"

namespace genera::python {
namespace {

/// prefix + f, df1, df2 and p; None without a test.
void add_f(nb::dict& to, const std::string& prefix, const FTest* test) {
  const auto figure = [&](const char* name, double FTest::*which) {
    to[(prefix + name).c_str()] = test ? nb::cast(test->*which) : nb::none();
  };
  figure("f", &FTest::f);
  figure("df1", &FTest::df1);
  figure("df2", &FTest::df2);
  figure("p", &FTest::p);
}

void add_chi_square(nb::dict& to, const std::string& prefix, const ChiSquareTest* test) {
  const auto figure = [&](const char* name, double ChiSquareTest::*which) {
    to[(prefix + name).c_str()] = test ? nb::cast(test->*which) : nb::none();
  };
  figure("chi2", &ChiSquareTest::chi2);
  figure("df", &ChiSquareTest::df);
  figure("p", &ChiSquareTest::p);
}

/// A member of the result, if there is one.
template <class T>
nb::object figure(const Finding<T>& finding, double T::*which) {
  return finding.result ? nb::cast((*finding.result).*which) : nb::none();
}

template <class T>
nb::dict finished(nb::dict to, const Finding<T>& finding) {
  to["why_not"] = finding.result ? nb::none() : nb::cast(finding.why_not);
  to["meaning"] = sentence(finding.meaning);
  return to;
}

nb::dict dict_of(const Finding<WilksTest>& finding) {
  const auto& found = finding.result;
  nb::dict to;
  to["lambda"] = found ? nb::cast(found->lambda()) : nb::none();
  to["log_lambda"] = figure(finding, &WilksTest::log_lambda);
  add_f(to, "", found ? &found->test : nullptr);
  to["exact"] = found ? nb::cast(found->exact) : nb::none();
  return finished(std::move(to), finding);
}

nb::dict dict_of(const CanonicalVariate& variate) {
  nb::dict to;
  to["eigenvalue"] = variate.eigenvalue;
  to["proportion"] = variate.proportion;
  to["correlation"] = variate.correlation;
  add_chi_square(to, "", &variate.test);
  to["coefficients"] = nb::cast(variate.coefficients);
  to["meaning"] = sentence(variate.meaning);
  return to;
}

nb::dict dict_of(const Finding<BoxTest>& finding) {
  const auto& found = finding.result;
  nb::dict to;
  to["m"] = figure(finding, &BoxTest::m);
  add_chi_square(to, "", found ? &found->chi_square : nullptr);
  const FTest* f = found && found->f ? &*found->f : nullptr;
  to["f"] = f ? nb::cast(f->f) : nb::none();
  to["f_df1"] = f ? nb::cast(f->df1) : nb::none();
  to["f_df2"] = f ? nb::cast(f->df2) : nb::none();
  to["f_p"] = f ? nb::cast(f->p) : nb::none();
  to["bic_gain"] = figure(finding, &BoxTest::bic_gain);
  to["classes_left_out"] = list_of(found ? found->classes_left_out : std::vector<std::string>());
  return finished(std::move(to), finding);
}

nb::dict dict_of(const ClassNormality& of) {
  const auto& found = of.mardia.result;
  nb::dict to;
  to["class"] = of.name;
  to["rows"] = figure(of.mardia, &MardiaTest::rows);
  to["skewness"] = figure(of.mardia, &MardiaTest::skewness);
  add_chi_square(to, "skewness_", found ? &found->skew : nullptr);
  to["kurtosis"] = figure(of.mardia, &MardiaTest::kurtosis);
  to["kurtosis_z"] = figure(of.mardia, &MardiaTest::kurtosis_z);
  to["kurtosis_p"] = figure(of.mardia, &MardiaTest::kurtosis_p);
  return finished(std::move(to), of.mardia);
}

nb::dict dict_of(const FeatureTest& feature) {
  nb::dict to;
  to["column"] = feature.name;
  add_f(to, "", &feature.alone);
  add_f(to, "partial_", feature.given_others ? &*feature.given_others : nullptr);
  to["inflation"] = optional_of(feature.inflation);
  to["meaning"] = sentence(feature.meaning);
  return to;
}

nb::dict dict_of(const NearDependence& set) {
  nb::dict to;
  to["condition_index"] = set.condition_index;
  to["columns"] = list_of(set.columns);
  to["loadings"] = nb::cast(set.loadings);
  to["meaning"] = sentence(set.meaning);
  return to;
}

nb::dict dict_of(const OutlyingRow& row) {
  nb::dict to;
  to["row"] = row.row;
  to["class"] = row.name;
  to["distance"] = row.distance;
  to["tail"] = row.tail;
  to["column"] = row.column;
  to["value"] = row.value;
  to["deviations"] = row.deviations;
  to["fits"] = row.fits.empty() ? nb::none() : nb::cast(row.fits);
  return to;
}

nb::dict dict_of(const ColumnLeftOut& column) {
  nb::dict to;
  to["name"] = column.name;
  to["reason"] = std::string(name_of(column.reason));
  to["why"] = column.why;
  return to;
}

template <class Items>
nb::list dicts_of(const Items& items) {
  nb::list all;
  for (const auto& item : items) all.append(dict_of(item));
  return all;
}

nb::dict dict_of(const Finding<Collinearity>& finding) {
  nb::dict to;
  to["condition"] = figure(finding, &Collinearity::condition);
  to["sets"] = finding.result ? dicts_of(finding.result->sets) : nb::list();
  return finished(std::move(to), finding);
}

nb::dict dict_of(const Finding<Outliers>& finding) {
  const Outliers found = finding.result.value_or(Outliers{});
  nb::dict to;
  to["level"] = figure(finding, &Outliers::level);
  to["tested"] = found.tested;
  to["count"] = found.count;
  to["rows"] = dicts_of(found.rows);
  to["classes_by_column"] = list_of(found.classes_by_column);
  to["classes_left_out"] = list_of(found.classes_left_out);
  return finished(std::move(to), finding);
}

nb::dict dict_of(const Diagnosis& diagnosis) {
  nb::list classes;
  for (std::size_t k = 0; k < diagnosis.classes.size(); ++k) {
    nb::dict one;
    one["name"] = diagnosis.classes[k];
    one["weight"] = diagnosis.counts[k];
    classes.append(one);
  }
  nb::dict to;
  to["rows"] = diagnosis.rows;
  to["rows_left_out"] = diagnosis.rows_left_out;
  to["classes"] = classes;
  to["columns"] = list_of(diagnosis.columns);
  to["columns_left_out"] = dicts_of(diagnosis.columns_left_out);
  to["wilks"] = dict_of(diagnosis.means);
  to["variates"] = dicts_of(diagnosis.variates);
  to["box"] = dict_of(diagnosis.covariances);
  to["mardia"] = dicts_of(diagnosis.normality);
  to["features"] = dicts_of(diagnosis.features);
  to["collinearity"] = dict_of(diagnosis.collinearity);
  to["outliers"] = dict_of(diagnosis.outliers);
  add_notes(to, diagnosis.notes);
  return to;
}

nb::dict diagnose_data(const Data& data, Index outliers, std::uint64_t seed, nb::handle threads,
                       const nb::object& tell) {
  const DiagnosisOptions options{.most_outliers = outliers, .seed = seed};
  const Rows rows = data.view();
  return dict_of(run(Work::lasting, threads_of(threads), tell,
                     [&](const Control& control) { return diagnose(rows, options, control); }));
}

}  // namespace

void bind_diagnosis(nb::module_& module) {
  module.def("diagnose", &diagnose_data, nb::arg("data"), nb::arg("outliers"), nb::arg("seed"),
             nb::arg("threads") = nb::none(), nb::arg("tell") = nb::none(),
             "What the numbers say about the choice of a model.");
  module.def("diagnose_statistics",
             [](const Statistics& statistics) { return dict_of(diagnose(statistics)); });
}

}  // namespace genera::python
