#include <genera/query.hpp>

#include <algorithm>
#include <string>

#include <genera/error.hpp>

#include "query/engine.hpp"

namespace genera {
namespace {

using query::Rows;
using query::Wanted;

struct Shape {
  Index rows, classes;
};

Shape shape_of(const Model& model, const Rows& rows) {
  return {rows.count(), static_cast<Index>(model.classes().size())};
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
  Vector result(static_cast<std::size_t>(rows.count()));
  query::run_all(model, rows, {.log_density = result.data()}, threads);
  return result;
}

Decisions decisions_of(const Model& model, const Rows& rows, int threads) {
  Decisions result{std::vector<std::int32_t>(static_cast<std::size_t>(rows.count()))};
  const query::Tally tally = query::run_all(model, rows, {.labels = result.labels.data()}, threads);
  result.impossible = tally.impossible;
  result.unseen = tally.unseen;
  result.missing = tally.missing;
  return result;
}

void require_density(const Model& model, const char* what) {
  if (model.is_density()) return;
  throw Error(Errc::bad_model,
              std::string("complement is a scorer, not a density: it has no ") + what,
              "use --model multinomial");
}

}  // namespace

Roles roles_for(const Model& model) {
  Roles roles;
  roles.use_target = false;
  roles.expected = model.features();
  roles.text = model.text_options();
  const bool counts =
      std::any_of(model.features().begin(), model.features().end(),
                  [](const Column& feature) { return feature.type == ColumnType::count; });
  if (counts) roles.default_type = ColumnType::count;
  return roles;
}

Matrix log_joint(const Model& model, MatrixView rows, const QueryOptions& options) {
  require_density(model, "log_joint");
  return matrix_query(model, query::rows_of(model, rows), &Wanted::log_joint, options.threads);
}
Matrix log_joint(const Model& model, const Table& table, const QueryOptions& options) {
  require_density(model, "log_joint");
  return matrix_query(model, query::rows_of(model, table), &Wanted::log_joint, options.threads);
}

Vector log_density(const Model& model, MatrixView rows, const QueryOptions& options) {
  require_density(model, "log_density");
  return log_density_of(model, query::rows_of(model, rows), options.threads);
}
Vector log_density(const Model& model, const Table& table, const QueryOptions& options) {
  require_density(model, "log_density");
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
            Matrix(shape.rows, shape.classes), std::vector<std::int32_t>(n)};
  const query::Tally tally =
      query::run_all(model, rows,
                     {a.log_joint.data(), a.log_density.data(), a.posterior.data(),
                      a.distances.data(), a.labels.data()},
                     options.threads);
  a.impossible = tally.impossible;
  a.unseen = tally.unseen;
  a.missing = tally.missing;
  return a;
}

}  // namespace genera
