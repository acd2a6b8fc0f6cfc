#include <genera/query.hpp>

#include "query/engine.hpp"

namespace genera {
namespace {

using query::Rows;
using query::Wanted;

struct Shape {
  Index rows, classes;
};

Shape shape_of(const Model& model, const Rows& rows) {
  return {rows.numbers.rows(), static_cast<Index>(model.classes().size())};
}

/// An n x K matrix, filled through the member of `Wanted` that points to it.
Matrix matrix_query(const Model& model, const Rows& rows, double* Wanted::*member, int threads) {
  const Shape shape = shape_of(model, rows);
  Matrix result(shape.rows, shape.classes);
  Wanted wanted;
  wanted.*member = result.data();
  query::run_all(model, rows, wanted, threads);
  return result;
}

Vector log_density_of(const Model& model, const Rows& rows, int threads) {
  Vector result(static_cast<std::size_t>(rows.numbers.rows()));
  query::run_all(model, rows, {.log_density = result.data()}, threads);
  return result;
}

Decisions decisions_of(const Model& model, const Rows& rows, int threads) {
  Decisions result{std::vector<std::int32_t>(static_cast<std::size_t>(rows.numbers.rows())), 0};
  result.impossible = query::run_all(model, rows, {.labels = result.labels.data()}, threads);
  return result;
}

}  // namespace

Matrix log_joint(const Model& model, MatrixView rows, const QueryOptions& options) {
  return matrix_query(model, query::rows_of(model, rows), &Wanted::log_joint, options.threads);
}
Matrix log_joint(const Model& model, const Table& table, const QueryOptions& options) {
  return matrix_query(model, query::rows_of(model, table), &Wanted::log_joint, options.threads);
}

Vector log_density(const Model& model, MatrixView rows, const QueryOptions& options) {
  return log_density_of(model, query::rows_of(model, rows), options.threads);
}
Vector log_density(const Model& model, const Table& table, const QueryOptions& options) {
  return log_density_of(model, query::rows_of(model, table), options.threads);
}

Matrix posterior(const Model& model, MatrixView rows, const QueryOptions& options) {
  return matrix_query(model, query::rows_of(model, rows), &Wanted::posterior, options.threads);
}
Matrix posterior(const Model& model, const Table& table, const QueryOptions& options) {
  return matrix_query(model, query::rows_of(model, table), &Wanted::posterior, options.threads);
}

std::vector<std::int32_t> predict(const Model& model, MatrixView rows,
                                  const QueryOptions& options) {
  return decisions_of(model, query::rows_of(model, rows), options.threads).labels;
}
std::vector<std::int32_t> predict(const Model& model, const Table& table,
                                  const QueryOptions& options) {
  return decisions_of(model, query::rows_of(model, table), options.threads).labels;
}
Decisions decide(const Model& model, const Table& table, const QueryOptions& options) {
  return decisions_of(model, query::rows_of(model, table), options.threads);
}

Matrix mahalanobis(const Model& model, MatrixView rows, const QueryOptions& options) {
  return matrix_query(model, query::rows_of(model, rows), &Wanted::distances, options.threads);
}
Matrix mahalanobis(const Model& model, const Table& table, const QueryOptions& options) {
  return matrix_query(model, query::rows_of(model, table), &Wanted::distances, options.threads);
}

Answers answers(const Model& model, const Table& table, const QueryOptions& options) {
  const Rows rows = query::rows_of(model, table);
  const Shape shape = shape_of(model, rows);
  const auto n = static_cast<std::size_t>(shape.rows);
  Answers a{Matrix(shape.rows, shape.classes), Matrix(shape.rows, shape.classes), Vector(n),
            Matrix(shape.rows, shape.classes), std::vector<std::int32_t>(n),      0};
  a.impossible = query::run_all(model, rows,
                                {a.log_joint.data(), a.log_density.data(), a.posterior.data(),
                                 a.distances.data(), a.labels.data()},
                                options.threads);
  return a;
}

}  // namespace genera
