// Rows that are unusual for their class, by robust distances that outliers cannot distort.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "data/columns.hpp"
#include "kernel/distributions.hpp"
#include "diagnose/robust_shape.hpp"
#include "diagnose/tests_of_rows.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"

namespace genera::diagnose_detail {
namespace {

using kernel::at;

/// Classes with fewer rows are not tested.
constexpr Index min_rows_by_column = 10;

/// An outlying row by position, before names are added.
struct Far {
  Index position;  // in its class
  double distance, tail;
};

/// Median and robust deviation of each column, for classes that are too small for a covariance.
class ByColumn {
 public:
  explicit ByColumn(const Eigen::MatrixXd& points) : rows_(static_cast<double>(points.cols())) {
    for (Index j = 0; j < points.rows(); ++j) {
      Vector values(points.row(j).begin(), points.row(j).end());
      centres_.push_back(median(values));
      for (double& value : values) value = std::abs(value - centres_.back());
      /// standard deviation divided by median absolute deviation
      constexpr double of_normal = 1.4826;
      deviations_.push_back(of_normal * median(values));
    }
  }

  /// 0 for a column in which more than half of the values are equal.
  [[nodiscard]] double deviations(const Eigen::VectorXd& point, Index j) const {
    return deviations_[at(j)] > 0 ? (point(j) - centres_[at(j)]) / deviations_[at(j)] : 0;
  }
  [[nodiscard]] double largest(const Eigen::VectorXd& point) const {
    double max = 0;
    for (Index j = 0; j < point.size(); ++j) max = std::max(max, std::abs(deviations(point, j)));
    return max;
  }
  /// Probability that any column deviates this much. The median absolute deviation is as precise as
  /// the standard deviation of 37 % of the rows.
  [[nodiscard]] double tail(double deviations) const {
    constexpr double efficiency = 0.37;
    const auto columns = static_cast<double>(centres_.size());
    return std::min(1.0,
                    columns * kernel::student_tails(deviations, std::max(1.0, efficiency * rows_)));
  }

 private:
  static double median(Vector values) {
    const auto middle = values.begin() + std::ssize(values) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  }
  Vector centres_, deviations_;
  double rows_;
};

/// The robust estimate used for a class.
struct Judge {
  std::optional<RobustShape> shape;
  std::optional<ByColumn> columns;
  std::vector<Far> far;
};

Judge judge_of(const ClassRows& of, const ClassScatters& scatters, Index k, std::uint64_t seed,
               double min_tail) {
  Judge judge;
  if (scatters.singular_class(k).empty())
    judge.shape = RobustShape::of(of.points, Rng(seed).split(static_cast<std::uint64_t>(k)));
  if (!judge.shape && of.points.cols() >= min_rows_by_column) judge.columns.emplace(of.points);
  Eigen::VectorXd distances;
  if (judge.shape) distances = judge.shape->squared_distances(of.points);
  for (Index i = 0; i < of.points.cols() && (judge.shape || judge.columns); ++i) {
    Far row{i, 0, 1};
    if (judge.shape) {
      row.distance = distances(i);
      row.tail = judge.shape->tail(row.distance);
    } else {
      const double max = judge.columns->largest(of.points.col(i));
      row.distance = max * max;
      row.tail = judge.columns->tail(max);
    }
    if (row.tail < min_tail) judge.far.push_back(row);
  }
  return judge;
}

/// Adds names to outlying rows.
class Naming {
 public:
  Naming(const Rows& rows, const std::vector<ClassRows>& classes, const ClassScatters& scatters,
         const std::vector<Judge>& judges)
      : rows_(rows),
        columns_(rows.data(), data::number_places(rows.data(), scatters.columns)),
        classes_(classes),
        scatters_(scatters),
        judges_(judges) {}

  [[nodiscard]] OutlyingRow operator()(Index k, const Far& far) const {
    const ClassRows& of = classes_[at(k)];
    const Eigen::VectorXd point = of.points.col(far.position);
    OutlyingRow named{.row = of.rows[at(far.position)],
                      .name = scatters_.classes[at(k)],
                      .distance = far.distance,
                      .tail = far.tail};
    if (!rows_.data().lines.empty()) named.line = rows_.id(named.row);
    named.place = rows_.place(named.row);
    const Eigen::VectorXd deviations = deviations_of(k, point);
    Index column = 0;
    deviations.cwiseAbs().maxCoeff(&column);
    named.column = scatters_.columns[at(column)];
    named.deviations = deviations(column);
    named.value = columns_(named.row, column);
    named.fits = other_class(k, point);
    return named;
  }

