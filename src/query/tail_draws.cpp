#include "query/tail_draws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <genera/query.hpp>

#include "blocks/kinds.hpp"
#include "kernel/rng_purpose.hpp"
#include "kernel/index.hpp"
#include "kernel/object_pool.hpp"
#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"
#include "query/generate/draws.hpp"
#include "query/rows_of_lengths.hpp"

namespace genera::query {
namespace {

using kernel::at;

constexpr Index max_draws = 100'000;
constexpr Index draws_at_once = 8192;      // limits memory for wide models
constexpr Index max_shape_draws = 10'000;  // for rows of one shape
constexpr Index fewest_draws = 1'000;      // however expensive
constexpr double max_scores = 4e9;         // draws x classes x (columns + 8)
constexpr std::size_t max_kept = 1 << 24;  // numbers, 128 MB
constexpr Index scores_at_once = 1 << 21;  // draws x classes
constexpr Index rows_at_once = 1024;       // in a task
constexpr Index draws_of_a_task = 64;      // for rows of several lengths

/// Fewer draws if each is very expensive, as with a hundred thousand classes.
Index draws_of(const Model& model) {
  /// cost of a class in units of columns: its exponential and its index
  constexpr double other_work = 8;
  const double each = static_cast<double>(model.classes().size()) *
                      (static_cast<double>(model.features().size()) + other_work);
  return std::clamp(static_cast<Index>(max_scores / each), fewest_draws, max_draws);
}

Index shape_draws_of(const Model& model) { return std::min(draws_of(model), max_shape_draws); }

/// While it exists, removes from the rows of a table the cells that some other rows lack, and the
/// columns of blocks with a length.
class Without {
 public:
  Without(Table& table, const score::RowShape& shape, const std::vector<LengthBlock>& lengths)
      : table_(table) {
    for (const Index column : shape.numbers) drop_number(column);
    for (const Index column : shape.codes) {
      codes_.push_back({column, {}});
      for (Index i = 0; i < table.rows(); ++i)
        codes_.back().values.push_back(std::exchange(table.codes(i, column), -1));
    }
    for (const Index column : shape.texts) drop_text(column);
    for (const LengthBlock& block : lengths) {
      for (Index j = 0; j < block.numbers; ++j) drop_number(block.first + j);
      if (block.text >= 0) drop_text(block.text);
    }
  }
  Without(const Without&) = delete;
  Without& operator=(const Without&) = delete;
  /// In reverse order, because a column may have been dropped twice.
  ~Without() {
    for (auto column = numbers_.rbegin(); column != numbers_.rend(); ++column) {
      for (Index i = 0; i < table_.rows(); ++i)
        table_.numbers(i, column->place) = column->values[at(i)];
    }
    for (auto column = codes_.rbegin(); column != codes_.rend(); ++column) {
      for (Index i = 0; i < table_.rows(); ++i)
        table_.codes(i, column->place) = column->values[at(i)];
    }
    for (auto column = texts_.rbegin(); column != texts_.rend(); ++column)
      table_.sparse[at(column->place)].missing = std::move(column->values);
  }

 private:
  template <class T>
  struct Column {
    Index place;
    std::vector<T> values;
  };

  void drop_number(Index column) {
    numbers_.push_back({column, {}});
    numbers_.back().values.reserve(at(table_.rows()));
    for (Index i = 0; i < table_.rows(); ++i)
      numbers_.back().values.push_back(
          std::exchange(table_.numbers(i, column), std::numeric_limits<double>::quiet_NaN()));
  }
  void drop_text(Index column) {
    auto& missing = table_.sparse[at(column)].missing;
    texts_.push_back({column, std::move(missing)});
    missing.assign(at(table_.rows()), 1);
  }

