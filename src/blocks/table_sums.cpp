#include "blocks/table_sums.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/documents.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"

namespace genera::blocks {
namespace {

template <class Visit>
void each_entry(const Matrix& table, Visit visit) {
  for (Index k = 0; k < table.rows(); ++k) {
    for (Index j = 0; j < table.columns(); ++j) visit(k, j);
  }
}

}  // namespace

TableSums::TableSums(Index classes, const std::vector<Index>& columns)
    : weights(kernel::at(classes)) {
  for (const Index count : columns) tables.emplace_back(classes, count);
}

std::unique_ptr<BlockSums> TableSums::clone() const { return std::make_unique<TableSums>(*this); }

void TableSums::add(const BlockSums& other) {
  const auto& more = sums_as<TableSums>(other);
  for (std::size_t t = 0; t < tables.size(); ++t)
    each_entry(tables[t], [&](Index k, Index j) { tables[t](k, j) += more.tables[t](k, j); });
  for (std::size_t k = 0; k < weights.size(); ++k) weights[k] += more.weights[k];
  constant += more.constant;
}

void TableSums::write(Vector& coordinates) const {
  coordinates.insert(coordinates.end(), weights.begin(), weights.end());
  for (const Matrix& table : tables)
    each_entry(table, [&](Index k, Index j) { coordinates.push_back(table(k, j)); });
}

bool TableSums::read(std::span<const double>& coordinates) {
  std::size_t next = 0;
  for (double& weight : weights) weight = coordinates[next++];
  for (Matrix& table : tables)
    each_entry(table, [&](Index k, Index j) { table(k, j) = coordinates[next++]; });
  const auto mine = coordinates.first(next);
  coordinates = coordinates.subspan(next);
  return std::all_of(mine.begin(), mine.end(), [](double value) { return value >= 0; });
}

document::Value TableSums::to_document() const {
  document::Members members;
  document::List all;
  for (const Matrix& table : tables) all.push_back(rows_of(table));
  members["tables"] = document::Value{std::move(all)};
  members["weights"] = document::Value{weights};
  members["constant"] = document::Value{constant};
  return {std::move(members)};
}

void TableSums::read_document(const document::Field& field) {
  field.allow_only({"tables", "weights", "constant"});
  const std::vector<document::Field> all = field["tables"].elements("a table", std::ssize(tables));
  for (std::size_t t = 0; t < tables.size(); ++t) {
    tables[t] = all[t].matrix(tables[t].rows(), tables[t].columns());
    each_entry(tables[t], [&](Index k, Index j) {
      if (tables[t](k, j) < 0)
        all[t].refuse(fmt::format("holds {}, expected at least 0", tables[t](k, j)),
                      "make the sums again");
    });
  }
  weights = field["weights"].weights(std::ssize(weights));
  constant = field["constant"].number();
}

double log_likelihood(const Matrix& weights, const Matrix& probabilities) {
  double total = 0;
  each_entry(weights, [&](Index k, Index j) {
    if (weights(k, j) > 0) total += weights(k, j) * std::log(probabilities(k, j));
  });
  return total;
}

double log_smoothing(double smoothing, const Matrix& probabilities) {
  double total = 0;
  each_entry(probabilities, [&](Index k, Index j) {
    if (smoothing > 0) total += smoothing * std::log(probabilities(k, j));
  });
  return total;
}

Matrix smoothed(const Matrix& weights, double smoothing, int threads) {
  const auto levels = static_cast<double>(weights.columns());
  Matrix probabilities = Matrix::for_overwrite(weights.rows(), weights.columns());
  kernel::parallel_for(weights.rows(), threads, [&](Index k) {
    double total = smoothing * levels;
    for (const double w : weights.row(k)) total += w;
    std::ranges::transform(weights.row(k), probabilities.row(k).begin(), [&](double w) {
      return total > 0 ? (w + smoothing) / total : 1 / levels;
    });
  });
  return probabilities;
}

Vector mean_lengths(const Matrix& sums, const Vector& weights, int threads) {
  Vector lengths(weights.size());
  kernel::parallel_for(std::ssize(lengths), threads, [&](Index k) {
    const auto row = sums.row(k);
    if (weights[kernel::at(k)] > 0)
      lengths[kernel::at(k)] =
          std::accumulate(row.begin(), row.end(), 0.0) / weights[kernel::at(k)];
  });
  if (!std::ranges::all_of(lengths, [](double length) { return std::isfinite(length); }))
    throw Error(Errc::bad_data, "the counts are too large to be added up",
                "count in a larger unit, such as thousands");
  return lengths;
}

double largest_difference(const Matrix& a, const Matrix& b) {
  double max = 0;
  each_entry(a, [&](Index k, Index j) { max = std::max(max, std::abs(a(k, j) - b(k, j))); });
  return max;
}

}  // namespace genera::blocks
