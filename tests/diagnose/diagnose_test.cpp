// Iris: R 4.2.2 (MASS and own formulas) and SciPy 1.17 (p-values). Otherwise laws, and formulas
// written out slowly.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include <genera/diagnosis.hpp>
#include <genera/random.hpp>

#include "support/problems.hpp"

namespace genera::diagnose_test {
namespace {

using testing::error_of;
using testing::random_table;

Table iris() { return read_csv(std::string("@iris")); }

void expect_relative(double found, double right, double tolerance) {
  EXPECT_NEAR(found, right, tolerance * std::abs(right));
}

TEST(Diagnosis, OfIrisMeetsTheMeansOfR) {
  const Diagnosis found = diagnose(iris());
  ASSERT_TRUE(found.means.result);
  const WilksTest& wilks = *found.means.result;
  expect_relative(wilks.lambda(), 0.023438630650877836, 1e-11);
  EXPECT_EQ(wilks.test.df1, 8);
  EXPECT_NEAR(wilks.test.df2, 288, 1e-9);
  expect_relative(wilks.test.f, 199.1453435400867, 1e-11);
  expect_relative(wilks.test.p, 1.3650058325877663e-112, 1e-6);
  EXPECT_TRUE(wilks.exact);

  ASSERT_EQ(found.variates.size(), 2U);
  EXPECT_NEAR(found.variates[0].proportion, 0.991213, 5e-7);
  EXPECT_NEAR(found.variates[1].proportion, 0.008787, 5e-7);
  const Vector ld1{-0.8293776, -1.5344731, 2.2012117, 2.8104603};
  for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(found.variates[0].coefficients[j], ld1[j], 5e-8);
  expect_relative(found.variates[0].test.chi2, 546.1152964877409, 1e-11);
  EXPECT_EQ(found.variates[1].test.df, 3);
  expect_relative(found.variates[1].test.chi2, 36.52966437259047, 1e-10);
  expect_relative(found.variates[1].test.p, 5.78605013839806e-08, 1e-8);

  const Vector alone{119.26450218450472, 49.160040089612075, 1180.161182252976, 960.0071468018067};
  const Vector p{1.6696691907693648e-31, 4.492017133309084e-17, 2.856776610962404e-91,
                 4.169445839443833e-85};
  const Vector beside{4.721152090425395, 21.93592808895493, 35.59017484943593, 24.904333192156678};
  const Vector inflation{2.87362098, 1.64241536, 2.73877944, 1.54008728};
  for (std::size_t j = 0; j < 4; ++j) {
    const FeatureTest& feature = found.features[j];
    expect_relative(feature.alone.f, alone[j], 1e-11);
    expect_relative(feature.alone.p, p[j], 1e-6);
    EXPECT_EQ(feature.alone.df1, 2);
    EXPECT_EQ(feature.alone.df2, 147);
    expect_relative(feature.given_others->f, beside[j], 1e-10);
    EXPECT_EQ(feature.given_others->df2, 144);
    EXPECT_NEAR(*feature.inflation, inflation[j], 1e-8);
  }
  EXPECT_NEAR(found.collinearity.result->condition, 3.64259508, 1e-8);
  EXPECT_TRUE(found.collinearity.result->sets.empty());
}

TEST(Diagnosis, OfIrisMeetsTheCovariancesOfR) {
  const Diagnosis found = diagnose(iris());
  const BoxTest& box = found.covariances.result.value();
  expect_relative(box.m, 146.6632492125118, 1e-10);
  expect_relative(box.chi_square.chi2, 140.94304992349774, 1e-10);
  EXPECT_EQ(box.chi_square.df, 20);
  expect_relative(box.chi_square.p, 3.352034178317213e-20, 1e-8);
  expect_relative(box.f.value().f, 7.045261695711892, 1e-10);
  expect_relative(box.f->df2, 77566.75126903554, 1e-10);
  expect_relative(box.f->p, 3.57810601955896e-20, 1e-8);
  EXPECT_NEAR(box.bic_gain, 49.44367086553598, 1e-8);
  EXPECT_TRUE(box.classes_left_out.empty());
}

TEST(Diagnosis, OfIrisMeetsTheNormalityOfR) {
  const Diagnosis found = diagnose(iris());
  const Vector skewness{3.079721342355577, 3.022201384349611, 3.1524717810349596};
  const Vector chi2{27.859728207453568, 27.33939204115462, 28.51784211558734};
  const Vector p{0.11276170458302932, 0.1259826462875984, 0.09769648343961414};
  const Vector kurtosis{26.537656161439724, 22.879375375638173, 24.299061483010565};
  const Vector z{2.1926446904513504, -0.113102894908053, 0.7816993375359376};
  const Vector z_p{0.028332988585014172, 0.9099489799169711, 0.43439129109678376};
  ASSERT_EQ(found.normality.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) {
    const MardiaTest& mardia = found.normality[k].mardia.result.value();
    EXPECT_EQ(mardia.rows, 50);
    expect_relative(mardia.skewness, skewness[k], 1e-10);
    expect_relative(mardia.skew.chi2, chi2[k], 1e-10);
    EXPECT_EQ(mardia.skew.df, 20);
    expect_relative(mardia.skew.p, p[k], 1e-8);
    expect_relative(mardia.kurtosis, kurtosis[k], 1e-10);
    EXPECT_NEAR(mardia.kurtosis_z, z[k], 1e-9);
    expect_relative(mardia.kurtosis_p, z_p[k], 1e-7);
  }
}

/// Rows with other numbers.
Table with_numbers(Table table, const std::function<Vector(std::span<const double>)>& change) {
  Matrix numbers(table.numbers.rows(), table.numbers.columns());
  for (Index i = 0; i < numbers.rows(); ++i)
    std::ranges::copy(change(table.numbers.row(i)), numbers.row(i).begin());
  table.numbers = std::move(numbers);
  return table;
}

TEST(Diagnosis, DoesNotDependOnALinearMapOfTheColumns) {
  const Table table = random_table(300, 3, 3, 5);
  const Table mapped = with_numbers(table, [](std::span<const double> x) {
    return Vector{1e6 + 1e3 * (2 * x[0] + x[1]), x[1] - 0.7 * x[2], 1e-3 * (x[0] + x[1] + x[2])};
  });
  const Diagnosis a = diagnose(table), b = diagnose(mapped);
  EXPECT_NEAR(a.means.result->log_lambda, b.means.result->log_lambda, 1e-9);
  EXPECT_NEAR(a.variates[1].proportion, b.variates[1].proportion, 1e-9);
  EXPECT_NEAR(a.covariances.result->m, b.covariances.result->m, 1e-7);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(a.normality[k].mardia.result->skewness, b.normality[k].mardia.result->skewness,
                1e-8);
    EXPECT_NEAR(a.normality[k].mardia.result->kurtosis, b.normality[k].mardia.result->kurtosis,
                1e-8);
  }
  ASSERT_EQ(a.outliers.result->count, b.outliers.result->count);
  for (std::size_t i = 0; i < a.outliers.result->rows.size(); ++i) {
    EXPECT_EQ(a.outliers.result->rows[i].row, b.outliers.result->rows[i].row);
    expect_relative(b.outliers.result->rows[i].distance, a.outliers.result->rows[i].distance, 1e-6);
  }
}

TEST(Diagnosis, AWeightOfTwoIsTheRowTwice) {
  Table once = random_table(120, 2, 2, 9);
  std::vector<Index> twice;
  for (Index i = 0; i < once.rows(); ++i) {
    once.weights.push_back(i % 3 == 0 ? 2 : 1);
    for (int c = 0; c < (i % 3 == 0 ? 2 : 1); ++c) twice.push_back(i);
  }
  Table repeated = testing::rows_of(once, twice);
  repeated.weights.clear();
  const Diagnosis a = diagnose(once), b = diagnose(repeated);
  EXPECT_NEAR(a.means.result->test.f, b.means.result->test.f, 1e-9);
  EXPECT_NEAR(a.covariances.result->m, b.covariances.result->m, 1e-9);
  EXPECT_NEAR(a.covariances.result->bic_gain, b.covariances.result->bic_gain, 1e-9);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(a.normality[k].mardia.result->skewness, b.normality[k].mardia.result->skewness,
                1e-11);
    EXPECT_NEAR(a.normality[k].mardia.result->kurtosis_z, b.normality[k].mardia.result->kurtosis_z,
                1e-10);
  }
}