  Table& table_;
  std::vector<Column<double>> numbers_;
  std::vector<Column<std::int32_t>> codes_;
  std::vector<Column<std::uint8_t>> texts_;
};

}  // namespace

TailDraws::TailDraws(const Model& model, std::uint64_t seed, const Control& control)
    : model_(model),
      threads_(control.threads),
      stream_(kernel::stream_for(kernel::RngPurpose::tails, seed)),
      lengths_stream_(kernel::stream_for(kernel::RngPurpose::lengths, seed)) {
  find_lengths();
  if (!lengths_.empty()) return;
  const Control inside = kernel::silent(control);
  const Index draws = draws_of(model);
  kernel::ProgressMeter meter(control, Progress::Task::drawing, draws);
  for (Index first = 0; first < draws; first += draws_at_once) {
    const DrawRange range{first, std::min(draws, first + draws_at_once)};
    const Vector some = log_density(model, draw_rows(model, range, stream_, inside), inside);
    complete_.insert(complete_.end(), some.begin(), some.end());
    meter.advance(range.end - range.begin);
  }
  std::sort(complete_.begin(), complete_.end());
}

void TailDraws::find_lengths() {
  Index number = 0, text = 0;
  for (std::size_t b = 0; b < model_.blocks().size(); ++b) {
    const Block& block = model_.blocks()[b];
    const blocks::Layout layout =
        blocks::visit(block, [](auto kind, const auto& own) { return kind.layout(own); });
    const bool has_length = blocks::visit(block, [](auto kind, const auto& own) {
      return kind.row_length(own) != blocks::RowLength::none;
    });
    const bool is_text = !layout.text.empty();
    if (has_length) lengths_.push_back({b, number, layout.numbers, is_text ? text : -1});
    number += layout.numbers;
    text += is_text ? 1 : 0;
  }
}

double TailDraws::resolution() const {
  return lengths_.empty() ? 1 / static_cast<double>(draws_of(model_) + 1)
                          : resolution_with_missing();
}

double TailDraws::resolution_with_missing() const {
  return 1 / static_cast<double>(shape_draws_of(model_) + 1);
}

double TailDraws::resolution_so_far() const {
  std::optional<std::size_t> fewest;
  exclusive_.run([&] { fewest = fewest_; });
  return fewest ? std::max(resolution(), 1 / static_cast<double>(*fewest + 1)) : resolution();
}

std::vector<TailDraws::Densities> TailDraws::of(
    const std::vector<score::RowsOfShape>& shapes) const {
  std::vector<Densities> found;
  exclusive_.run([&] { found = find_or_draw(shapes); });
  return found;
}

void TailDraws::draw_rows_for_shapes() const {
  const Index first = draws_of(model_);
  blocks::FillRules rules;
  if (!lengths_.empty()) rules.length = 0;  // blocks with a length are drawn separately
  rows_ = draw_rows(model_, {first, first + shape_draws_of(model_)}, stream_, {}, rules);
  if (model_.blocks().size() != 1) return;
  marginals_ = blocks::visit(model_.blocks().front(), [&](auto kind, const auto& block) {
    return kind.marginal_draws(block, model_.prior(), rows_.numbers, threads_);
  });
}

std::vector<TailDraws::Densities> TailDraws::find_or_draw(
    const std::vector<score::RowsOfShape>& shapes) const {
  std::vector<Densities> found(shapes.size());
  std::map<score::RowShape, std::vector<std::size_t>> missing;  // grouped by missing cells
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const auto kept = kept_.find(shapes[i].shape);
    if (kept != kept_.end()) {
      found[i] = kept->second;
      continue;
    }
    score::RowShape cells = shapes[i].shape;
    cells.lengths.clear();
    missing[std::move(cells)].push_back(i);
  }
  if (!missing.empty() && rows_.rows() == 0) draw_rows_for_shapes();
  for (const auto& [shape, places] : missing) {
    Shapes alike;
    for (const std::size_t i : places) alike.push_back(&shapes[i].shape);
    const std::vector<Densities> drawn = draw(alike);
    for (std::size_t i = 0; i < places.size(); ++i) {
      found[places[i]] = drawn[i];
      fewest_ = std::min(fewest_.value_or(drawn[i]->size()), drawn[i]->size());
      if ((kept_numbers_ += drawn[i]->size()) > max_kept) {
        kept_.clear();
        kept_numbers_ = drawn[i]->size();
      }
      kept_[*alike[i]] = drawn[i];
    }
  }
  return found;
}

