#include "io/support.hpp"

namespace genera::model_by_hand_test {
namespace {

using namespace test;

GaussianParameters block_of(const Model& model) {
  return std::get<GaussianBlock>(model.blocks().front()).parameters();
}

Model with_format(const std::string& members) {
  return model_from_bytes(R"({"format": "genera-model", "version": 1, )" + members + "}");
}

TEST(HandWritten, SpecimenHoldsWhatItSays) {
  const Model model = load_model(specimen("v1_minimal.json"));
  GaussianParameters p;
  p.family = Family::qda;
  p.columns = {"height", "weight"};
  p.means = Matrix(2, 2, Vector{24, 4, 50, 20});
  p.covariances = {Matrix(2, 2, Vector{4, 1, 1, 1}), Matrix(2, 2, Vector{200, 90, 90, 64})};
  EXPECT_EQ(model, Model({"cat", "dog"}, Prior({0.6, 0.4}), {GaussianBlock(p)}, "class"));
}

TEST(HandWritten, SpecimenIsQuotedByTheManual) {
  const std::string manual = read_text(GENERA_TESTS "/../docs/file-format.md");
  EXPECT_NE(manual.find("```json\n" + read_text(specimen("v1_minimal.json")) + "```"),
            std::string::npos);
  const std::string long_form = read_text(specimen("v1_lda.json"));
  const std::string quoted = long_form.substr(0, long_form.find("  \"classes\""));
  EXPECT_NE(manual.find("```json\n" + quoted), std::string::npos);
}

TEST(HandWritten, VariancesMakeANaiveModel) {
  const Model model = with_format(R"("target": "t", "classes": [
      {"name": "a", "prior": 0.25, "mean": [1, 2], "variance": [3, 4]},
      {"name": "b", "prior": 0.75, "mean": [5, 6], "variance": [7, 8]}])");
  EXPECT_EQ(model.target(), "t");
  EXPECT_EQ(block_of(model).family, Family::gnb);
  EXPECT_EQ(block_of(model).variances, Matrix(2, 2, Vector{3, 4, 7, 8}));
  EXPECT_EQ(block_of(model).columns, (std::vector<std::string>{"x1", "x2"}));
}

TEST(HandWritten, OneCovarianceAtTheTopIsShared) {
  const Model model = with_format(R"("covariance": [[2, 1], [1, 2]], "classes": [
      {"name": "a", "mean": [1, 2]}, {"name": "b", "mean": [5, 6]}, {"name": "c", "mean": [0, 0]}])");
  EXPECT_EQ(block_of(model).family, Family::lda);
  EXPECT_EQ(block_of(model).covariances, std::vector{Matrix(2, 2, Vector{2, 1, 1, 2})});
  EXPECT_EQ(model.prior(), Prior::uniform(3));
}

TEST(HandWritten, OneVarianceAtTheTopIsShared) {
  const Model model = with_format(R"("variance": [2, 3], "classes": [
      {"name": "a", "mean": [1, 2], "count": 4}, {"name": "b", "mean": [5, 6], "count": 6}])");
  EXPECT_EQ(block_of(model).family, Family::dlda);
  EXPECT_EQ(block_of(model).variances, Matrix(1, 2, Vector{2, 3}));
  EXPECT_EQ(block_of(model).counts, (Vector{4, 6}));
}

TEST(HandWritten, OneFeatureNeedsNoBrackets) {
  const Model lists = with_format(R"("classes": [
      {"name": "a", "mean": [1], "covariance": [[4]]}, {"name": "b", "mean": [2], "covariance": [[9]]}])");
  EXPECT_EQ(block_of(lists).means, Matrix(2, 1, Vector{1, 2}));
  EXPECT_EQ(with_format(R"("classes": [
      {"name": "a", "mean": 1, "covariance": 4}, {"name": "b", "mean": 2, "covariance": 9}])"),
            lists);
  EXPECT_EQ(block_of(with_format(R"("variance": 4, "features": ["f"], "classes": [
      {"name": "a", "mean": 1}, {"name": "b", "mean": 2}])"))
                .variances,
            Matrix(1, 1, 4.0));
}

TEST(HandWritten, ThirdsOfAFewDigitsAreNormalised) {
  const Model model =
      with_format(R"("variance": 1, "classes": [{"name": "a", "mean": 1, "prior": 0.3333333},
      {"name": "b", "mean": 2, "prior": 0.3333333}, {"name": "c", "mean": 3, "prior": 0.3333333}])");
  for (const double p : model.prior().probabilities()) EXPECT_NEAR(p, 1.0 / 3, 1e-16);
}

TEST(HandWritten, RoundingOfASymmetricMatrixIsAveraged) {
  const Model model =
      with_format(R"("covariance": [[1, 0.30000000000000004], [0.3, 1]], "classes": [
      {"name": "a", "mean": [1, 2]}])");
  const Matrix s = block_of(model).covariances.front();
  EXPECT_EQ(s(0, 1), s(1, 0));
  EXPECT_NEAR(s(0, 1), 0.3, 1e-16);
}

TEST(HandWritten, IsSavedInTheLongForm) {
  const Model model = load_model(specimen("v1_minimal.json"));
  EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
}

}  // namespace
}  // namespace genera::model_by_hand_test
