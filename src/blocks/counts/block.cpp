#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "data/largest_count.hpp"
#include "kernel/log_factorial.hpp"
#include "kernel/parallel.hpp"
#include "kernel/saddle_point.hpp"
#include "blocks/probabilities.hpp"
#include "blocks/counts/term_weights.hpp"

namespace genera {
namespace detail {

namespace {

struct Logs {
  double of = -1, log = 0, log_of_rest = 0;
};

/// Logarithms of the probabilities of a class; keeps the last ones, because counts are small and
/// few probabilities differ.
class KnownLogs {
 public:
  const Logs& of(double probability, bool with_rest) {
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
    Logs& known = logs_[std::bit_cast<std::uint64_t>(probability) * golden >> (64 - bits)];
    if (known.of != probability)
      known = {probability, std::log(probability), with_rest ? std::log1p(-probability) : 0};
    return known;
  }

 private:
  static constexpr unsigned bits = 4;
  std::array<Logs, 1U << bits> logs_;
};

}  // namespace

TermWeights::TermWeights(const CountParameters& p, int threads)
    : presence_(p.kind == CountParameters::Kind::bernoulli),
      coefficient_(p.kind == CountParameters::Kind::multinomial),
      base_(static_cast<std::size_t>(p.probabilities.rows())),
      weights_(Matrix::for_overwrite(std::ssize(p.terms), p.probabilities.rows())) {
  constexpr Index terms_at_once = 1 << 14;
  const Index terms = std::ssize(p.terms);
  const Index parts = (terms + terms_at_once - 1) / terms_at_once;
  std::vector<Part> found(static_cast<std::size_t>(parts), Part(base_.size()));
  kernel::parallel_for(parts + 1, threads, [&](Index part) {
    if (part == 0) {  // the longest task goes first
      terms_ = NameSet(p.terms);
      return;
    }
    const Index begin = (part - 1) * terms_at_once;
    found[static_cast<std::size_t>(part - 1)] =
        weigh(p, begin, std::min(terms, begin + terms_at_once));
  });
  std::vector<Index> certain(base_.size());
  for (const Part& part : found) {
    for (std::size_t k = 0; k < base_.size(); ++k) {
      base_[k] += part.base[k];
      certain[k] += part.certain[k];
    }
  }
  if (std::all_of(certain.begin(), certain.end(), [](Index n) { return n == 0; })) return;
  certain_ = std::move(certain);
  probabilities_ = p.probabilities;
}

TermWeights::Part TermWeights::weigh(const CountParameters& p, Index begin, Index end) {
  const std::size_t classes = base_.size();
  Part part(classes);
  std::vector<KnownLogs> logs(classes);
  double* to = weights_.row(begin).data();
  for (Index j = begin; j < end; ++j) {
    for (std::size_t k = 0; k < classes; ++k, ++to) {
      const double probability = p.probabilities(static_cast<Index>(k), j);
      const Logs& known = logs[k].of(probability, presence_);
      *to = known.log;
      if (!presence_) continue;
      if (probability == 1) {
        ++part.certain[k];
        continue;
      }
      *to -= known.log_of_rest;
      part.base[k] += known.log_of_rest;
    }
  }
  return part;
}

double LogCoefficient::log_factorial(double x) const {
  return rest_ ? kernel::log_factorial_rest(x) : kernel::log_factorial(x);
}

void LogCoefficient::add(double x) {
  total_ += x;
  if (rest_ ? x > 0 : x != 1) factorials_ += log_factorial(x);
}

double LogCoefficient::value() const {
  const double value = log_factorial(total_) - factorials_;
  return std::isfinite(value) ? value : 0;  // counts beyond the precision of a double
}

}  // namespace detail

namespace {

std::string block_name(const CountParameters& p) {
  return p.text.empty() ? "the block of counts" : fmt::format("the text column '{}'", p.text);
}

/// Drawing a row counts its terms and keeps those of a text in memory.
void check_lengths(const CountParameters& p) {
  constexpr double max_written = 1e9;
  const double max = p.text.empty() ? data::largest_count : max_written;
  for (const double length : p.lengths) {
    if (!(length >= 0 && length <= max))
      detail::refuse_model(fmt::format("a row of {} has {} terms on average, expected 0 to {}",
                                       block_name(p), length, max),
                           p.text.empty() ? "use smaller counts" : "use shorter texts");
  }
}

void validate(const CountParameters& p, int threads) {
  if (p.terms.empty()) detail::refuse_model("a block of counts needs a term", "give at least one");
  genera::validate(p.text_options);
  const std::string what = block_name(p);
  const auto terms = static_cast<Index>(p.terms.size());
  if (p.kind == CountParameters::Kind::multinomial) {
    detail::check_probabilities(p.probabilities, terms, what, threads);
  } else {
    detail::check_fractions(p.probabilities, terms, what, threads);
  }
  detail::check_counts(p.counts, p.probabilities.rows());
  detail::check_counts(p.lengths, p.probabilities.rows());
  check_lengths(p);
}

}  // namespace

CountBlock::CountBlock(CountParameters parameters, int threads)
    : parameters_(std::move(parameters)) {
  validate(parameters_, threads);
  density_ = std::make_shared<const detail::TermWeights>(parameters_, threads);
  if (density_->terms().size() != std::ssize(parameters_.terms))  // a name is repeated
    detail::check_levels(parameters_.terms, block_name(parameters_));
}

std::vector<Column> CountBlock::features() const {
  if (!parameters_.text.empty()) return {{parameters_.text, ColumnType::text}};
  const bool presence = parameters_.kind == CountParameters::Kind::bernoulli;
  std::vector<Column> features;
  for (const std::string& name : parameters_.terms)
    features.push_back({name, presence ? ColumnType::numeric : ColumnType::count});
  return features;
}

Index CountBlock::free_parameters() const {
  const Index terms = std::ssize(parameters_.terms);
  return classes() * (parameters_.kind == CountParameters::Kind::bernoulli ? terms : terms - 1);
}

std::string_view name_of(CountParameters::Kind kind) {
  switch (kind) {
    case CountParameters::Kind::multinomial:
      return "multinomial";
    case CountParameters::Kind::bernoulli:
      return "bernoulli";
  }
  return "";
}

}  // namespace genera
