// Softmax regression over partitions: sums of each partition, and the loss from their total.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "fit/linear/newton.hpp"
#include "fit/linear/softmax_plan.hpp"
#include "fit/refuse.hpp"
#include "kernel/index.hpp"
#include "sums/classes.hpp"

namespace genera {
namespace {

using fit_detail::Design;
using kernel::at;
using Kind = SoftmaxRequest::Kind;

/// The lower triangle, row by row.
Vector packed(const Matrix& symmetric) {
  Vector triangle;
  triangle.reserve(at(symmetric.rows() * (symmetric.rows() + 1) / 2));
  for (Index i = 0; i < symmetric.rows(); ++i)
    triangle.insert(triangle.end(), symmetric.row(i).begin(), symmetric.row(i).begin() + i + 1);
  return triangle;
}

Matrix unpacked(const Vector& triangle, Index size) {
  Matrix lower(size, size);
  auto next = triangle.begin();
  for (Index i = 0; i < size; ++i) {
    for (Index j = 0; j <= i; ++j) lower(i, j) = *next++;
  }
  return lower;
}

void require_size(const Vector& given, Index size, const char* what) {
  if (std::ssize(given) != size)
    throw Error(
        Errc::bad_argument,
        fmt::format("'{}' of a request has {} numbers, expected {}", what, given.size(), size),
        "prepare every partition from the layout of the plan that is fitted");
}

/// Newton's method needs no larger matrix; a larger request would only exhaust the memory.
void refuse_large(const char* matrix, Index size, Index max) {
  if (size <= max) return;
  throw Error(Errc::bad_argument,
              fmt::format("{} has {} rows, but at most {} are needed", matrix, size, max),
              "send the requests of fit_softmax");
}

/// The means of all parts; checks their sizes and order.
Vector centres_of(const SoftmaxLayout& layout) {
  const auto dense = [&](const SoftmaxPart& part) { return fit_detail::is_dense(part, layout); };
  if (!std::ranges::is_partitioned(layout.parts, dense))
    throw Error(Errc::bad_argument, "a dense part of the layout follows a sparse one",
                "use the layout of plan_softmax");
  Vector centres;
  for (const SoftmaxPart& part : layout.parts) {
    const std::size_t features = names_of(part.features).size();
    if (part.means.size() != features || (!part.scales.empty() && part.scales.size() != features))
      throw Error(Errc::bad_argument,
                  fmt::format("a part of {} features has {} means and {} scales", features,
                              part.means.size(), part.scales.size()),
                  "use the layout of plan_softmax");
    centres.insert(centres.end(), part.means.begin(), part.means.end());
  }
  return centres;
}

/// The loss over all partitions, from the answers to requests. Its columns are centred by their
/// means over all partitions. The columns of the partitions differ by `shift`, because the means of
/// products are known only after the rows were expanded; the constant compensates for it.
class PartitionedLoss final : public fit_detail::SoftmaxLoss {
 public:
  PartitionedLoss(const SoftmaxPlan& plan, const AskPartitions& ask)
      : SoftmaxLoss({.rows = plan.rows,
                     .classes = std::ssize(plan.layout.classes),
                     .numbers = fit_detail::number_columns(plan.layout),
                     .columns = plan.layout.columns(),
                     .class_weights = plan.class_weights,
                     .min_weight = plan.min_weight}),
        ask_(ask),
        shift_(asked({.kind = Kind::column_sums}, shape().columns).sums) {
    weight_ = shift_.front();
    for (double& sum : shift_) sum /= weight_;
    shift_.front() = 0;
  }

  /// The means of the columns of the partitions; 0 for the constant.
  [[nodiscard]] const Vector& shift() const { return shift_; }

