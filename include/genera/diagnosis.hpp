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

/// Tests of the assumptions of the models on the numeric columns of a table, before any model is
/// fitted. Results do not depend on the units of the columns. A row of weight two counts as two
/// equal rows.
namespace genera {

/// An F statistic with its degrees of freedom and p-value.
struct FTest {
  double f = 0, df1 = 0, df2 = 0, p = 1;
};
struct ChiSquareTest {
  double chi2 = 0, df = 0, p = 1;
};

/// The result of a test, or the reason why it could not run, and what it implies for the choice of
/// a model.
template <class T>
struct Finding {
  std::optional<T> result{};
  std::string why_not{};  ///< reason, if there is no result
  Advice meaning{};
};

/// Wilks' Lambda: do the class means differ?
struct WilksTest {
  double log_lambda = 0;  ///< log |W| / |T|: within-class against total scatter
  FTest test{};           ///< Rao's approximation
  bool exact = false;     ///< true for one or two columns, and for two or three classes
  [[nodiscard]] double lambda() const;
};

/// A canonical variate. Variates are sorted by decreasing separation of the classes.
struct CanonicalVariate {
  double eigenvalue = 0;   ///< of W^-1 B
  double proportion = 0;   ///< of the sum of all eigenvalues
  double correlation = 0;  ///< canonical
  ChiSquareTest test{};    ///< Bartlett's, for this and all later variates
  /// Coefficients of the columns, scaled to within-class variance 1 (divisor n - K). The one that
  /// is largest in standard deviations is positive.
  Vector coefficients{};
  Advice meaning{};
};

/// Box's M: do the class covariances differ?
struct BoxTest {
  double m = 0;
  ChiSquareTest chi_square{};
  std::optional<FTest> f{};  ///< empty if the classes are too small for it
  /// BIC of lda minus BIC of qda; negative if lda is preferred.
  double bic_gain = 0;
  std::vector<std::string> classes_left_out{};  ///< classes with singular covariances
};

/// Mardia's tests of a class. The statistics are corrected for the number of rows.
struct MardiaTest {
  double rows = 0;        ///< weight of the rows used; a sample in large classes
  double skewness = 0;    ///< b1
  ChiSquareTest skew{};   ///< its test
  double kurtosis = 0;    ///< b2; its expectation for a Gaussian is d (d + 2)
  double kurtosis_z = 0;  ///< standardised deviation from the expectation
  double kurtosis_p = 1;  ///< two-sided
};
struct ClassNormality {
  std::string name;
  Finding<MardiaTest> mardia{};
};

/// Tests of a single column.
struct FeatureTest {
  std::string name;
  FTest alone{};
  std::optional<FTest>
      given_others{};  ///< its contribution beyond all other columns; empty if W is singular
  std::optional<double> inflation{};  ///< variance inflation factor, within classes
  Advice meaning{};
};

/// Columns that are nearly linearly dependent within the classes.
struct NearDependence {
  double condition_index = 0;          ///< square root of the ratio of the eigenvalues
  std::vector<std::string> columns{};  ///< sorted by decreasing loading
  Vector loadings{};  ///< on columns divided by their within-class standard deviations
  Advice meaning{};
};
struct Collinearity {
  double condition = 0;  ///< largest condition index of the within-class correlations
  std::vector<NearDependence> sets{};
};

/// A column excluded from the tests.
struct ColumnLeftOut {
  enum class Reason {
    no_value,  ///< every cell is missing
    constant,
    too_small,        ///< its squares underflow
    constant_within,  ///< constant within every class, but different between classes
    dependent,        ///< linearly dependent on the others within the classes
  };
  std::string name;
  Reason reason = Reason::constant;
  std::string why;  ///< the reason as text
};
[[nodiscard]] std::string_view name_of(ColumnLeftOut::Reason reason);

/// A row that is unusual for its class.
struct OutlyingRow {
  Index row = 0;          ///< of the data
  std::int64_t line = 0;  ///< line on which it begins in its file; 0 without a file
  std::string place{};    ///< "iris.csv:17", or "row 16" without a file
  std::string name{};     ///< its class
  /// squared and robust; for classes tested column by column, the largest of a single column
  double distance = 0;
  double tail = 0;        ///< probability of a distance at least as large
  std::string column{};   ///< the column that deviates most from its prediction by the others
  double value = 0;       ///< value of that column
  double deviations = 0;  ///< that deviation, in standard deviations
  std::string fits{};     ///< another class that fits better; empty: none
};
struct Outliers {
  double level = 0;  ///< expected number of listed rows if every class is Gaussian
  Index tested = 0;
  Index count = 0;
  std::vector<OutlyingRow> rows{};  ///< the most unusual rows, sorted by tail
  /// classes too small for a covariance, tested column by column
  std::vector<std::string> classes_by_column{};
  std::vector<std::string> classes_left_out{};  ///< classes too small for any test
};

struct Diagnosis {
  std::vector<std::string> classes{};  ///< sorted as in models
  Vector counts{};                     ///< their weights
  Index rows = 0;
  Index rows_left_out = 0;             ///< rows with a missing number or label
  std::vector<std::string> columns{};  ///< the tested columns
  std::vector<ColumnLeftOut> columns_left_out{};

  Finding<WilksTest> means{};
  std::vector<CanonicalVariate> variates{};  ///< min(columns, classes - 1), if the test ran
  Finding<BoxTest> covariances{};
  std::vector<ClassNormality> normality{};
  std::vector<FeatureTest> features{};
  Finding<Collinearity> collinearity{};
  Finding<Outliers> outliers{};

  std::vector<Note> notes{};
};

struct DiagnosisOptions {
  Index max_outliers = 20;      ///< maximum number of rows listed
  double outlier_level = 0.05;  ///< see Outliers::level
  std::uint64_t seed = 1;       ///< of the search for the robust covariance
};
/// Throws Error (bad_argument) on a value out of range.
void validate(const DiagnosisOptions& options);

/// Diagnoses the numeric columns; others are left out with a note. Rows must be labelled; rows with
/// a missing number are left out and counted. If a class is too small or a covariance singular, the
/// test is left out and states the reason. Throws Error (bad_data) if there is no numeric column or
/// no complete row. Same bits for any number of threads.
[[nodiscard]] Diagnosis diagnose(const Rows& rows, const DiagnosisOptions& options = {},
                                 const Control& control = {});
/// The same without Mardia's tests and outliers, which need the rows.
[[nodiscard]] Diagnosis diagnose(const Statistics& statistics);

/// Everything but the notes. The keys do not depend on which tests ran: values of a test that could
/// not run are null, and `why_not` states the reason.
[[nodiscard]] Facts facts(const Diagnosis& diagnosis);

}  // namespace genera
