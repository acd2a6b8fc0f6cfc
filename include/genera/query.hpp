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

/// Questions to a classifier, and questions to a Model that only a joint distribution can answer.
/// Rows are a table (or a view of one), whose columns are matched by name, or a matrix whose
/// columns are the model's features in order; there a category is the number of its level (NaN:
/// missing) and text is not possible. Missing values are marginalised exactly: the answer is that
/// of the model of the observed columns, and a row without any gets the prior. One row or a batch,
/// and any number of threads, give the same bits.
namespace genera {

/// What rows are read for.
enum class Purpose {
  predict,   ///< labels are not needed
  evaluate,  ///< every row needs a label
  impute,    ///< labels are used if the source has them
};

/// Roles for reading rows: the features of the model and, if the purpose needs them, the labels
/// from the column `target` (default: the label column of the training data). A column named
/// explicitly must exist.
[[nodiscard]] ExpectedRoles roles_for(ClassifierRef model, Purpose purpose = Purpose::predict,
                                      const std::optional<std::string>& target = {});

/// log pi_k + log p(x | k) with all constants, n x K. These are log densities and may be positive.
[[nodiscard]] Matrix log_joint(JointRef model, const Rows& rows, const Control& control = {});

/// log p(x), n.
[[nodiscard]] Vector log_density(JointRef model, const Rows& rows, const Control& control = {});

/// Posterior class probabilities, n x K; each row sums to one. A row that is impossible under every
/// class gets the prior. posterior, log_posterior and predict throw Error (bad_data) for a number
/// so large that the scores of all classes overflow, and name it; `decide` and `answers` count such
/// rows as impossible.
[[nodiscard]] Matrix posterior(ClassifierRef model, const Rows& rows, const Control& control = {});

/// The logarithm of the posterior, which also distinguishes probabilities below the range of a
/// double.
[[nodiscard]] Matrix log_posterior(ClassifierRef model, const Rows& rows,
                                   const Control& control = {});

/// The most probable class of each row (index into model.classes()); ties go to the first.
[[nodiscard]] std::vector<std::int32_t> predict(ClassifierRef model, const Rows& rows,
                                                const Control& control = {});

/// Predicted classes, with the number of rows that are impossible under every class (they get the
/// class with the largest prior).
struct Decisions {
  std::vector<std::int32_t> labels;
  Index impossible = 0;
  /// cells with a category that did not occur in training; they count as missing
  Index unseen = 0;
  MissingCells missing{};
};
[[nodiscard]] Decisions decide(ClassifierRef model, const Rows& rows, const Control& control = {});

/// Squared Mahalanobis distance of each row to each class, n x K, over the Gaussian columns; for
/// mixtures the distance to the nearest component.
[[nodiscard]] Matrix mahalanobis(const Model& model, const Rows& rows, const Control& control = {});

/// All answers about each row, in one pass over the rows. For a linear model, `log_joint` holds the
/// scores and `log_density` the log-sum-exp of the scores, which is not a density; distances are 0.
struct Answers {
  Matrix log_joint;                  ///< n x K
  Matrix distances;                  ///< n x K
  Vector log_density;                ///< n
  Matrix posterior;                  ///< n x K
  std::vector<std::int32_t> labels;  ///< n
  Index impossible = 0;              ///< rows with density zero under every class
  Index unseen = 0;                  ///< cells with a category that did not occur in training
  MissingCells missing{};
  Matrix log_posterior{};  ///< n x K; only if requested by WantedAnswers
};
[[nodiscard]] Answers answers(ClassifierRef model, const Rows& rows, const Control& control = {});

/// Selection of answers; the others stay empty and are not computed.
struct WantedAnswers {
  bool log_joint = false, distances = false, log_density = false, posterior = false, labels = false,
       log_posterior = false;
};
[[nodiscard]] Answers answers(ClassifierRef model, const Rows& rows, const WantedAnswers& wanted,
                              const Control& control = {});

/// A category that did not occur in training, with its number of cells.
struct UnseenLevel {
  std::string column, level;
  Index cells = 0;
};
/// Unseen categories of the rows, column by column; their cells count as missing. Empty for rows
/// without column names, whose categories are numbers of levels.
[[nodiscard]] std::vector<UnseenLevel> unseen_levels(ClassifierRef model, const Rows& rows);
/// Adds the categories of other rows; keeps at most a thousand different ones.
void add_levels(std::vector<UnseenLevel>& to, const std::vector<UnseenLevel>& more);

/// Outlier tail of a row: the probability that a row of the best-fitting class lies at least as far
/// out. It uses the F distribution for full covariances as estimated, and otherwise Monte Carlo
/// with a fixed seed; these draws differ from the rows that `sample` gives with the same seed.
/// Copies share their draws. Safe to use from any number of threads. For a committee the tail is
/// the probability that a row drawn from its density has a density that is not larger, by Monte
/// Carlo.
class OutlierTail {
 public:
  explicit OutlierTail(JointRef model, std::uint64_t seed = 1, const Control& control = {});
  /// Tails in [0, 1] of n complete rows; `distances` and `log_density` belong to the same rows.
  /// Throws Error (bad_argument) if the model does not model the length of rows (multinomial
  /// counts, texts): the tail is then relative to rows of the same length and needs the rows.
  [[nodiscard]] Vector operator()(const Matrix& distances, const Vector& log_density) const;
  /// The same for any rows, given the answers about them. Rows with missing values are compared
  /// with rows that lack the same columns, and rows of counts with rows of the same length, by
  /// Monte Carlo with a tenth of the draws. Throws Error (bad_argument) unless the answers contain
  /// distances and log densities of these rows.
  [[nodiscard]] Vector operator()(const Rows& rows, const Answers& answers) const;
  /// Resolution: the smallest possible tail of a complete row; 0 if tails are exact.
  [[nodiscard]] double resolution() const;
  /// The same for a row with missing values.
  [[nodiscard]] double resolution_with_missing() const;
  /// The smallest tail that every row queried so far could have had. It is larger than the others
  /// after long texts or rows of counts, which have fewer draws.
  [[nodiscard]] double resolution_so_far() const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace genera