  double evaluate(const Vector& x, Vector& gradient) override {
    point_ = shifted(x);
    SoftmaxSums found = asked({.kind = Kind::gradient, .point = point_}, size());
    gradient = centred(std::move(found.sums));
    return found.value;
  }
  void hessian_product(const Vector& along, Vector& out) const override {
    out = centred(
        asked({.kind = Kind::hessian_product, .point = point_, .along = shifted(along)}, size())
            .sums);
  }
  [[nodiscard]] fit_detail::SampledHessian hessian(Index step) const override {
    const SoftmaxSums found =
        asked({.kind = Kind::hessian, .point = point_, .step = step}, size() * (size() + 1) / 2);
    return {centred(unpacked(found.sums, size())), found.value};
  }
  /// Not centred: used only as a preconditioner.
  [[nodiscard]] Vector hessian_diagonal() const override {
    return asked({.kind = Kind::hessian_diagonal, .point = point_}, size()).sums;
  }
  [[nodiscard]] double largest_change(const Vector& along) const override {
    return asked({.kind = Kind::largest_change, .along = shifted(along)}, 1).sums.front();
  }
  [[nodiscard]] Matrix number_scatter() const override {
    const Index d = shape().numbers;
    Matrix scatter = unpacked(asked({.kind = Kind::scatter}, d * (d + 1) / 2).sums, d);
    for (Index i = 0; i < d; ++i) {
      for (Index j = 0; j <= i; ++j) {
        scatter(i, j) -= weight_ * shift_[at(i + 1)] * shift_[at(j + 1)];
        scatter(j, i) = scatter(i, j);
      }
    }
    return scatter;
  }

 private:
  /// Coefficients of the centred columns as coefficients of the columns of the partitions.
  [[nodiscard]] Vector shifted(Vector x) const {
    const Index classes = shape().classes;
    for (Index i = classes; i < size(); ++i)
      x[at(i % classes)] -= shift_[at(i / classes)] * x[at(i)];
    return x;
  }
  /// Turns derivatives by coefficients of the partitions into those by coefficients of the centred
  /// columns.
  [[nodiscard]] Vector centred(Vector derivatives) const {
    const Index classes = shape().classes;
    for (Index i = classes; i < size(); ++i)
      derivatives[at(i)] -= shift_[at(i / classes)] * derivatives[at(i % classes)];
    return derivatives;
  }
  /// The same for the lower triangle of second derivatives.
  [[nodiscard]] Matrix centred(Matrix second) const {
    const Index classes = shape().classes;
    Matrix by_constant(size(), classes);
    for (Index i = 0; i < size(); ++i) {
      for (Index k = 0; k < classes; ++k)
        by_constant(i, k) = second(std::max(i, k), std::min(i, k));
    }
    for (Index i = 0; i < size(); ++i) {
      const double of_i = shift_[at(i / classes)];
      for (Index j = 0; j <= i; ++j) {
        const double of_j = shift_[at(j / classes)];
        second(i, j) -= of_i * by_constant(j, i % classes) + of_j * by_constant(i, j % classes) -
                        of_i * of_j * by_constant(i % classes, j % classes);
      }
    }
    return second;
  }

  [[nodiscard]] SoftmaxSums asked(const SoftmaxRequest& request, Index count) const {
    SoftmaxSums found = ask_(request);
    if (found.kind != request.kind || std::ssize(found.sums) != count)
      throw Error(Errc::bad_data,
                  fmt::format("the answer to '{}' is {} sums of '{}', expected {} of '{}'",
                              name_of(request.kind), found.sums.size(), name_of(found.kind), count,
                              name_of(request.kind)),
                  "merge the answers of all partitions to this request");
    fit_detail::require_all_rows(found.weight, shape().weight());
    return found;
  }

  const AskPartitions& ask_;
  Vector shift_;
  double weight_ = 0;
  Vector point_;  // in the coordinates of the partitions
};

Report report_of(const SoftmaxStatistics& seen) {
  Report report{.dropped_rows = seen.dropped_rows, .unlabelled_left_out = seen.unlabelled_left_out};
  if (seen.dropped_rows > 0)
    report.notes.push_back({fmt::format("{} a missing value or no label and {} dropped",
                                        counted(seen.dropped_rows, "row has", "rows have"),
                                        seen.dropped_rows == 1 ? "is" : "are")});
  if (seen.unlabelled_left_out > 0)
    report.notes.push_back(
        {fmt::format("{} no label in '{}' and {} left out",
                     counted(seen.unlabelled_left_out, "row has", "rows have"),
                     seen.statistics.target(), seen.unlabelled_left_out == 1 ? "is" : "are")});
  return report;
}

/// Their positions in `names`.
std::vector<std::size_t> places_of(const std::vector<std::string>& sought,
                                   const std::vector<std::string>& names) {
  std::vector<std::size_t> places;
  for (const std::string& name : sought)
    places.push_back(static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()));
  return places;
}

}  // namespace

