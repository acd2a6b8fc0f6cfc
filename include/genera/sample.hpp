#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <genera/control.hpp>
#include <genera/classifier.hpp>
#include <genera/random.hpp>

/// Rows drawn from a joint distribution, or from its conditional distribution given known values.
namespace genera {

/// A known value of a numeric column, a count, or a category (its level).
struct Given {
  std::string column;
  std::variant<std::string, double> value;
};

struct SampleOptions {
  std::optional<std::string> of_class{};  ///< draw from this class only; empty: by the prior
  /// Rows are drawn from the conditional distribution given these cells, and the class from its
  /// posterior. The label can be given under the name of the target, which is equivalent to
  /// `of_class`.
  std::vector<Given> given{};
  /// total of the counts of a row; empty: the mean of the class, rounded
  std::optional<Index> length{};
  Index first = 0;  ///< number of the first row, so that consecutive parts equal one call
};

/// A model prepared for drawing. Row i depends only on the random stream and on i, so any number of
/// threads and any division into parts give the same rows.
class Sampler {
 public:
  struct State;  ///< private to its source
  /// The model must outlive it. Throws Error: bad_model if the model does not model the length of
  /// rows; bad_argument if a class, column or level is unknown (with the nearest name), a value is
  /// not a number, a column is given twice or is text, the length is too short for the given counts
  /// or there are no counts, or the given values have probability zero.
  explicit Sampler(JointRef model, const SampleOptions& options = {});
  Sampler(Sampler&&) noexcept;
  Sampler& operator=(Sampler&&) noexcept;
  ~Sampler();

  /// Rows [first, first + rows) in the layout of the model, labelled with their classes. For a text
  /// column the terms are drawn without an order.
  [[nodiscard]] Table draw(Index rows, const Rng& rng, const Control& control = {}) const;

  /// The same rows in chunks, in constant memory. `work` is called for each chunk on any thread;
  /// the function it returns is called in the order of the rows, one at a time.
  void for_each_chunk(Index rows, const Rng& rng, const Control& control,
                      const std::function<std::function<void()>(Table&&)>& work) const;

 private:
  std::unique_ptr<const State> state_;
};

/// n rows: first the class by its probability, then the features by the density of the class.
/// Blocks condition on given values as follows: Gaussian columns by the Schur complement;
/// independent columns need no conditioning; a joint table is restricted to the given levels; given
/// counts are subtracted from the length, and the rest is distributed among the other terms. For a
/// committee, first a member of its density by its weight and the probability of the given values;
/// the rows have the layout of its leading model. Throws Error (bad_model) for a committee of
/// texts.
[[nodiscard]] Table sample(JointRef model, Index n, const Rng& rng,
                           const SampleOptions& options = {}, const Control& control = {});

}  // namespace genera
