#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include <genera/description.hpp>
#include <genera/explain.hpp>
#include <genera/impute.hpp>
#include <genera/io.hpp>
#include <genera/predictor.hpp>
#include <genera/query.hpp>
#include <genera/sample.hpp>

namespace genera::fuzz {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool is_tail(double p) { return p >= 0 && p <= 1; }

void check_sparse(const SparseColumns& sparse, Index rows) {
  require(std::ssize(sparse.begins) == rows + 1, "a sparse matrix has a begin for each row");
  require(sparse.begins.front() == 0 && sparse.begins.back() == std::ssize(sparse.places),
          "the entries of a sparse matrix belong to its rows");
  require(std::is_sorted(sparse.begins.begin(), sparse.begins.end()), "entries are in order");
  require(sparse.places.size() == sparse.values.size(), "each entry has a value");
  require(sparse.missing.empty() || std::ssize(sparse.missing) == rows,
          "each text is there or missing");
  for (const std::int32_t place : sparse.places)
    require(place >= 0 && place < std::ssize(sparse.terms), "an entry is in a column");
  for (const double value : sparse.values) require(std::isfinite(value), "entries are finite");
}

void check_posteriors(const Answers& answers, Index classes) {
  for (Index i = 0; i < answers.posterior.rows(); ++i) {
    double sum = 0;
    double largest = 0;
    for (const double p : answers.posterior.row(i)) {
      require(p >= 0 && p <= 1, "a posterior is a probability");
      sum += p;
      largest = std::max(largest, p);
    }
    require(std::abs(sum - 1) < 1e-9, "posteriors sum to one");
    const std::int32_t label = answers.labels[static_cast<std::size_t>(i)];
    require(label >= 0 && label < classes, "a label is a class");
    require(answers.posterior(i, label) >= largest * (1 - 1e-9), "the label is the likeliest");
  }
}

void check_one_by_one(ClassifierRef model, const Rows& rows, const Answers& answers) {
  for (Index i = 0; i < std::min<Index>(rows.count(), 3); ++i) {
    const std::vector<Index> one{rows.row(i)};
    const Answers alone = genera::answers(model, rows.only(one));
    require(std::ranges::equal(alone.posterior.row(0), answers.posterior.row(i)),
            "one row has the answers of a batch");
    require(alone.labels[0] == answers.labels[static_cast<std::size_t>(i)],
            "one row has the label of a batch");
  }
}

void check_density(const Model& model, const Rows& rows, const Answers& answers) {
  for (Index i = 0; i < answers.log_joint.rows(); ++i)
    for (const double value : answers.log_joint.row(i))
      require(!std::isnan(value) && value < std::numeric_limits<double>::infinity(),
              "a log joint is a number below infinity");
  for (const double value : answers.log_density)
    require(!std::isnan(value), "a log density is not NaN");
  for (Index i = 0; i < answers.distances.rows(); ++i)
    for (const double value : answers.distances.row(i))
      require(value >= 0, "a squared distance is not negative");
  require(log_density(model, rows) == answers.log_density, "log densities agree");
}

void check_explanations(ClassifierRef model, const Rows& rows, const Answers& answers) {
  const std::string refused = refusal([&] {
    for (const Explanation& row : explain(model, rows, answers, 3)) {
      require(!std::isnan(row.log_odds) && !std::isnan(row.base) && !std::isnan(row.rest),
              "an explanation is made of numbers");
      for (const Evidence& part : row.evidence)
        require(!std::isnan(part.log_odds), "evidence is a number");
    }
  });
}

/// Numbers by position: small, extreme and missing ones.
Matrix some_numbers(Index columns) {
  static constexpr double values[] = {0,   1,    -1,   0.5,  2,      3,     1e8,  -1e8,
                                      nan, 1e-8, 1e30, 5.25, -1e300, 1e300, 1e18, 7};
  Matrix rows(8, columns);
  for (Index i = 0; i < rows.rows(); ++i)
    for (Index j = 0; j < columns; ++j)
      rows(i, j) = i < 2 ? values[(i + j) % 4] : values[(5 * i + 3 * j + i * j) % 16];
  return rows;
}

void check_predictor(ClassifierRef model, const Matrix& rows, std::int32_t classes) {
  Predictor predictor(model);
  Vector posterior(static_cast<std::size_t>(predictor.classes()));
  for (Index i = 0; i < rows.rows(); ++i) {
    const Index label = predictor.predict(rows.row(i), posterior);
    require(label >= -1 && label < classes, "a predictor answers with a class or -1");
    for (const double p : posterior) require(p >= 0 && p <= 1, "its posterior is a probability");
  }
}

void check_round_trip(const Classifier& model) {
  for (const Format format : {Format::json, Format::cbor}) {
    const std::string bytes = to_bytes(model, format);
    require(classifier_from_bytes(bytes) == model, "a model survives saving and loading");
    require(to_bytes(classifier_from_bytes(bytes), format) == bytes, "and so do its bytes");
  }
}

void check_missing(const Model& model, Table rows) {
  for (Index i = 0; i < rows.numbers.rows(); ++i)
    for (Index j = 0; j < rows.numbers.columns(); ++j)
      if ((i + j) % 2 == 0) rows.numbers(i, j) = nan;
  for (Index i = 0; i < rows.codes.rows(); ++i)
    for (Index j = 0; j < rows.codes.columns(); ++j)
      if ((i + j) % 3 == 0) rows.codes(i, j) = -1;
  check_answers(model, rows);
  const std::string refused = refusal([&] {
    check_table(impute(model, rows).table);
    check_table(impute_by_draw(model, rows, Rng(5)).table);
  });
}

void check_draws(const Model& model, std::uint64_t hash) {
  Table rows;
  if (!refusal([&] { rows = sample(model, 4, Rng(hash)); }).empty()) return;
  check_table(rows);
  check_answers(model, rows);
  check_missing(model, rows);
  const std::string refused = refusal([&] {
    require(draw_parameters(model, Rng(3)).classes() == model.classes(),
            "a drawn model has the same classes");
  });
  if (hash % 64 == 0) {
    const std::string no_tail = refusal([&] {
      const OutlierTail tail(model);
      const Answers answers = genera::answers(model, rows);
      for (const double p : tail(rows, answers)) require(is_tail(p), "a tail is a probability");
    });
  }
}

}  // namespace

