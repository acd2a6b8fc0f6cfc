#include "blocks/gaussian/estimate/sums.hpp"

#include <algorithm>

#include "kernel/double_double.hpp"
#include "kernel/index.hpp"
#include "sums/moments_document.hpp"

namespace genera::blocks {

using kernel::at;

double negligible_weight(const Rows& rows, Index begin, Index end) {
  constexpr double share = 1e-16;
  if (rows.data().weights.empty()) return share;
  double heaviest = 0;
  for (Index i = begin; i < end; ++i) heaviest = std::max(heaviest, rows.weight(rows.row(i)));
  return share * std::min(1.0, heaviest);
}

ComponentSums::ComponentSums(Index components, Scatter kind,
                             std::shared_ptr<const ColumnUnits> units)
    : ComponentSums(std::vector(at(components), Moments(std::ssize(units->centre), kind)), kind,
                    units) {}

ComponentSums::ComponentSums(std::vector<Moments> of_components, Scatter kind,
                             std::shared_ptr<const ColumnUnits> units)
    : moments(std::move(of_components)), kind_(kind), units_(std::move(units)) {}

std::unique_ptr<BlockSums> ComponentSums::clone() const {
  return std::make_unique<ComponentSums>(*this);
}

void ComponentSums::add(const BlockSums& other) {
  const auto& more = sums_as<ComponentSums>(other);
  for (std::size_t c = 0; c < moments.size(); ++c) moments[c].merge(more.moments[c]);
}

/// Sums of w, w z and w z z', where z are the columns in their units.
void ComponentSums::write(Vector& coordinates) const {
  const Vector& scale = units_->scale;
  const auto d = std::ssize(scale);
  for (const Moments& m : moments) {
    Vector z(at(d));
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double low = low_part_shows(m.mean_low[j], scale[j]) ? m.mean_low[j] : 0;
      z[j] = ((m.mean[j] - units_->centre[j]) + low) / scale[j];
    }
    coordinates.push_back(m.weight);
    for (const double x : z) coordinates.push_back(m.weight * x);
    for (Index i = 0; i < m.scatter.rows(); ++i) {
      const bool full = m.scatter.rows() > 1;
      for (Index j = 0; j <= (full ? i : d - 1); ++j) {
        const Index row = full ? i : j;
        coordinates.push_back(m.scatter(i, j) / (scale[at(row)] * scale[at(j)]) +
                              m.weight * z[at(row)] * z[at(j)]);
      }
    }
  }
}

bool ComponentSums::read(std::span<const double>& coordinates) {
  const Vector& scale = units_->scale;
  const auto d = std::ssize(scale);
  const auto next = [&] {
    const double value = coordinates.front();
    coordinates = coordinates.subspan(1);
    return value;
  };
  bool possible = true;
  for (Moments& m : moments) {
    m.weight = next();
    possible = possible && m.weight > 0;
    Vector z(at(d));
    for (std::size_t j = 0; j < z.size(); ++j) {
      z[j] = next() / m.weight;
      const kernel::HighLow mean = kernel::two_sum(units_->centre[j], scale[j] * z[j]);
      m.mean[j] = mean.high;
      m.mean_low[j] = low_part_shows(mean.low, scale[j]) ? mean.low : 0;
    }
    const bool full = m.scatter.rows() > 1;
    for (Index i = 0; i < m.scatter.rows(); ++i) {
      for (Index j = 0; j <= (full ? i : d - 1); ++j) {
        const Index row = full ? i : j;
        const double value =
            (next() - m.weight * z[at(row)] * z[at(j)]) * (scale[at(row)] * scale[at(j)]);
        m.scatter(i, j) = value;
        if (full) m.scatter(j, i) = value;
        possible = possible && (row != j || value > 0);
      }
    }
  }
  return possible;
}

document::Value ComponentSums::to_document() const {
  document::List components;
  for (const Moments& m : moments) {
    document::Members one;
    one["weight"] = document::Value{m.weight};
    sums::put_moments(m, kind_, one);
    components.push_back(document::Value{std::move(one)});
  }
  return {std::move(components)};
}

void ComponentSums::read_document(const document::Field& field) {
  const std::vector<document::Field> components = field.elements("an object", std::ssize(moments));
  for (std::size_t c = 0; c < moments.size(); ++c) {
    components[c].allow_only({"weight", "mean", "mean_low", "scatter"});
    const auto columns = std::ssize(units_->centre);
    moments[c] = sums::read_moments(components[c], columns, kind_);
    moments[c].weight = components[c]["weight"].number_at_least(0);
  }
}

}  // namespace genera::blocks
