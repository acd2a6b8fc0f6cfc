// Every figure of every model of every kind of data: a figure, or an error that says what to do.
#include <cmath>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "support/every_model.hpp"
#include "support/problems.hpp"

namespace genera::figures_test {
namespace {

bool all_finite(const Matrix& values) {
  for (Index i = 0; i < values.rows(); ++i) {
    for (const double value : values.row(i))
      if (!std::isfinite(value)) return false;
  }
  return true;
}
bool all_finite(const figure::Frame& frame) {
  for (const figure::Axis& axis : frame.axes)
    if (!(axis.range.low < axis.range.high)) return false;
  return true;
}

/// True if a figure has no numbers that are infinite or NaN.
using Figure = std::function<bool(const Classifier&, const Rows&, const figure::Options&)>;

const Model& joint_of(const Classifier& model) {
  const Model* joint = ClassifierRef(model).model();
  if (!joint) throw Error(Errc::bad_model, "no density", "the caller refuses it");
  return *joint;
}

std::map<std::string, Figure> figures() {
  const auto finite = [](const auto& figure) {
    return all_finite(figure.frame) && all_finite(figure.posterior);
  };
  return {
      {"regions", [=](auto& m, auto&, auto& o) { return finite(regions(m, nullptr, o)); }},
      {"regions of rows", [=](auto& m, auto& r, auto& o) { return finite(regions(m, &r, o)); }},
      {"regions at means",
       [=](auto& m, auto& r, figure::Options o) {
         o.others = figure::Others::mean;
         return finite(regions(m, &r, o));
       }},
      {"line", [=](auto& m, auto&, auto& o) { return finite(line(m, nullptr, o)); }},
      {"line of rows",
       [=](auto& m, auto& r, auto& o) {
         return finite(line(m, &r, o, figure::Range{0, 1}));
       }},
      {"line of samples",
       [=](auto& m, auto& r, auto& o) {
         return finite(line_of_samples(joint_of(m), &r, Rng(1), o));
       }},
      {"density",
       [](auto& m, auto&, auto& o) { return all_finite(density(joint_of(m), nullptr, o).joint); }},
      {"solid",
       [](auto& m, auto& r, auto& o) { return all_finite(solid(joint_of(m), &r, o).frame); }},
      {"samples", [](auto& m, auto& r,
                     auto& o) { return all_finite(samples(joint_of(m), &r, Rng(1), o).frame); }},
      {"pairs", [](auto& m, auto& r, auto& o) { return all_finite(pairs(m, r, o).frame); }},
      {"canonical", [](auto& m, auto& r, auto& o) { return all_finite(canonical(m, r, o).means); }},
      {"confusion", [](auto& m, auto& r,
                       auto&) { return all_finite(figure::confusion(evaluate(m, r)).shares); }},
      {"reliability",
       [](auto& m, auto& r, auto&) {
         return std::isfinite(figure::reliability(evaluate(m, r)).error);
       }},
      {"roc",
       [](auto& m, auto& r, auto&) { return std::isfinite(figure::roc(m, r).curves[0].area); }},
      {"features",
       [](auto& m, auto&, auto&) { return !figure::features(m).frame.classes.empty(); }},
      {"scatter", [](auto&, auto& r, auto& o) { return all_finite(scatter(r, o).frame); }},
  };
}

/// "" if there is a figure or an error with a remedy.
std::string fault_of(const Figure& figure, const Classifier& model, const Rows& rows,
                     const figure::Options& options) {
  try {
    return figure(model, rows, options) ? "" : "numbers that are not finite";
  } catch (const Error& error) {
    const bool complete = *error.what() != '\0' && !in_words(error.hint()).empty();
    return complete ? "" : "an error without a remedy";
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(Figures, OfEveryModelAreFiguresOrErrorsWithARemedy) {
  for (const auto& [kind, table] : testing::every_kind_of_table()) {
    const std::map<std::string, Classifier> models = testing::every_model_of(table);
    EXPECT_GT(models.size(), 5U) << kind;
    for (const auto& [name, model] : models) {
      std::vector<std::vector<std::string>> axes{{}};
      for (const Column& column : ClassifierRef(model).features())
        if (axes.size() < 3) axes.push_back({column.name});
      for (const auto& [title, figure] : figures()) {
        for (const std::vector<std::string>& chosen : axes)
          EXPECT_EQ(fault_of(figure, model, table, {.axes = chosen, .columns = 12, .rows = 9}), "")
              << title << " of " << name << " of " << kind;
      }
    }
  }
}

TEST(Figures, OfThePresenceOfTermsRefuseAxes) {
  const Table table = testing::every_kind_of_table().at("sparse");
  const Model model = fit(table, bernoulli()).model;
  EXPECT_EQ(testing::error_of([&] { (void)figure::regions(model, nullptr); }),
            "the model has no feature that is a number, and the figure takes 2 | fit a Gaussian or "
            "softmax model of more columns of numbers, or choose another kind of figure");
  EXPECT_EQ(testing::error_of([&] { (void)figure::line(model, nullptr, {.axes = {"1"}}); }),
            "the model has no density of '1' | choose another kind of figure");
  EXPECT_FALSE(figure::features(model).evidence.front().empty());
}

}  // namespace
}  // namespace genera::figures_test