/// (x - mean)' S^-1 (y - mean) over the rows of one class, by elimination.
Matrix inner_products(const Table& table) {
  const Index n = table.rows(), d = table.numbers.columns();
  Vector mean(static_cast<std::size_t>(d));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < d; ++j)
      mean[static_cast<std::size_t>(j)] += table.numbers(i, j) / static_cast<double>(n);
  }
  const auto off = [&](Index i, Index j) {
    return table.numbers(i, j) - mean[static_cast<std::size_t>(j)];
  };
  Matrix s(d, d + n);  // S | residuals, which elimination turns into S^-1 residuals
  for (Index a = 0; a < d; ++a) {
    for (Index i = 0; i < n; ++i) {
      for (Index b = 0; b < d; ++b) s(a, b) += off(i, a) * off(i, b) / static_cast<double>(n);
      s(a, d + i) = off(i, a);
    }
  }
  for (Index p = 0; p < d; ++p) {
    const double pivot = s(p, p);
    for (double& value : s.row(p)) value /= pivot;
    for (Index a = 0; a < d; ++a) {
      const double factor = s(a, p);
      for (Index b = 0; a != p && b < s.columns(); ++b) s(a, b) -= factor * s(p, b);
    }
  }
  Matrix inner(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      for (Index a = 0; a < d; ++a) inner(i, j) += off(i, a) * s(a, d + j);
    }
  }
  return inner;
}