/// All rows have the same missing cells, so patterns need not be searched.
Vector TailDraws::densities_without(const score::RowShape& shape) const {
  if (marginals_ && marginals_->pays(std::ssize(shape.numbers)))
    return marginals_->log_densities(shape.numbers, threads_);
  const Without without(rows_, shape, lengths_);
  const score::BoundModel bound(model_, rows_);
  std::vector<Index> observed;
  for (Index j = 0; j < std::ssize(bound.pattern_columns()); ++j) {
    if (!std::isnan(bound.bound_rows().numbers(0, bound.pattern_columns()[at(j)])))
      observed.push_back(j);
  }
  const bool incomplete = observed.size() < bound.pattern_columns().size();
  Vector found(at(rows_.rows()));
  const auto answer = [&](Index task) {
    const Index begin = task * rows_at_once, end = std::min(rows_.rows(), begin + rows_at_once);
    score::Scorer scorer(bound,
                         incomplete ? blocks::MissingMode::possible : blocks::MissingMode::none);
    score::Wanted wanted;
    wanted.log_density = found.data() + begin;
    (void)scorer.run(bound.rows().between(begin, end), observed, wanted);
  };
  kernel::parallel_for((rows_.rows() + rows_at_once - 1) / rows_at_once, threads_, answer);
  return found;
}

std::vector<TailDraws::Densities> TailDraws::draw(const Shapes& alike) const {
  if (!lengths_.empty()) return draw_lengths(alike);
  const auto only = std::make_shared<const Vector>(densities_without(*alike.front()));
  return std::vector<Densities>(alike.size(), only);
}

/// log p = log sum_k exp(log joint of blocks without a length + scores of the others). All lengths
/// are drawn together, since a short row is a prefix of a longer one.
std::vector<TailDraws::Densities> TailDraws::draw_lengths(const Shapes& alike) const {
  const auto classes = std::ssize(model_.classes());
  const Without without(rows_, *alike.front(), lengths_);
  const RowsOfLengths first_drawing(model_, lengths_, alike, rows_.rows());
  kernel::ObjectPool<RowsOfLengths> drawings([&] { return first_drawing.another(); });
  std::vector<Vector> found(alike.size());
  const Index some = std::max<Index>(1, scores_at_once / classes);
  for (Index begin = 0; begin < rows_.rows(); begin += some) {
    const Index end = std::min(rows_.rows(), begin + some);
    const Matrix others = log_joint(model_, Rows(rows_).between(begin, end));
    Index next = begin;
    kernel::run_in_order(threads_, [&]() -> std::optional<kernel::Task> {
      if (next == end) return std::nullopt;
      const Index first = std::exchange(next, std::min(end, next + draws_of_a_task));
      return [&, first, last = next]() -> kernel::Finish {
        std::vector<Vector> part(alike.size());
        drawings.use([&](RowsOfLengths& drawing) {
          for (Index i = first; i < last; ++i) {
            const Rng stream = lengths_stream_.split(static_cast<std::uint64_t>(i));
            drawing.draw(i, rows_.labels[at(i)], stream);
            for (std::size_t s = 0; s < alike.size(); ++s) {
              if (const auto density = drawing.density(*alike[s], others.row(i - begin)))
                part[s].push_back(*density);
            }
          }
        });
        return [&, part = std::move(part)] {
          for (std::size_t s = 0; s < part.size(); ++s)
            found[s].insert(found[s].end(), part[s].begin(), part[s].end());
        };
      };
    });
  }
  std::vector<Densities> all;
  for (Vector& values : found) all.push_back(std::make_shared<const Vector>(std::move(values)));
  return all;
}

}  // namespace genera::query