 private:
  [[nodiscard]] Eigen::VectorXd deviations_of(Index k, const Eigen::VectorXd& point) const {
    const Judge& judge = judges_[at(k)];
    if (judge.shape) return judge.shape->conditional_deviations(point);
    Eigen::VectorXd deviations(point.size());
    for (Index j = 0; j < point.size(); ++j) deviations(j) = judge.columns->deviations(point, j);
    return deviations;
  }

  /// The class to which the row is nearest, if it is not unusual for that class.
  [[nodiscard]] std::string other_class(Index k, const Eigen::VectorXd& point) const {
    constexpr double usual = 0.05;
    double best = usual;
    std::string name;
    for (Index other = 0; other < scatters_.size(); ++other) {
      if (other == k || !judges_[at(other)].shape) continue;
      const RobustShape& shape = *judges_[at(other)].shape;
      const Eigen::VectorXd there =
          point + (scatters_.offsets.row(k) - scatters_.offsets.row(other)).transpose();
      const double tail = shape.tail(shape.squared_distances(there)(0));
      if (!(tail > best)) continue;
      best = tail;
      name = scatters_.classes[at(other)];
    }
    return name;
  }

  const Rows& rows_;
  data::NumberColumns columns_;
  const std::vector<ClassRows>& classes_;
  const ClassScatters& scatters_;
  const std::vector<Judge>& judges_;
};

Advice meaning_of(const Outliers& found) {
  if (found.count == 0)
    return found.tested > 0 ? "no row pulls the means and covariances"
                            : "look at the rows yourself";
  const double part = static_cast<double>(found.count) / static_cast<double>(found.tested);
  if (part > 0.02)
    return {
        "too many for single errors: the tails are heavier than Gaussian, or a class has "
        "several groups ({})",
        {{"model", {"mda"}}}};
  return "they pull means and covariances: correct or leave out what is wrong";
}

}  // namespace

Finding<Outliers> find_outliers(const Rows& rows, const std::vector<ClassRows>& classes,
                                const ClassScatters& scatters, const DiagnosisOptions& options,
                                const Control& control) {
  Outliers found{.level = options.outlier_level};
  if (scatters.dimension() == 0) return {{}, scatters.singular, meaning_of(found)};
  Index all = 0;
  for (const ClassRows& of : classes) all += of.points.cols();
  const double min_tail = options.outlier_level / static_cast<double>(std::max<Index>(1, all));
  std::vector<Judge> judges(classes.size());
  kernel::parallel_for(std::ssize(classes), control.threads, [&](Index k) {
    judges[at(k)] = judge_of(classes[at(k)], scatters, k, options.seed, min_tail);
  });
  std::vector<std::pair<Index, Far>> far;
  for (Index k = 0; k < std::ssize(classes); ++k) {
    const Judge& judge = judges[at(k)];
    const std::string& name = scatters.classes[at(k)];
    if (judge.shape || judge.columns) found.tested += classes[at(k)].points.cols();
    if (judge.columns) found.classes_by_column.push_back(name);
    if (!judge.shape && !judge.columns) found.classes_left_out.push_back(name);
    for (const Far& row : judge.far) far.emplace_back(k, row);
  }
  std::ranges::stable_sort(far, [](const auto& a, const auto& b) {
    return std::pair(a.second.tail, -a.second.distance) <
           std::pair(b.second.tail, -b.second.distance);
  });
  found.count = std::ssize(far);
  const Naming name(rows, classes, scatters, judges);
  for (const auto& [k, row] : far) {
    if (std::ssize(found.rows) == options.max_outliers) break;
    found.rows.push_back(name(k, row));
  }
  Finding<Outliers> finding;
  finding.meaning = meaning_of(found);
  if (found.tested == 0)
    finding.why_not = fmt::format("no class has {} rows", min_rows_by_column);
  else
    finding.result = std::move(found);
  return finding;
}

}  // namespace genera::diagnose_detail