TEST(Diagnosis, SkewnessIsThatOfAllPairs) {
  for (const Index n : {20, 200}) {  // by pairs of rows, by third moments
    const Table table = random_table(n, 5, 1, 3);
    const Matrix inner = inner_products(table);
    double skewness = 0, kurtosis = 0;
    for (Index i = 0; i < n; ++i) {
      kurtosis += inner(i, i) * inner(i, i) / static_cast<double>(n);
      for (Index j = 0; j < n; ++j)
        skewness += std::pow(inner(i, j), 3) / static_cast<double>(n * n);
    }
    const MardiaTest mardia = diagnose(table).normality[0].mardia.result.value();
    expect_relative(mardia.skewness, skewness, 1e-9);
    expect_relative(mardia.kurtosis, kurtosis, 1e-10);
  }
}

TEST(Diagnosis, BesideTheOthersAColumnIsWorthTheLambdaItLeaves) {
  const Table table = random_table(90, 4, 3, 21);
  const Diagnosis all = diagnose(table);
  for (Index j = 0; j < 4; ++j) {
    const Table without = [&] {
      Table some = table;
      some.columns.erase(some.columns.begin() + j);
      some.numbers = Matrix(table.rows(), 3);
      for (Index i = 0; i < table.rows(); ++i) {
        for (Index c = 0; c < 3; ++c) some.numbers(i, c) = table.numbers(i, c < j ? c : c + 1);
      }
      return some;
    }();
    const double lambda =
        std::exp(all.means.result->log_lambda - diagnose(without).means.result->log_lambda);
    const FTest& beside = all.features[static_cast<std::size_t>(j)].given_others.value();
    expect_relative(beside.f, (1 - lambda) / lambda * beside.df2 / beside.df1, 1e-8);
  }
}

TEST(Diagnosis, OfOneColumnLambdaIsItsF) {
  const Diagnosis found = diagnose(random_table(60, 1, 4, 2));
  expect_relative(found.means.result->test.f, found.features[0].alone.f, 1e-11);
  expect_relative(found.features[0].given_others->f, found.features[0].alone.f, 1e-10);
  EXPECT_EQ(found.means.result->test.df2, found.features[0].alone.df2);
  EXPECT_DOUBLE_EQ(*found.features[0].inflation, 1);
}