void require(bool kept, std::string_view promise) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %.*s\n", static_cast<int>(promise.size()), promise.data());
  std::abort();
}

std::size_t Input::choice(std::size_t n) {
  if (rest_.empty()) return 0;
  const auto byte = static_cast<unsigned char>(rest_.front());
  rest_.remove_prefix(1);
  return byte % n;
}

std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  return hash ^ (hash >> 32U);
}

void check_table(const Table& table) {
  const Index n = table.rows();
  require(table.numbers.columns() == 0 || table.numbers.rows() == n, "numbers of each row");
  for (Index i = 0; i < table.numbers.rows(); ++i)
    for (const double value : table.numbers.row(i))
      require(!std::isinf(value), "no number of a table is infinite");
  require(std::ssize(table.levels) == table.codes.columns(), "levels of each coded column");
  for (Index i = 0; i < table.codes.rows(); ++i)
    for (Index j = 0; j < table.codes.columns(); ++j)
      require(table.codes(i, j) >= -1 &&
                  table.codes(i, j) < std::ssize(table.levels[static_cast<std::size_t>(j)]),
              "a code is a level or missing");
  for (const SparseColumns& sparse : table.sparse) check_sparse(sparse, n);
  require(table.labels.empty() || std::ssize(table.labels) == n, "a label for each row");
  for (const std::int32_t label : table.labels)
    require(label >= -1 && label < std::ssize(table.classes), "a label is a class or missing");
  require(table.weights.empty() || std::ssize(table.weights) == n, "a weight for each row");
  require(table.kept.empty() || std::ssize(table.kept) == n, "kept cells for each row");
  if (table.cells.empty()) return;
  require(table.cells.size() == table.kept.size() * table.columns.size(), "a place for each cell");
  for (std::size_t i = 0; i < table.cells.size(); ++i)
    require(table.cells[i].begin <= table.cells[i].end &&
                table.cells[i].end <= table.kept[i / table.columns.size()].size(),
            "a cell lies in its record");
}

void check_answers(ClassifierRef model, const Rows& rows) {
  const auto classes = static_cast<Index>(model.classes().size());
  Answers answers;
  const std::string refused = refusal([&] { answers = genera::answers(model, rows); });
  const std::string again = refusal([&] {
    require(decide(model, rows).labels == answers.labels, "decisions are the labels of answers");
  });
  require(refused == again, "what is refused once is refused always");
  if (!refused.empty()) return;
  check_posteriors(answers, classes);
  check_one_by_one(model, rows, answers);
  if (model.model()) check_density(*model.model(), rows, answers);
  check_explanations(model, rows, answers);
}

void check_model(const Classifier& model, std::uint64_t hash) {
  const ClassifierRef ref(model);
  check_round_trip(model);
  const std::string no_description = refusal([&] { (void)describe(ref); });
  const std::string no_evidence = refusal([&] { (void)strongest_evidence(ref, 3); });
  const auto features = static_cast<Index>(ref.features().size());
  if (features > 200 || ref.classes().size() > 200) return;
  const Matrix numbers = some_numbers(features);
  const std::string no_rows = refusal([&] {
    check_answers(ref, numbers);
    check_predictor(ref, numbers, static_cast<std::int32_t>(ref.classes().size()));
  });
  if (ref.model()) check_draws(*ref.model(), hash);
}

}  // namespace genera::fuzz