std::string_view name_of(SoftmaxRequest::Kind kind) {
  constexpr std::array<std::string_view, 7> names{
      "column_sums",      "gradient", "hessian_product", "hessian",
      "hessian_diagonal", "scatter",  "largest_change"};
  return names[static_cast<std::size_t>(kind)];
}

Index SoftmaxStatistics::rows() const { return sums::rows_of(statistics); }

void SoftmaxStatistics::merge(const SoftmaxStatistics& other) {
  statistics.merge(other.statistics);
  max_rows = std::max(max_rows, other.max_rows);
  dropped_rows += other.dropped_rows;
  unlabelled_left_out += other.unlabelled_left_out;
  if (!other.min_weight) return;
  const std::vector<std::size_t> from =
      places_of(statistics.schema().names_of(ColumnType::count),
                other.statistics.schema().names_of(ColumnType::count));
  const bool first = !min_weight;
  min_weight = std::min(min_weight.value_or(*other.min_weight), *other.min_weight);
  count_min.resize(from.size());
  count_max.resize(from.size());
  for (std::size_t j = 0; j < from.size(); ++j) {
    const double low = other.count_min[from[j]], high = other.count_max[from[j]];
    count_min[j] = first ? low : std::min(count_min[j], low);
    count_max[j] = first ? high : std::max(count_max[j], high);
  }
}

SoftmaxStatistics collect_softmax(const Rows& rows, Missing missing, const Control& control) {
  const CollectOptions collecting{.scatter = Scatter::diagonal, .missing = missing};
  sums::Pass pass = sums::pass_over(rows, collecting, sums::Entries::all, control);
  if (missing != Missing::drop) {
    sums::leave_out_unlabelled(pass);
    fit_detail::refuse_missing(pass.summary);
  }
  const std::vector<Index> usable = sums::learnable_rows(rows, Missing::drop);
  SoftmaxStatistics seen =
      fit_detail::softmax_statistics(rows, usable, std::move(pass.summary.statistics));
  seen.dropped_rows = pass.summary.unlabelled_rows + pass.summary.incomplete_rows;
  seen.unlabelled_left_out = pass.unlabelled_left_out;
  return seen;
}

SoftmaxPlan plan_softmax(const SoftmaxStatistics& statistics, const LogisticOptions& options) {
  validate(options);
  const StatisticsSchema& schema = statistics.statistics.schema();
  if (schema.scatter != Scatter::diagonal && !schema.empty())
    throw Error(Errc::bad_argument, "softmax regression is planned from diagonal scatters",
                "collect the statistics by collect_softmax");
  const std::size_t counts = statistics.rows() == 0 ? 0 : schema.names_of(ColumnType::count).size();
  if (statistics.count_min.size() != counts || statistics.count_max.size() != counts)
    throw Error(Errc::bad_argument,
                fmt::format("{} count columns have {} minima and {} maxima", counts,
                            statistics.count_min.size(), statistics.count_max.size()),
                "collect the statistics by collect_softmax");
  if (schema.sparse_matrix == SparseKind::numbers && options.terms != LogisticTerms::linear)
    throw Error(Errc::bad_data, "squares of a sparse matrix are not computed over partitions",
                {"use {}, or give dense columns", {{"terms", {"linear"}}}});
  return fit_detail::make_plan(statistics, options, report_of(statistics));
}

void SoftmaxSums::merge(const SoftmaxSums& other) {
  if (other.sums.empty()) return;
  if (sums.empty()) {
    *this = other;
    return;
  }
  if (kind != other.kind || sums.size() != other.sums.size())
    throw Error(Errc::bad_argument,
                fmt::format("{} sums of '{}' cannot be merged with {} of '{}'", sums.size(),
                            name_of(kind), other.sums.size(), name_of(other.kind)),
                "merge the answers of all partitions to the same request");
  weight += other.weight;
  value += other.value;
  const bool largest = kind == Kind::largest_change;
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = largest ? std::max(sums[i], other.sums[i]) : sums[i] + other.sums[i];
}