TEST(Diagnosis, OfTwoColumnsIsThatOfTheirDeterminants) {
  const Table table = random_table(40, 2, 2, 8);
  double m = 0, weight = 0;
  Matrix pooled(2, 2);
  for (const std::int32_t k : {0, 1}) {
    Matrix s(2, 2);
    double n = 0;
    Vector mean(2);
    for (Index i = 0; i < 40; ++i) {
      if (table.labels[static_cast<std::size_t>(i)] != k) continue;
      n += 1;
      for (Index j = 0; j < 2; ++j) mean[static_cast<std::size_t>(j)] += table.numbers(i, j);
    }
    for (Index i = 0; i < 40; ++i) {
      if (table.labels[static_cast<std::size_t>(i)] != k) continue;
      for (Index a = 0; a < 2; ++a) {
        for (Index b = 0; b < 2; ++b)
          s(a, b) += (table.numbers(i, a) - mean[static_cast<std::size_t>(a)] / n) *
                     (table.numbers(i, b) - mean[static_cast<std::size_t>(b)] / n);
      }
    }
    for (Index a = 0; a < 2; ++a) {
      for (Index b = 0; b < 2; ++b) pooled(a, b) += s(a, b);
    }
    weight += n - 1;
    m -= (n - 1) * std::log((s(0, 0) * s(1, 1) - s(0, 1) * s(0, 1)) / ((n - 1) * (n - 1)));
  }
  const double determinant = pooled(0, 0) * pooled(1, 1) - pooled(0, 1) * pooled(0, 1);
  m += weight * std::log(determinant / (weight * weight));
  const Diagnosis found = diagnose(table);
  expect_relative(found.covariances.result->m, m, 1e-9);
  EXPECT_EQ(found.covariances.result->chi_square.df, 3);
  const double r2 = pooled(0, 1) * pooled(0, 1) / (pooled(0, 0) * pooled(1, 1));
  for (const FeatureTest& feature : found.features)
    expect_relative(*feature.inflation, 1 / (1 - r2), 1e-10);
}

TEST(Diagnosis, NamesColumnsThatDoNotVaryOrFollowFromOthers) {
  Table table = with_numbers(random_table(80, 5, 2, 4), [](std::span<const double> x) {
    return Vector{x[0], 7, x[1], 3 * x[0] - 2 * x[1], x[2]};
  });
  for (Index i = 0; i < table.rows(); ++i)
    table.numbers(i, 4) = table.labels[static_cast<std::size_t>(i)];
  const Diagnosis found = diagnose(table);
  ASSERT_EQ(found.columns_left_out.size(), 3U);
  EXPECT_EQ(found.columns_left_out[0].name, "x1");
  EXPECT_EQ(found.columns_left_out[0].reason, ColumnLeftOut::Reason::constant);
  EXPECT_EQ(found.columns_left_out[1].name, "x4");
  EXPECT_EQ(found.columns_left_out[1].reason, ColumnLeftOut::Reason::constant_within);
  EXPECT_EQ(found.columns_left_out[2].reason, ColumnLeftOut::Reason::dependent);
  EXPECT_NE(found.columns_left_out[2].why.find("'x"), std::string::npos);
  EXPECT_EQ(found.columns.size(), 2U);
  EXPECT_TRUE(found.means.result);
  EXPECT_TRUE(found.covariances.result);
}

TEST(Diagnosis, NamesColumnsThatNearlyFollowFromOthers) {
  const Table table = with_numbers(random_table(200, 5, 2, 14), [](std::span<const double> x) {
    return Vector{x[0], x[1], x[2], x[0] + x[2] + 1e-3 * x[3], 100 * x[4]};
  });
  const Collinearity found = diagnose(table).collinearity.result.value();
  ASSERT_EQ(found.sets.size(), 1U);
  EXPECT_GT(found.sets[0].condition_index, 100);
  std::vector<std::string> names = found.sets[0].columns;
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"x0", "x2", "x3"}));
}

TEST(Diagnosis, LeavesOutWhatCannotBeTestedAndSaysWhy) {
  Table table = random_table(63, 3, 2, 6);
  table.classes.emplace_back("small");
  for (std::size_t i = 0; i < 3; ++i) table.labels[i] = 2;
  const Diagnosis found = diagnose(table);
  EXPECT_EQ(found.covariances.result->classes_left_out, (std::vector<std::string>{"small"}));
  const auto small = std::ranges::find(found.normality, "small", &ClassNormality::name);
  ASSERT_NE(small, found.normality.end());
  EXPECT_EQ(small->mardia.why_not, "3 rows for 3 columns");
  EXPECT_EQ(found.outliers.result->classes_left_out, (std::vector<std::string>{"small"}));
  EXPECT_TRUE(found.means.result);
}

