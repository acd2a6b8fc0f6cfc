#include "query/rows_of_lengths.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "blocks/kinds.hpp"
#include "blocks/length_draws.hpp"
#include "kernel/index.hpp"
#include "kernel/log_sum.hpp"

namespace genera::query {
namespace {

using kernel::at;

constexpr Index fewest_long_draws = 200;  // of rows of one length, however expensive
constexpr double max_chosen = 3e7;        // random numbers for the rows of one length

/// The block whose rows are drawn, and their lengths.
struct Wanted {
  std::unique_ptr<blocks::LengthDraws> draws;
  std::size_t block;
  std::vector<Index> lengths{};  // above 0
};

Wanted wanted_of(const Model& model, const LengthBlock& own,
                 const std::vector<const score::RowShape*>& alike) {
  std::vector<Index> missing;
  for (const Index column : alike.front()->numbers) {
    if (column >= own.first && column < own.first + own.numbers)
      missing.push_back(column - own.first);
  }
  Wanted wanted{blocks::visit(model.blocks()[own.block],
                              [&](auto kind, const auto& block) {
                                return kind.length_draws(block, missing);
                              }),
                own.block};
  for (const score::RowShape* shape : alike) {
    if (!shape->lengths.empty() && shape->lengths[own.block] > 0)
      wanted.lengths.push_back(shape->lengths[own.block]);
  }
  return wanted;
}

}  // namespace

/// The rows of one block in several lengths. Longer rows are drawn less often.
class RowsOfLengths::OfBlock {
 public:
  OfBlock(Wanted wanted, Index draws, std::size_t classes)
      : draws_(std::move(wanted.draws)),
        block_(wanted.block),
        lengths_(std::move(wanted.lengths)),
        classes_(classes) {
    std::sort(lengths_.begin(), lengths_.end());
    lengths_.erase(std::unique(lengths_.begin(), lengths_.end()), lengths_.end());
    for (const Index length : lengths_) {
      const auto affordable = static_cast<Index>(max_chosen / draws_->cost(length));
      number_.push_back(std::min(draws, std::max(affordable, fewest_long_draws)));
    }
    scores_.resize(lengths_.size() * classes_);
  }

  [[nodiscard]] OfBlock another() const {
    OfBlock other({draws_->another(), block_, lengths_}, 0, classes_);
    other.number_ = number_;
    return other;
  }

  /// Draws row i of class k.
  void draw(Index i, Index k, const Rng& stream) {
    const auto end = std::find_if(number_.begin(), number_.end(), [&](Index n) { return n <= i; });
    draws_->draw(k, stream.split(block_), std::span(lengths_).first(at(end - number_.begin())),
                 scores_.data());
    row_ = i;
  }

  /// Adds the scores of the drawn row; false if it was not drawn with this length.
  bool add(const score::RowShape& shape, Vector& to) const {
    const Index length = shape.lengths.empty() ? -1 : shape.lengths[block_];
    if (length <= 0) return true;  // no contribution
    const auto place =
        at(std::lower_bound(lengths_.begin(), lengths_.end(), length) - lengths_.begin());
    if (number_[place] <= row_) return false;
    for (std::size_t c = 0; c < classes_; ++c) to[c] += scores_[place * classes_ + c];
    return true;
  }

 private:
  std::unique_ptr<blocks::LengthDraws> draws_;
  std::size_t block_;
  std::vector<Index> lengths_;  // distinct, ascending
  std::vector<Index> number_;   // number of draws for each length, descending
  std::size_t classes_;
  Vector scores_;  // lengths x K
  Index row_ = 0;
};

RowsOfLengths::RowsOfLengths(const Model& model, const std::vector<LengthBlock>& blocks,
                             const std::vector<const score::RowShape*>& alike, Index draws)
    : scores_(model.classes().size()) {
  for (const LengthBlock& block : blocks)
    blocks_.emplace_back(wanted_of(model, block, alike), draws, scores_.size());
}
RowsOfLengths::RowsOfLengths(RowsOfLengths&&) noexcept = default;
RowsOfLengths& RowsOfLengths::operator=(RowsOfLengths&&) noexcept = default;
RowsOfLengths::~RowsOfLengths() = default;

RowsOfLengths RowsOfLengths::another() const {
  RowsOfLengths other;
  other.scores_.resize(scores_.size());
  for (const OfBlock& block : blocks_) other.blocks_.push_back(block.another());
  return other;
}

void RowsOfLengths::draw(Index i, Index k, const Rng& stream) {
  for (OfBlock& block : blocks_) block.draw(i, k, stream);
}

std::optional<double> RowsOfLengths::density(const score::RowShape& shape,
                                             std::span<const double> others) {
  std::ranges::copy(others, scores_.begin());
  for (const OfBlock& block : blocks_) {
    if (!block.add(shape, scores_)) return std::nullopt;
  }
  return kernel::log_sum(scores_);
}

}  // namespace genera::query
