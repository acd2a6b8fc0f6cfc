#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <genera/control.hpp>
#include <genera/model.hpp>
#include <genera/random.hpp>

/// New rows from a joint distribution, or from what is left of it when something is known.
namespace genera {

/// A cell that is known: of a number, a count, or a category (its level).
struct Given {
  std::string column;
  std::variant<std::string, double> value;
};

struct SampleOptions {
  std::optional<std::string> of_class{};  ///< only this class; empty: by the prior
  /// Rows are drawn from the distribution given these cells, the class by its posterior. The label
  /// can be given too, under the name of the target: it means the same as `of_class`.
  std::vector<Given> given{};
  std::optional<Index> length{};  ///< sum of the counts of a row; empty: the class's mean, rounded
  Index first = 0;  ///< number of the first row: parts drawn one after the other are the whole
};

/// A model made ready for drawing rows. Row i depends on the random stream and on i alone, so that
/// any number of threads and any cut into parts give the same rows.
class Sampler {
 public:
  /// The model must outlive it. Throws Error: bad_model if the model does not say
  /// how long its rows are; bad_argument if a class, a column or a level is unknown (with the
  /// nearest), a value is not a number, a column is given twice or is text, the length is too short
  /// for the given counts or nothing is counted, and if what is given is impossible.
  explicit Sampler(const Model& model, const SampleOptions& options = {});
  Sampler(Sampler&&) noexcept;
  Sampler& operator=(Sampler&&) noexcept;
  ~Sampler();

  /// Rows [first, first + rows), laid out as the model is and labelled with their classes; of a
  /// text column the terms are drawn, not their order.
  [[nodiscard]] Table draw(Index rows, const Rng& rng, const Control& control = {}) const;

  /// The same rows in chunks, in constant memory: `work` is called for each chunk, on any thread,
  /// and what it returns in the order of the rows, one at a time.
  void for_each_chunk(Index rows, const Rng& rng, const Control& control,
                      const std::function<std::function<void()>(Table&&)>& work) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

/// n rows: class by class probability, then features by the density of the class. Each block of
/// the model conditions in its own way: Gaussian columns by the Schur complement, naive ones not at
/// all, a joint table by what is left of it; counts share out the length that the given ones leave
/// over.
[[nodiscard]] Table sample(const Model& model, Index n, const Rng& rng,
                           const SampleOptions& options = {}, const Control& control = {});

}  // namespace genera