TEST(Diagnosis, OfMoreColumnsThanRowsLooksAtSingleColumns) {
  const Diagnosis found = diagnose(random_table(30, 40, 2, 6));
  EXPECT_EQ(found.means.why_not, "30 rows in 2 classes are too few for 40 columns");
  EXPECT_EQ(found.covariances.why_not, found.means.why_not);
  EXPECT_FALSE(found.collinearity.result);
  EXPECT_EQ(found.features.size(), 40U);
  EXPECT_FALSE(found.features[0].given_others);
  EXPECT_EQ(found.outliers.result->classes_by_column.size(), 2U);
}

TEST(Diagnosis, OfOneClassComparesNothing) {
  const Diagnosis found = diagnose(random_table(50, 2, 1, 6));
  EXPECT_EQ(found.means.why_not, "there is only one class");
  EXPECT_EQ(found.covariances.why_not, "there is only one class");
  EXPECT_TRUE(found.features.empty());
  EXPECT_TRUE(found.normality[0].mardia.result);
  EXPECT_TRUE(found.outliers.result);
}

TEST(Diagnosis, TakesCompleteRowsAndCountsTheOthers) {
  const Table table = random_table(200, 3, 2, 12);
  const Table missing = testing::with_missing(table, 0.1, 3);
  std::vector<Index> complete;
  for (Index i = 0; i < missing.rows(); ++i) {
    const auto row = missing.numbers.row(i);
    if (std::ranges::none_of(row, [](double x) { return std::isnan(x); })) complete.push_back(i);
  }
  const Diagnosis found = diagnose(missing);
  const Diagnosis right = diagnose(testing::rows_of(table, complete));
  EXPECT_EQ(found.rows, std::ssize(complete));
  EXPECT_EQ(found.rows_left_out, 200 - std::ssize(complete));
  EXPECT_EQ(found.means.result->log_lambda, right.means.result->log_lambda);
  EXPECT_EQ(found.normality[1].mardia.result->skewness, right.normality[1].mardia.result->skewness);
  ASSERT_EQ(found.notes.size(), 1U);
}

TEST(Diagnosis, OfStatisticsLacksWhatTakesRows) {
  const Table table = random_table(100, 3, 2, 12);
  const Diagnosis rows = diagnose(table), sums = diagnose(collect(table).statistics);
  EXPECT_EQ(sums.means.result->log_lambda, rows.means.result->log_lambda);
  EXPECT_EQ(sums.covariances.result->m, rows.covariances.result->m);
  EXPECT_EQ(sums.normality[0].mardia.why_not, "statistics do not keep the rows");
  EXPECT_FALSE(sums.outliers.result);
  const Diagnosis variances = diagnose(collect(table, {.scatter = Scatter::diagonal}).statistics);
  expect_relative(variances.features[2].alone.f, rows.features[2].alone.f, 1e-12);
  EXPECT_EQ(variances.means.why_not, "the statistics contain only variances");
}

/// Every number of a diagnosis.
Vector numbers_of(const Diagnosis& of) {
  Vector all;
  const auto add_f = [&](const FTest& t) { all.insert(all.end(), {t.f, t.df1, t.df2, t.p}); };
  const auto add_chi2 = [&](const ChiSquareTest& t) { all.insert(all.end(), {t.chi2, t.df, t.p}); };
  if (of.means.result) add_f(of.means.result->test);
  for (const CanonicalVariate& v : of.variates) {
    add_chi2(v.test);
    all.insert(all.end(), {v.eigenvalue, v.proportion, v.correlation});
    all.insert(all.end(), v.coefficients.begin(), v.coefficients.end());
  }
  if (of.covariances.result) {
    add_chi2(of.covariances.result->chi_square);
    if (of.covariances.result->f) add_f(*of.covariances.result->f);
    all.insert(all.end(), {of.covariances.result->m, of.covariances.result->bic_gain});
  }
  for (const ClassNormality& c : of.normality) {
    if (!c.mardia.result) continue;
    add_chi2(c.mardia.result->skew);
    all.insert(all.end(), {c.mardia.result->skewness, c.mardia.result->kurtosis,
                           c.mardia.result->kurtosis_z, c.mardia.result->kurtosis_p});
  }
  for (const FeatureTest& f : of.features) {
    add_f(f.alone);
    if (f.given_others) add_f(*f.given_others);
    if (f.inflation) all.push_back(*f.inflation);
  }
  if (of.collinearity.result) all.push_back(of.collinearity.result->condition);
  if (of.outliers.result) {
    for (const OutlyingRow& row : of.outliers.result->rows)
      all.insert(all.end(), {row.distance, row.tail, row.value, row.deviations});
  }
  return all;
}

