#include "figure/shown.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <genera/impute.hpp>
#include <genera/query.hpp>

#include "data/columns.hpp"
#include "kernel/index.hpp"
#include "kernel/infinity.hpp"
#include "kernel/text.hpp"
#include "score/linear/features.hpp"
#include "score/temperature.hpp"
#include "figure/shown_committee.hpp"

namespace genera::figure {
namespace {

using kernel::at;

std::vector<std::string> other_features(ClassifierRef model, const std::vector<std::string>& axes) {
  std::vector<std::string> names;
  for (const Column& column : model.features())
    if (std::ranges::find(axes, column.name) == axes.end()) names.push_back(column.name);
  return names;
}

std::string the_others(const std::vector<std::string>& names) {
  constexpr std::size_t max_named = 3;
  if (names.size() > max_named) return fmt::format("the other {} features", names.size());
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

Matrix tempered_rows(ClassifierRef model, Matrix scores) {
  if (model.temperature() == 1) return scores;
  for (Index i = 0; i < scores.rows(); ++i) {
    const Vector row = score::tempered(model, scores.row(i));
    std::ranges::copy(row, scores.row(i).begin());
  }
  return scores;
}

/// A joint distribution: features that are not shown are missing, and so marginalised.
class ShownModel : public Shown {
 public:
  ShownModel(const Model& model, const std::vector<std::string>& axes, Others others,
             const Control& control)
      : model_(model),
        axes_(axes),
        others_(others),
        threads_{control.threads, {}},
        hidden_(other_features(model, axes)) {}

  [[nodiscard]] Matrix scores(const Matrix& points) const override {
    return tempered_rows(model_, by_chunks(points, true));
  }
  [[nodiscard]] Matrix log_joint(const Matrix& points) const override {
    return by_chunks(points, false);
  }
  [[nodiscard]] std::string about_others() const override {
    if (hidden_.empty()) return {};
    const std::string which = the_others(hidden_);
    const char* is = hidden_.size() > 1 ? "are" : "is";
    return others_ == Others::marginal
               ? fmt::format("{} {} marginalised", which, is)
               : fmt::format("{} {} where expected given the features shown", which, is);
  }

 private:
  /// Uses small chunks if rows are completed, since each then has all columns.
  [[nodiscard]] Matrix by_chunks(const Matrix& points, bool complete) const {
    const bool filled = complete && others_ == Others::mean && !hidden_.empty();
    const Index max = filled ? 8192 : std::max<Index>(points.rows(), 1);
    Matrix all(points.rows(), std::ssize(model_.classes()));
    for (Index begin = 0; begin < points.rows(); begin += max) {
      const Index end = std::min(points.rows(), begin + max);
      const Matrix part = asked(points, begin, end, filled);
      std::copy(part.data(), part.data() + part.rows() * part.columns(), all.row(begin).data());
    }
    return all;
  }

  [[nodiscard]] Matrix asked(const Matrix& points, Index begin, Index end, bool filled) const {
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    const std::int32_t no_level = -1;
    const auto count = at(end - begin);
    const std::vector<std::int64_t> begins(count + 1, 0);
    const std::vector<std::uint8_t> missing(count, 1);
    DataView view;
    view.rows = end - begin;
    for (const Column& column : model_.features()) {
      view.columns.push_back(column);
      const auto shown = std::ranges::find(axes_, column.name);
      if (column.type == ColumnType::text) {
        SparseView text;
        text.name = column.name;
        text.text_options = model_.text_options();
        text.begins = begins.data();
        text.places = begins.data();
        text.values = &nothing;
        text.missing = missing.data();
        view.sparse.push_back(text);
      } else if (data::kept_as_code(column.type)) {
        view.codes.emplace_back(&no_level, std::span<const std::string>{}, 0);
      } else if (shown != axes_.end()) {
        const double* first = points.data() + begin * points.columns() + (shown - axes_.begin());
        view.numbers.emplace_back(first, 1, Strides{points.columns(), 1});
      } else {
        view.numbers.emplace_back(&nothing, 1, Strides{0, 0});
      }
    }
    const Rows rows(std::move(view));
    const WantedAnswers wanted{.log_joint = true};
    if (!filled) return answers(model_, rows, wanted, threads_).log_joint;
    return answers(model_, impute(model_, rows, {}, threads_).table, wanted, threads_).log_joint;
  }

  const Model& model_;
  std::vector<std::string> axes_;
  Others others_;
  Control threads_;  ///< without progress, which would describe one of many calls
  std::vector<std::string> hidden_;
};

/// A linear model of the numeric features; the others are folded into the intercepts at their
/// means.
struct OfNumbers {
  LinearModel model;
  Vector means;        ///< of its columns
  bool known = false;  ///< true if these are the training means
};

/// For softmax regression; complement naive Bayes has only counts.
OfNumbers only_numbers_of(const LinearModel& whole) {
  const auto* p = &std::get<LogisticParameters>(whole.parameters());
  LogisticParameters kept{.features = {}, .intercepts = p->intercepts, .counts = p->counts};
  const Index classes = std::ssize(p->intercepts);
  std::vector<Index> columns;
  Vector means;
  Index first = 0;
  for (const LinearFeatures& part : p->features) {
    const Index count = std::ssize(names_of(part));
    const auto numbers = score::numeric_features(part);
    const bool products = numbers && numbers->are_products();
    const bool centred = numbers && !products && !numbers->centres.empty();
    const bool stays = score::are_measurements(part);
    for (Index j = first; j < first + count; ++j) {
      const double centre = centred ? numbers->centres[at(j - first)] : 0;
      const double mean = p->means.empty() ? centre : p->means[at(j)];
      if (stays) columns.push_back(j);
      if (stays && !products) means.push_back(mean);
      for (Index k = 0; !stays && k < classes; ++k)
        kept.intercepts[at(k)] += p->coefficients(k, j) * (mean - centre);
    }
    if (stays) kept.features.push_back(part);
    first += count;
  }
  kept.coefficients = Matrix(classes, std::ssize(columns));
  for (Index k = 0; k < classes; ++k) {
    for (Index j = 0; j < std::ssize(columns); ++j)
      kept.coefficients(k, j) = p->coefficients(k, columns[at(j)]);
  }
  LinearModel model(whole.classes(), whole.prior(), std::move(kept), whole.target());
  return {std::move(model).with_temperature(whole.temperature()), std::move(means),
          !p->means.empty()};
}

class ShownLinearModel : public Shown {
 public:
  ShownLinearModel(const LinearModel& model, const std::vector<std::string>& axes,
                   const Control& control)
      : threads_{control.threads, {}},
        hidden_(other_features(model, axes)),
        numbers_(only_numbers_of(model)) {
    for (const std::string& axis : axes) {
      const auto& columns = numbers_.model.features();
      const auto found = std::ranges::find(columns, axis, &Column::name);
      places_.push_back(found - columns.begin());
    }
  }

  [[nodiscard]] Matrix scores(const Matrix& points) const override {
    Matrix rows(points.rows(), std::ssize(numbers_.means));
    for (Index i = 0; i < rows.rows(); ++i) {
      std::ranges::copy(numbers_.means, rows.row(i).begin());
      for (std::size_t a = 0; a < places_.size(); ++a)
        rows(i, places_[a]) = points(i, static_cast<Index>(a));
    }
    const WantedAnswers wanted{.log_joint = true};
    return tempered_rows(numbers_.model, answers(numbers_.model, rows, wanted, threads_).log_joint);
  }
  [[nodiscard]] Matrix log_joint(const Matrix&) const override {
    throw Error(Errc::bad_model, "a linear model has no density",
                "use a generative model, such as lda");
  }
  [[nodiscard]] std::string about_others() const override {
    if (hidden_.empty()) return {};
    return fmt::format("{} {} at {}", the_others(hidden_), hidden_.size() > 1 ? "are" : "is",
                       numbers_.known ? hidden_.size() > 1 ? "their means in the training rows"
                                                           : "its mean in the training rows"
                                      : "the centres of the model, which has kept no means");
  }

 private:
  Control threads_;
  std::vector<std::string> hidden_;
  OfNumbers numbers_;
  std::vector<Index> places_;
};

/// Product of independent blocks: each component of one with each of the other, over `axes`.
std::vector<blocks::Normal> product(const std::vector<blocks::Normal>& some,
                                    const std::vector<blocks::Normal>& more,
                                    const std::vector<Index>& axes) {
  std::vector<blocks::Normal> all;
  for (const blocks::Normal& one : some) {
    for (const blocks::Normal& other : more) {
      if (one.of_class != other.of_class) continue;
      blocks::Normal both = one;
      both.weight *= other.weight;
      both.approximate = one.approximate || other.approximate;
      for (Index i = 0; i < std::ssize(axes); ++i) {
        both.mean[at(axes[at(i)])] = other.mean[at(i)];
        for (Index j = 0; j < std::ssize(axes); ++j)
          both.covariance(axes[at(i)], axes[at(j)]) = other.covariance(i, j);
      }
      all.push_back(std::move(both));
    }
  }
  return all;
}

}  // namespace

std::vector<std::string> numeric_features(ClassifierRef model) {
  if (const Committee* committee = model.committee()) return numeric_features_of(*committee);
  std::vector<std::string> names;
  const auto add = [&](const std::vector<Column>& features) {
    for (const Column& column : features)
      if (column.type == ColumnType::numeric) names.push_back(column.name);
  };
  const Model* joint = model.model();
  if (!joint) {
    add(model.features());
    return names;
  }
  for (const Block& block : joint->blocks()) {
    if (!blocks::normals(block, {}).empty())
      add(std::visit([](const auto& known) { return known.features(); }, block));
  }
  return names;
}

FeatureNormals::FeatureNormals(const Model& model) : model_(&model) {
  for (const Block& block : model.blocks()) {
    const std::vector<Column> features =
        std::visit([](const auto& known) { return known.features(); }, block);
    std::unordered_map<std::string, Index>& columns = columns_.emplace_back();
    for (const Column& feature : features) columns.emplace(feature.name, std::ssize(columns));
  }
}

std::vector<blocks::Normal> FeatureNormals::operator()(
    const std::vector<std::string>& names) const {
  std::vector<blocks::Normal> all;
  for (Index k = 0; k < std::ssize(model_->classes()); ++k)
    all.push_back({k, 1, Vector(names.size()), Matrix(std::ssize(names), std::ssize(names))});
  std::size_t found = 0;
  for (std::size_t b = 0; b < columns_.size(); ++b) {
    std::vector<Index> columns, axes;
    for (std::size_t a = 0; a < names.size(); ++a) {
      const auto column = columns_[b].find(names[a]);
      if (column == columns_[b].end()) continue;
      columns.push_back(column->second);
      axes.push_back(static_cast<Index>(a));
    }
    if (columns.empty()) continue;
    found += columns.size();
    all = product(all, blocks::normals(model_->blocks()[b], columns), axes);
  }
  return found == names.size() ? all : std::vector<blocks::Normal>{};
}

std::vector<blocks::Normal> normals(const Model& model, const std::vector<std::string>& names) {
  return FeatureNormals(model)(names);
}

std::unique_ptr<const Shown> shown(ClassifierRef model, const std::vector<std::string>& axes,
                                   Others others, const Control& control) {
  if (const Committee* committee = model.committee())
    return shown_committee(*committee, axes, others, control);
  if (const Model* joint = model.model())
    return std::make_unique<ShownModel>(*joint, axes, others, control);
  return std::make_unique<ShownLinearModel>(*model.linear(), axes, control);
}

Matrix softmax(const Matrix& scores, const Vector& impossible) {
  Matrix probabilities(scores.rows(), scores.columns());
  for (Index i = 0; i < scores.rows(); ++i) {
    const std::span<const double> row = scores.row(i);
    const std::span<double> to = probabilities.row(i);
    const double max = *std::ranges::max_element(row);
    if (max == -kernel::infinity) {
      std::ranges::copy(impossible, to.begin());
      continue;
    }
    double sum = 0;
    for (std::size_t k = 0; k < row.size(); ++k) sum += to[k] = std::exp(row[k] - max);
    for (double& p : to) p /= sum;
  }
  return probabilities;
}

}  // namespace genera::figure
