#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <genera/control.hpp>
#include <genera/error.hpp>
#include <genera/facts.hpp>
#include <genera/report.hpp>
#include <genera/rows.hpp>
#include <genera/stats.hpp>

/// What the numbers of a table say about the choice of a model, before any is learned. Nothing here
/// depends on the units of the columns. Weights count rows: a weight of two is the row twice.
namespace genera {

/// F with its degrees of freedom, and the probability of at least as much by chance.
struct FTest {
  double f = 0, df1 = 0, df2 = 0, p = 1;
};
struct ChiSquareTest {
  double chi2 = 0, df = 0, p = 1;
};

/// The result of a test, or why there is none; and what it means for the choice of a model.
template <class T>
struct Finding {
  std::optional<T> result{};
  std::string why_not{};  ///< if there is no result
  Advice meaning{};
};

/// Wilks' Lambda: do the means of the classes differ?
struct WilksTest {
  double log_lambda = 0;  ///< log |W| / |T|: within classes against in total
  FTest test{};           ///< Rao's approximation
  bool exact = false;     ///< one or two columns, or two or three classes
  [[nodiscard]] double lambda() const;
};

/// A direction in which the classes differ; the first one most.
struct CanonicalVariate {
  double eigenvalue = 0;   ///< of W^-1 B
  double proportion = 0;   ///< of their sum
  double correlation = 0;  ///< canonical
  ChiSquareTest test{};    ///< Bartlett's: of this and all that follow
  /// By which the columns are multiplied: the variance within classes is 1 (divisor n - K). The
  /// largest of them, in standard deviations, is positive.
  Vector coefficients{};
  Advice meaning{};
};

/// Box's M: do the covariances of the classes differ?
struct BoxTest {
  double m = 0;
  ChiSquareTest chi_square{};
  std::optional<FTest> f{};  ///< none if the classes are too small for it
  /// By how much the BIC of qda is below that of lda; negative: it is above.
  double bic_gain = 0;
  std::vector<std::string> classes_left_out{};  ///< their covariances are singular
};

/// Mardia's tests of a class. The statistics are corrected for the number of rows.
struct MardiaTest {
  double rows = 0;        ///< weight of the rows behind it; of many a part of them
  double skewness = 0;    ///< b1
  ChiSquareTest skew{};   ///< its test
  double kurtosis = 0;    ///< b2; d (d + 2) of a Gaussian
  double kurtosis_z = 0;  ///< in standard deviations from what is expected
  double kurtosis_p = 1;  ///< two-sided
};
struct ClassNormality {
  std::string name;
  Finding<MardiaTest> mardia{};
};

/// What one column says.
struct FeatureTest {
  std::string name;
  FTest alone{};
  std::optional<FTest>
      given_others{};                 ///< what it adds to all other columns; none if W is singular
  std::optional<double> inflation{};  ///< variance inflation factor, within classes
  Advice meaning{};
};

/// Columns of which one is nearly a sum of the others, within the classes.
struct NearDependence {
  double condition_index = 0;          ///< square root of the ratio of the eigenvalues
  std::vector<std::string> columns{};  ///< the largest loadings first
  Vector loadings{};                   ///< on columns divided by their deviation within classes
  Advice meaning{};
};
struct Collinearity {
  double condition = 0;  ///< the largest condition index of the correlations within classes
  std::vector<NearDependence> sets{};
};

/// A column that the tests are not about.
struct ColumnLeftOut {
  enum class Reason {
    no_value,  ///< every cell is missing
    constant,
    too_small,        ///< to be squared
    constant_within,  ///< every class, and different between them
    dependent,        ///< within the classes, on the others
  };
  std::string name;
  Reason reason = Reason::constant;
  std::string why;  ///< in words
};
[[nodiscard]] std::string_view name_of(ColumnLeftOut::Reason reason);

/// A row that is unlike the others of its class.
struct OutlyingRow {
  Index row = 0;          ///< of the data
  std::int64_t line = 0;  ///< where it begins in its file; 0: there is none
  std::string place{};    ///< "iris.csv:17", or "row 16" without a file
  std::string name{};     ///< of its class
  double distance = 0;    ///< squared, robust; of single columns the largest
  double tail = 0;        ///< probability of being at least as far out
  std::string column{};   ///< the one that is farthest from what the other columns say
  double value = 0;       ///< its value there
  double deviations = 0;  ///< how far that is
  std::string fits{};     ///< another class to which it might belong; empty: none
};
struct Outliers {
  double level = 0;  ///< expected number of rows to be listed if every class is Gaussian
  Index tested = 0;
  Index count = 0;
  std::vector<OutlyingRow> rows{};               ///< the least probable first, some of them
  std::vector<std::string> classes_by_column{};  ///< too small for a covariance: column by column
  std::vector<std::string> classes_left_out{};   ///< too small for anything
};

struct Diagnosis {
  std::vector<std::string> classes{};  ///< in the order of models
  Vector counts{};                     ///< their weights
  Index rows = 0;
  Index rows_left_out = 0;             ///< a number or the label is missing
  std::vector<std::string> columns{};  ///< that the tests are about
  std::vector<ColumnLeftOut> columns_left_out{};

  Finding<WilksTest> means{};
  std::vector<CanonicalVariate> variates{};  ///< min(columns, classes - 1), if there is the test
  Finding<BoxTest> covariances{};
  std::vector<ClassNormality> normality{};
  std::vector<FeatureTest> features{};
  Finding<Collinearity> collinearity{};
  Finding<Outliers> outliers{};

  std::vector<Note> notes{};
};

struct DiagnosisOptions {
  Index max_outliers = 20;      ///< to be listed
  double outlier_level = 0.05;  ///< see Outliers::level
  std::uint64_t seed = 1;       ///< of the search for the covariance of most rows
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const DiagnosisOptions& options);

/// Of the numeric columns; others are left out, with a note. Rows must be labelled; those that lack
/// a number are left out and counted. A class too small, or a singular covariance, leaves a test
/// out and says why. Throws Error (bad_data) if there is no numeric column or no complete row. Same
/// bits for any number of threads.
[[nodiscard]] Diagnosis diagnose(const Rows& rows, const DiagnosisOptions& options = {},
                                 const Control& control = {});
/// The same but for Mardia's tests and outliers, which need the rows.
[[nodiscard]] Diagnosis diagnose(const Statistics& statistics);

/// All but the notes. The keys do not depend on what could be tested: figures of a test that could
/// not run are null, and `why_not` states the reason.
[[nodiscard]] Facts facts(const Diagnosis& diagnosis);

}  // namespace genera