TEST(Diagnosis, IsNeverNotANumber) {  // few rows, few values, many constants
  Rng rng(17);
  for (int trial = 0; trial < 300; ++trial) {
    const auto n = static_cast<Index>(1 + rng() % 30), d = static_cast<Index>(1 + rng() % 5);
    const double values = 1 + static_cast<double>(rng() % 4);
    Matrix numbers(n, d);
    std::vector<std::string> names, labels;
    for (Index j = 0; j < d; ++j) names.push_back("c" + std::to_string(j));
    for (Index i = 0; i < n; ++i) {
      labels.push_back(std::string(1, static_cast<char>('a' + rng() % 3)));
      for (Index j = 0; j < d; ++j) numbers(i, j) = std::floor(values * rng.uniform());
    }
    const Diagnosis found = diagnose(make_table(names, std::move(numbers), labels));
    for (const double value : numbers_of(found)) EXPECT_FALSE(std::isnan(value)) << trial;
    EXPECT_NE(found.means.result.has_value(), !found.means.why_not.empty()) << trial;
    EXPECT_NE(found.covariances.result.has_value(), !found.covariances.why_not.empty()) << trial;
    EXPECT_NE(found.outliers.result.has_value(), !found.outliers.why_not.empty()) << trial;
    for (const ClassNormality& c : found.normality)
      EXPECT_NE(c.mardia.result.has_value(), !c.mardia.why_not.empty()) << trial;
    EXPECT_FALSE(found.means.meaning.text.empty()) << trial;
  }
}

TEST(Diagnosis, HasTheSameBitsForAnyNumberOfThreads) {
  const Table table = random_table(3000, 4, 5, 19);
  EXPECT_EQ(numbers_of(diagnose(table, {}, {.threads = 1})),
            numbers_of(diagnose(table, {}, {.threads = 4})));
}

TEST(Diagnosis, LosesNoDigitsFarFromZero) {
  const Table table = random_table(300, 3, 2, 5);
  const Table far = with_numbers(table, [](std::span<const double> x) {
    return Vector{1e8 + std::round(x[0] * 1024) / 1024, x[1], x[2]};
  });
  const Table near = with_numbers(table, [](std::span<const double> x) {
    return Vector{std::round(x[0] * 1024) / 1024, x[1], x[2]};
  });
  const Diagnosis a = diagnose(near), b = diagnose(far);
  EXPECT_NEAR(a.means.result->log_lambda, b.means.result->log_lambda, 1e-10);
  EXPECT_NEAR(a.covariances.result->m, b.covariances.result->m, 1e-8);
  EXPECT_NEAR(a.normality[0].mardia.result->skewness, b.normality[0].mardia.result->skewness,
              1e-10);
}

TEST(Diagnosis, RefusesWhatItCannotLookAt) {
  const Table words = read_csv(Source::text("a,class\nx,1\ny,2\nx,1\ny,2\n"));
  EXPECT_EQ(error_of([&] { (void)diagnose(words); }),
            "there is no numeric column to diagnose | the tests are about numbers: give a table "
            "that has some");
  Table missing = make_table({"a", "b"}, Matrix(2, 2, {NAN, 1, 2, NAN}), {"x", "y"});
  EXPECT_EQ(error_of([&] { (void)diagnose(missing); }),
            "no row with a label has all numbers | leave out what is missing most: drop = a");
  EXPECT_EQ(error_of([&] { (void)diagnose(random_table(9, 1, 1, 1), {.max_outliers = -1}); }),
            "outliers is -1, expected at least 0 | give how many rows to list");
  EXPECT_EQ(error_of([&] { (void)diagnose(random_table(9, 1, 1, 1), {.outlier_level = 0}); }),
            "outlier_level is 0, expected a number between 0 and 1 | 0.05 lists a row by chance in "
            "one of twenty tables");
  Table large = make_table({"a"}, Matrix(3, 1, {1e200, -1e200, 5}), {"x", "x", "y"});
  EXPECT_EQ(error_of([&] { (void)diagnose(large); }),
            "the values of 'a' are too large to be squared | measure the column in a larger unit");
}

}  // namespace
}  // namespace genera::diagnose_test
