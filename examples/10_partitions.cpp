// Rows in four places that never meet. What travels is bytes: statistics, models, expected sums.
// First the closed form, then EM over rows with missing cells.
#include <cmath>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <genera/genera.hpp>

namespace {

using Bytes = std::string;

/// A place that has rows: it answers bytes with bytes.
class Partition {
 public:
  explicit Partition(genera::Table table) : table_(std::move(table)) {}
  Partition(const Partition&) = delete;  // EmRows refer to the table
  Partition& operator=(const Partition&) = delete;

  [[nodiscard]] Bytes statistics() const {
    return genera::to_bytes(genera::collect(table_).statistics, genera::Format::cbor);
  }
  [[nodiscard]] Bytes observed() const {
    return genera::to_bytes(genera::observe(table_, genera::qda()), genera::Format::cbor);
  }
  Bytes prepare(const Bytes& observed) {
    const genera::EmPlan plan(genera::observed_from_bytes(observed), genera::qda());
    rows_ = std::make_unique<genera::EmRows>(plan, table_);
    return genera::to_bytes(rows_->complete(), genera::Format::cbor);
  }
  [[nodiscard]] Bytes expect(const Bytes& model) const {
    return genera::to_bytes(rows_->expect(genera::model_from_bytes(model)), genera::Format::cbor);
  }
  [[nodiscard]] Bytes patterns(const Bytes& model) const {
    return genera::to_bytes(rows_->patterns(genera::model_from_bytes(model)), genera::Format::cbor);
  }

 private:
  genera::Table table_;
  std::unique_ptr<genera::EmRows> rows_;
};

using Partitions = std::vector<std::unique_ptr<Partition>>;

/// Two classes of two correlated numbers; every fifth row lacks one of them if cells are missing.
genera::Table table_of(genera::Index begin, genera::Index end, bool missing) {
  genera::Rng rng(1);
  std::vector<std::string> labels;
  genera::Vector cells;
  for (genera::Index i = 0; i < end; ++i) {
    const double shift = i % 2 == 0 ? 0 : 2, common = rng.normal();
    const double length = shift + common + rng.normal(), width = common - shift + rng.normal();
    if (i < begin) continue;
    const double none = std::numeric_limits<double>::quiet_NaN();
    labels.emplace_back(i % 2 == 0 ? "small" : "large");
    cells.push_back(missing && i % 10 == 0 ? none : length);
    cells.push_back(missing && i % 10 == 5 ? none : width);
  }
  return genera::make_table({"length", "width"}, {end - begin, 2, cells}, labels);
}

Partitions divided(bool missing) {
  Partitions parts;
  for (genera::Index p = 0; p < 4; ++p)
    parts.push_back(std::make_unique<Partition>(table_of(100 * p, 100 * (p + 1), missing)));
  return parts;
}

genera::Model closed_form(const Partitions& parts) {
  genera::Statistics all;
  for (const auto& part : parts) all.merge(genera::statistics_from_bytes(part->statistics()));
  return genera::estimate(all, genera::qda()).model;
}

genera::Fitted<genera::Model> by_em(const Partitions& parts) {
  genera::ObservedStatistics observed;
  for (const auto& part : parts) observed.merge(genera::observed_from_bytes(part->observed()));
  const Bytes start = genera::to_bytes(observed);
  const genera::EmPlan plan(observed, genera::qda());
  genera::ExpectedSums complete;
  for (const auto& part : parts)
    complete.merge(genera::expected_sums_from_bytes(part->prepare(start), plan));
  genera::Em em(plan, std::move(complete));
  while (!em.done()) {
    const Bytes model = genera::to_bytes(em.model(), genera::Format::cbor);
    genera::ExpectedSums expected;
    for (const auto& part : parts)
      expected.merge(genera::expected_sums_from_bytes(part->expect(model), plan));
    em.accept(std::move(expected));
  }
  genera::PatternSums patterns;
  const Bytes model = genera::to_bytes(em.model(), genera::Format::cbor);
  for (const auto& part : parts)
    patterns.merge(genera::pattern_sums_from_bytes(part->patterns(model), plan));
  return em.result(patterns);
}

double difference(const genera::Model& a, const genera::Model& b) {
  const genera::Matrix row{1, 2, {1.0, 0.5}};
  return std::abs(genera::log_joint(a, row)(0, 0) - genera::log_joint(b, row)(0, 0));
}

}  // namespace

int main() {
  const genera::Model at_once = genera::fit(table_of(0, 400, false), genera::qda()).model;
  const double closed = difference(closed_form(divided(false)), at_once);
  std::printf("four partitions and one table differ by %.0e\n", closed);

  const auto [model, report] = by_em(divided(true));
  std::printf("EM: %d iterations, %d missing numbers\n", report.em->iterations,
              static_cast<int>(report.missing_numbers));
  const genera::Model single = genera::fit(table_of(0, 400, true), genera::qda()).model;
  const double latent = difference(model, single);
  std::printf("with missing cells they differ by less than 1e-8: %s\n",
              latent < 1e-8 ? "yes" : "no");
  return closed < 1e-12 && latent < 1e-8 ? 0 : 1;
}
