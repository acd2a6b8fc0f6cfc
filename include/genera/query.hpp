#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <genera/control.hpp>
#include <genera/classifier.hpp>
#include <genera/rows.hpp>
#include <genera/stream.hpp>

/// Questions to a classifier, and those that only a joint distribution can answer, which take a
/// Model. Rows come as a table or a view of one (columns found by
/// name), or as numbers whose columns are the model's features in order; there a category is the
/// number of its level (NaN: missing) and text has no place. What is missing is marginalised
/// exactly: the answer is that of the model of the columns observed, and a row without any gets the
/// prior. One row and a batch, and any number of threads, give the same bits.
namespace genera {

/// What rows are read for.
enum class Purpose {
  predict,   ///< labels are not needed
  evaluate,  ///< every row has one
  impute,    ///< labels help where the source has them
};

/// How to read rows for a model: its features and, where the purpose needs them, the labels in the
/// column `target`, or else in the one that the model was learned from. A column that was asked for
/// by name must be there.
[[nodiscard]] ExpectedRoles roles_for(ClassifierRef model, Purpose purpose = Purpose::predict,
                                      const std::optional<std::string>& target = {});

/// log pi_k + log p(x | k) with all constants, n x K. A density: may be positive.
[[nodiscard]] Matrix log_joint(const Model& model, const Rows& rows, const Control& control = {});

/// log p(x), n.
[[nodiscard]] Vector log_density(const Model& model, const Rows& rows, const Control& control = {});

/// Posterior class probabilities, n x K; every row sums to one. A row impossible under every class
/// gets the prior. Throws Error (bad_data) if a number is so large that the scores of every class
/// overflow, naming it; so do log_posterior and predict.
/// `decide` and `answers` count such rows as impossible.
[[nodiscard]] Matrix posterior(ClassifierRef model, const Rows& rows, const Control& control = {});

/// Its logarithm, which tells apart what is too small for a double.
[[nodiscard]] Matrix log_posterior(ClassifierRef model, const Rows& rows,
                                   const Control& control = {});

/// The most probable class of each row (index into model.classes()); ties go to the first.
[[nodiscard]] std::vector<std::int32_t> predict(ClassifierRef model, const Rows& rows,
                                                const Control& control = {});

/// The same, with the number of rows that are impossible under every class (they get the class of
/// the largest prior).
struct Decisions {
  std::vector<std::int32_t> labels;
  Index impossible = 0;
  Index unseen = 0;  ///< cells with a category that the model has never seen: taken as missing
  MissingCells missing{};
};
[[nodiscard]] Decisions decide(ClassifierRef model, const Rows& rows, const Control& control = {});

/// Squared Mahalanobis distance of each row to each class, n x K, over the Gaussian columns; of a
/// mixture that to the nearest component.
[[nodiscard]] Matrix mahalanobis(const Model& model, const Rows& rows, const Control& control = {});

/// Everything the model says of each row, in one pass over the rows. Of a linear model `log_joint`
/// are the scores and `log_density` is the log of the sum of their exponentials, which are no
/// densities; distances are 0.
struct Answers {
  Matrix log_joint;                  ///< n x K
  Matrix distances;                  ///< n x K
  Vector log_density;                ///< n
  Matrix posterior;                  ///< n x K
  std::vector<std::int32_t> labels;  ///< n
  Index impossible = 0;              ///< rows of density zero under every class
  Index unseen = 0;                  ///< cells with a category that the model has never seen
  MissingCells missing{};
  Matrix log_posterior{};  ///< n x K; only where it is among the WantedAnswers
};
[[nodiscard]] Answers answers(ClassifierRef model, const Rows& rows, const Control& control = {});

/// Which of them are wanted: the others stay empty and cost nothing.
struct WantedAnswers {
  bool log_joint = false, distances = false, log_density = false, posterior = false, labels = false,
       log_posterior = false;
};
[[nodiscard]] Answers answers(ClassifierRef model, const Rows& rows, const WantedAnswers& wanted,
                              const Control& control = {});

/// A category that a model has never seen, and how many cells hold it.
struct UnseenLevel {
  std::string column, level;
  Index cells = 0;
};
/// Those of the rows, column by column; cells with them are taken as missing. Rows without names of
/// columns have none: their categories are numbers of levels.
[[nodiscard]] std::vector<UnseenLevel> unseen_levels(ClassifierRef model, const Rows& rows);
/// Adds those of other rows, up to a thousand different ones.
void add_levels(std::vector<UnseenLevel>& to, const std::vector<UnseenLevel>& more);

/// How unusual a row is: the probability that a row of the model's best-fitting class lies at least
/// as far out (F law for full covariances as estimated; otherwise Monte Carlo with a fixed seed,
/// whose draws are not the rows that `sample` gives with the same seed). Copies share what they
/// have drawn; any number of threads may ask.
class OutlierTail {
 public:
  explicit OutlierTail(const Model& model, std::uint64_t seed = 1, const Control& control = {});
  /// n tails in [0, 1] of complete rows; `distances` and `log_density` are those of the same rows.
  /// Throws Error (bad_argument) if the model does not say how long rows are (multinomial counts,
  /// texts): the tail is then that among rows of the same length, and takes the rows.
  [[nodiscard]] Vector operator()(const Matrix& distances, const Vector& log_density) const;
  /// The same of any rows, with what the model answered. A row that lacks something is compared
  /// with rows that lack the same, and a row of counts with rows of its length; by Monte Carlo,
  /// with a tenth of the draws. Throws Error (bad_argument) unless the answers hold distances and
  /// log densities of these rows.
  [[nodiscard]] Vector operator()(const Rows& rows, const Answers& answers) const;
  /// The smallest tail of a complete row that can be told apart; 0 if exact.
  [[nodiscard]] double resolution() const;
  /// The same of a row that lacks something.
  [[nodiscard]] double resolution_with_missing() const;
  /// The smallest tail that the rows asked about so far could all have had: larger than the others
  /// where there were long texts or counts, which are drawn less often.
  [[nodiscard]] double resolution_so_far() const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace genera