/// Not movable, because the loss refers to the design.
struct SoftmaxPartition::Prepared {
  Prepared(Design made, Index first, int thread_count)
      : design(std::move(made)), first_row(first), threads(thread_count), loss(design, threads) {}

  /// From now on, the Hessians of the loss refer to this point.
  void go_to(const Vector& wanted) {
    require_size(wanted, loss.size(), "point");
    if (point && *point == wanted) return;
    Vector gradient;
    (void)loss.evaluate(wanted, gradient);
    point = wanted;
  }

  /// Over the rows whose number, counted over all partitions, is a multiple of `step`.
  [[nodiscard]] fit_detail::SampledHessian hessian(Index step) const {
    if (step < 1 || first_row < 0)
      throw Error(Errc::bad_argument,
                  fmt::format("the step is {} and the first row {}", step, first_row),
                  "give a step of at least 1, and a first row of at least 0");
    return loss.hessian((step - first_row % step) % step, step);
  }

  Design design;
  Index first_row;
  int threads;
  fit_detail::InMemoryLoss loss;
  std::optional<Vector> point{};
};

SoftmaxPartition::SoftmaxPartition(const SoftmaxLayout& layout, const Rows& rows, Index first_row,
                                   const Control& control) {
  Vector centres = centres_of(layout);
  const std::vector<Index> usable = sums::learnable_rows(rows, Missing::drop);
  Design design = fit_detail::make_design(rows, usable, layout, control.threads);
  fit_detail::centre(design, std::move(centres), control.threads);
  prepared_ = std::make_unique<Prepared>(std::move(design), first_row, control.threads);
}
SoftmaxPartition::SoftmaxPartition(SoftmaxPartition&&) noexcept = default;
SoftmaxPartition& SoftmaxPartition::operator=(SoftmaxPartition&&) noexcept = default;
SoftmaxPartition::~SoftmaxPartition() = default;

SoftmaxSums SoftmaxPartition::answer(const SoftmaxRequest& request) {
  Prepared& of = *prepared_;
  SoftmaxSums found{.kind = request.kind, .sums = {}, .weight = of.design.weight()};
  switch (request.kind) {
    case Kind::column_sums:
      found.sums = fit_detail::column_sums(of.design, of.threads);
      break;
    case Kind::gradient:
      require_size(request.point, of.loss.size(), "point");
      found.value = of.loss.evaluate(request.point, found.sums);
      of.point = request.point;
      break;
    case Kind::hessian_product:
      of.go_to(request.point);
      require_size(request.along, of.loss.size(), "along");
      of.loss.hessian_product(request.along, found.sums);
      break;
    case Kind::hessian: {
      refuse_large("the Hessian", of.loss.size(), fit_detail::max_factored);
      of.go_to(request.point);
      const fit_detail::SampledHessian hessian = of.hessian(request.step);
      found.value = hessian.weight;
      found.sums = packed(hessian.sums);
      break;
    }
    case Kind::hessian_diagonal:
      of.go_to(request.point);
      found.sums = of.loss.hessian_diagonal();
      break;
    case Kind::scatter:
      refuse_large("the scatter", of.design.numbers, fit_detail::max_lda_columns);
      found.sums = packed(of.loss.number_scatter());
      break;
    case Kind::largest_change:
      require_size(request.along, of.loss.size(), "along");
      found.sums = {of.loss.largest_change(request.along)};
      break;
  }
  return found;
}

Fitted<LinearModel> fit_softmax(const SoftmaxPlan& plan, const AskPartitions& ask,
                                const Control& control) {
  PartitionedLoss loss(plan, ask);
  fit_detail::Solution solution{fit_detail::minimise(loss, plan.options, control),
                                plan.class_weights, centres_of(plan.layout)};
  for (std::size_t j = 0; j < solution.means.size(); ++j) solution.means[j] += loss.shift()[j + 1];
  return fit_detail::model_of(plan, solution, control.threads);
}

}  // namespace genera
