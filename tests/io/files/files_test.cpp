#include "io/support.hpp"

#include <rapidcheck/gtest.h>

namespace genera::model_file_test {
namespace {

using namespace test;

class EveryFamily : public ::testing::TestWithParam<Family> {};

TEST_P(EveryFamily, IsTheSameAfterSavingAndLoading) {
  const TemporaryFolder folder;
  const Model model = small_model(GetParam());
  for (const std::string name : {"m.json", "m.cbor", "m"}) {
    save(model, folder / name);
    const Model loaded = load_model(folder / name);
    EXPECT_EQ(loaded, model);
    EXPECT_EQ(to_bytes(loaded), to_bytes(model));  // also the sign of zero
  }
  EXPECT_EQ(read_text(folder / "m.json"), to_bytes(model));
  EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
}

INSTANTIATE_TEST_SUITE_P(Gaussian, EveryFamily,
                         ::testing::Values(Family::qda, Family::lda, Family::gnb, Family::dlda,
                                           Family::spherical, Family::centroid, Family::rda),
                         [](const auto& family) { return std::string(name_of(family.param)); });

TEST(ModelFile, KeepsWhatIsRarelySet) {
  GaussianParameters p = small_parameters(Family::lda);
  p.shrinkage = {0.25};
  p.raw_units = true;
  p.unbiased = true;
  p.counts = {3.5, 1e15};
  const Model model({"1", "2"}, Prior({1.0 / 3, 2.0 / 3}), {GaussianBlock(p)}, "", {});
  EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
}

TEST(ModelFile, KeepsAlphaAndGammaOfAnyFamily) {
  GaussianParameters p = small_parameters(Family::qda);
  p.alpha = 0.5;
  p.gamma = 0.25;
  const Model model({"1", "2"}, Prior({0.5, 0.5}), {GaussianBlock(p)});
  EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
}

TEST(ModelFile, KeepsSeveralBlocksWithTheirOwnCounts) {
  GaussianParameters p = small_parameters(Family::qda);
  GaussianParameters q = small_parameters(Family::dlda);
  q.columns = {"u", "v"};
  for (const auto& [first, second] : std::vector<std::pair<Vector, Vector>>{
           {{}, {}}, {{1, 2}, {1, 2}}, {{1, 2}, {3, 4}}, {{1, 2}, {}}, {{}, {1, 2}}}) {
    p.counts = first;
    q.counts = second;
    const Model model({"1", "2"}, Prior({0.5, 0.5}), {GaussianBlock(p), GaussianBlock(q)});
    EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
  }
}

TEST(ModelFile, KeepsAModelOfOneClass) {
  for (const bool full : {true, false}) {
    GaussianParameters p;
    p.columns = {"x"};
    p.family = full ? Family::qda : Family::gnb;
    p.means = Matrix(1, 1, 2.0);
    if (full)
      p.covariances = {Matrix(1, 1, 4.0)};
    else
      p.variances = Matrix(1, 1, 4.0);
    const Model model({"only"}, Prior({1.0}), {GaussianBlock(p)});
    EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
  }
}

RC_GTEST_PROP(ModelFile, AnyNumbersSurvive, (std::vector<double> means)) {
  RC_PRE(!means.empty());
  const auto d = static_cast<Index>(means.size());
  GaussianParameters p;
  p.family = Family::dlda;
  for (Index j = 0; j < d; ++j) p.columns.push_back(std::to_string(j));
  p.means = Matrix(1, d, means);
  p.variances = Matrix(
      1, d,
      *rc::gen::container<Vector>(means.size(), rc::gen::map(rc::gen::positive<double>(),
                                                             [](double x) { return x + 1e-9; })));
  const Vector weights = *rc::gen::container<Vector>(1, rc::gen::positive<double>());
  const Model model({"k"}, Prior(weights), {GaussianBlock(p)});
  RC_ASSERT(model_from_bytes(to_bytes(model)) == model);
}

RC_GTEST_PROP(ModelFile, AnyPriorSurvives, (std::uint16_t seed)) {
  const std::size_t classes = 1 + seed % 40;
  const Vector weights = *rc::gen::container<Vector>(
      classes,
      rc::gen::map(rc::gen::inRange(1, 1000000), [](int n) { return static_cast<double>(n); }));
  GaussianParameters p;
  p.columns = {"x"};
  p.family = Family::dlda;
  p.means = Matrix(static_cast<Index>(classes), 1, 0.0);
  p.variances = Matrix(1, 1, 1.0);
  std::vector<std::string> names;
  for (std::size_t k = 0; k < classes; ++k) names.push_back(std::to_string(k));
  const Model model(names, Prior(weights), {GaussianBlock(p)});
  RC_ASSERT(model_from_bytes(to_bytes(model)) == model);
}

class Specimen : public ::testing::TestWithParam<const char*> {};

// Files of version 1 load for ever, and version 1 is what we write.
TEST_P(Specimen, LoadsAndIsWrittenTheSame) {
  const std::string path = specimen(GetParam());
  const Model model = load_model(path);
  EXPECT_EQ(to_bytes(model), read_text(path));
  EXPECT_EQ(model.classes(), (std::vector<std::string>{"setosa", "versicolor", "virginica"}));
  EXPECT_EQ(model.target(), "species");
  const auto& p = std::get<GaussianBlock>(model.blocks().front()).parameters();
  EXPECT_EQ(p.columns, (std::vector<std::string>{"sepal_length", "petal_length"}));
  EXPECT_EQ(p.counts, (Vector{50, 50, 50}));
  EXPECT_EQ(p.means(1, 1), 4.26);
}

INSTANTIATE_TEST_SUITE_P(OfVersion1, Specimen,
                         ::testing::Values("v1_lda.json", "v1_qda.json", "v1_gnb.json"));

TEST(ModelFile, LowPartsOfMeansAreKept) {
  const Model model = load_model(specimen("v1_qda_far.json"));
  const auto& p = std::get<GaussianBlock>(model.blocks().front()).parameters();
  EXPECT_EQ(p.means(1, 1), 100000004.26);
  EXPECT_EQ(p.means_low.rows(), 3);
  EXPECT_NE(p.means_low(1, 1), 0);
  EXPECT_LT(std::abs(p.means_low(1, 1)), 1e-8);
  const TemporaryFolder folder;
  for (const char* name : {"m.json", "m.cbor"}) {
    save(model, folder / name);
    EXPECT_EQ(load_model(folder / name), model);
  }
  EXPECT_EQ(read_text(folder / "m.json"), read_text(specimen("v1_qda_far.json")));
}

TEST(ModelFile, CborIsKnownByItsContent) {
  const TemporaryFolder folder;
  const Model model = load_model(specimen("v1_qda.json"));
  save(model, folder / "m.cbor");
  std::filesystem::rename(folder / "m.cbor", folder / "m.json");
  EXPECT_EQ(load_model(folder / "m.json"), model);
  EXPECT_EQ(load_model(specimen("v1_qda.cbor")), model);
  EXPECT_EQ(read_text(specimen("v1_qda.cbor")), read_text(folder / "m.json"));
}

}  // namespace
}  // namespace genera::model_file_test
