#include "io/support.hpp"

namespace genera::model_refusal_test {
namespace {

using namespace test;

/// What is said about the text of a model.
std::string said_of(const std::string& text) {
  return refusal([&] { (void)model_from_bytes(text, "m.json"); });
}

/// A change of a good file and what is then said.
struct Damage {
  std::string from;
  std::string to;
  std::string what;
};

void expect_refused(const std::string& good, const std::vector<Damage>& damages) {
  for (const Damage& damage : damages) {
    const std::string said = said_of(edited(good, damage.from, damage.to));
    EXPECT_TRUE(said.starts_with("bad_model | m.json: " + damage.what))
        << damage.from << " -> " << damage.to << "\n  said " << said;
  }
}

TEST(ModelRefusal, OfFilesThatCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal([&] { (void)load_model(folder / "none.json"); }),
            "bad_model | " + folder / "none.json" +
                ": cannot be read: No such file or directory | check the name and the permissions "
                "of the file");
  EXPECT_TRUE(refusal([&] {
                (void)load_model(folder / "");
              }).starts_with("bad_model | " + folder / "" + ": cannot be read: it is a folder"));
  EXPECT_EQ(refusal([&] { (void)load_model(""); }),
            "bad_model | the name of a file is empty | give the path of a file, or - for standard "
            "input");
}

TEST(ModelRefusal, OfAnotherFormatOrVersion) {
  const std::string needs = "it needs \"format\": \"genera-model\", \"version\": 1";
  EXPECT_EQ(said_of("{}"), "bad_model | m.json: the document has no 'format' | " + needs);
  EXPECT_EQ(said_of(R"({"format": "other"})"),
            "bad_model | m.json: 'format' is 'other', expected 'genera-model' | " + needs);
  EXPECT_EQ(said_of(R"({"format": "genera-model"})"),
            "bad_model | m.json: the document has no 'version' | " + needs);
  EXPECT_EQ(said_of(R"({"format": "genera-model", "version": 2})"),
            "bad_model | m.json: 'version' is 2: written by a newer genera (this one reads version "
            "1) | update genera, or write the file again with this one");
  EXPECT_EQ(said_of(R"({"format": "genera-model", "version": 0.5})"),
            "bad_model | m.json: 'version' is 0.5, expected 1 | " + needs);
  EXPECT_EQ(said_of("[1]"),
            "bad_model | m.json: the document is a list, expected an object | docs/file-format.md "
            "lists what each key holds");
  EXPECT_EQ(
      refusal([&] { (void)load_model(specimen("v1_statistics_full.json")); }),
      "bad_model | " + specimen("v1_statistics_full.json") +
          ": the file holds statistics, not a model | estimate a model from the statistics first");
}

TEST(ModelRefusal, OfTheLongForm) {
  const std::string first = "\"prior\": 0.3333333333333333";
  expect_refused(
      read_text(specimen("v1_qda.json")),
      {
          {"\"classes\"", "\"clases\"", "'classes' is missing"},
          {"\"target\"", "\"traget\"", "'traget' is not a known key | did you mean 'target'?"},
          {"\"divisor\"", "\"divsor\"",
           "'blocks[0].divsor' is not a known key | did you mean 'divisor'?"},
          {"\"count\"", "\"cont\"", "'classes[0].count' is missing"},
          {"\"name\"", "\"nme\"", "'classes[0].name' is missing"},
          {first, "\"prier\": 1", "'classes[0].prier' is not a known key | did you mean 'prior'?"},
          {first, "\"prior\": \"x\"", "'classes[0].prior' is text, expected a number"},
          {first, "\"prior\": -0.1", "'classes[0].prior' is -0.1, expected at least 0"},
          {first, "\"prior\": 0.5", "the priors sum to 1.16666667, expected 1 | fix the priors"},
          {first, "\"prior\": 0.335", "the priors sum to 1.00166667, expected 1"},
          {"\"count\": 50", "\"count\": -1", "'classes[0].count' is -1, expected at least 0"},
          {"versicolor", "setosa", "'classes[1].name' is 'setosa', the name of another class"},
          {"\"petal_length\"", "\"sepal_length\"",
           "'blocks[0].features' holds 'sepal_length' twice"},
          {"\"petal_length\"", "7", "'blocks[0].features[1]' is a number, expected text"},
          {"[\"sepal_length\", \"petal_length\"]", "[1, 2]",
           "'blocks[0].features[0]' is a number, expected text"},
          {"[5.006, 1.462]", "[5.006]", "'blocks[0].means[0]' has 1 entry, expected 2"},
          {"[5.006, 1.462],", "", "'blocks[0].means' has 2 entries, expected 3"},
          {"[5.006, 1.462]", "[5.006, \"inf\"]",
           "'blocks[0].means[0][1]' is text, expected a number"},
          {"[5.006, 1.462]", "[5.006, null]", "'blocks[0].means[0][1]' is null, expected a number"},
          {"[5.006, 1.462]", "\"5.006, 1.462\"", "'blocks[0].means[0]' is text, expected a list"},
          {"[5.006, 1.462]", "3", "'blocks[0].means[0]' is a number, expected a list"},
          {"[0.121764, 0.016028]", "[0.121764, 0.02]",
           "'blocks[0].covariances[0]' is not symmetric: row 2 column 1 holds 0.016028, row 1 "
           "column 2 0.02"},
          {"[0.121764, 0.016028]", "[0.001, 0.016028]",
           "blocks[0]: the covariance of class 'setosa' is not positive definite"},
          {"\"covariances\"", "\"covariance\"", "'blocks[0].covariance' has 3 entries, expected 2"},
          {"\"covariances\"", "\"covarianzes\"", "'blocks[0].covarianzes' is not a known key"},
          {"\"divisor\"", "\"variance\": [1, 1], \"divisor\"",
           "'blocks[0]' has both 'covariances', 'variance'"},
          {"\"mle\"", "\"ml\"", "'blocks[0].divisor' is 'ml', expected 'mle' or 'unbiased'"},
          {"\"mle\"", "\"mle\", \"raw_units\": 1",
           "'blocks[0].raw_units' is a number, expected true or false"},
          {"\"mle\"", "\"mle\", \"alpha\": 1.5",
           "'blocks[0].alpha' is 1.5, expected a number from 0 to 1"},
          {"\"mle\"", "\"mle\", \"shrinkage\": [0.5]",
           "'blocks[0].shrinkage' has 1 entry, expected 3"},
          {"\"mle\"", "\"mle\", \"counts\": [1, 2]",
           "'blocks[0].counts' has 2 entries, expected 3"},
          {"\"mle\"", "\"mle\", \"counts\": [1, -2, 3]",
           "blocks[0]: a class has the count -2 | counts are numbers >= 0"},
          {"\"qda\"", "\"rda\"", "'blocks[0].alpha' is missing"},
          {"\"qda\"", "\"qad\"",
           "'blocks[0].model' is 'qad', which is not a Gaussian model | did you mean 'qda'"},
          {"\"gaussian\"", "\"gauss\"",
           "'blocks[0].type' is 'gauss', which is not a block of this version"},
          {"\"gaussian\"", "\"wishart\"",
           "'blocks[0].type' is 'wishart', which is not a block of this version | one of "
           "'gaussian', 'mixture', 'categorical', 'bernoulli', 'joint', 'multinomial', 'poisson' "
           "and 4 more"},
          {"[\"target: 'species' (the last column)\"]", "\"x\"",
           "'notes' is text, expected a list"},
          {"\"species\"", "null", "'target' is null, expected text"},
      });
}

TEST(ModelRefusal, OfVariances) {
  const std::string good = read_text(specimen("v1_gnb.json"));
  expect_refused(
      good, {{"[0.121764, 0.029556]", "[0.121764, 0]",
              "'blocks[0].variances[0][1]' is 0, expected more than 0"},
             {"[0.121764, 0.029556]", "[0.121764, -3]",
              "'blocks[0].variances[0][1]' is -3, expected more than 0"},
             {"\"variances\"", "\"x\": 1, \"variancs\"", "'blocks[0].variancs' is not a known"}});
  expect_refused(edited(good, "\"features\"",
                        "\"features\": [], \"means\": [], \"model\": \"gnb\", "
                        "\"type\": \"gaussian\"}, {\"features\""),
                 {{"[]", "[]", "'blocks[0].means' has 0 entries, expected 3"}});
}

TEST(ModelRefusal, OfTheHandWrittenForm) {
  const std::string good = read_text(specimen("v1_minimal.json"));
  const std::string cat = "\"covariance\": [[4, 1], [1, 1]]";
  expect_refused(
      good,
      {
          {"\"mean\": [50, 20],", "", "'classes[1].mean' is missing"},
          {"\"mean\": [50, 20],", "\"maen\": 1,", "'classes[1].maen' is not a known key | did you"},
          {"\"features\"", "\"feature\"",
           "'feature' is not a known key | did you mean 'features'?"},
          {"\"prior\": 0.6,", "", "'classes[0].prior' is missing"},
          {"0.6", "1.6", "the priors sum to 2, expected 1"},
          {"\"dog\"", "\"cat\"", "'classes[1].name' is 'cat', the name of another class"},
          {"\"dog\"", "1", "'classes[1].name' is a number, expected text"},
          {"\"weight\"", "\"height\"", "'features' holds 'height' twice"},
          {"\"weight\"", "\"weight\", \"z\"", "'classes[0].mean' has 2 entries, expected 3"},
          {"[24, 4]", "[24, true]", "'classes[0].mean[1]' is true or false, expected a number"},
          {"[24, 4]", "24", "'classes[0].mean' is a number, expected a list"},
          {cat, "\"covariance\": 4", "'classes[0].covariance' is a number, expected a list"},
          {cat, "\"covariance\": [[4, 1]]", "'classes[0].covariance' has 1 entry, expected 2"},
          {cat, "\"covariance\": [[4, 1], [1]]",
           "'classes[0].covariance[1]' has 1 entry, expected"},
          {cat, "\"covariance\": [[4, 1], [2, 1]]", "'classes[0].covariance' is not symmetric"},
          {cat, "\"covariance\": [[4, 3], [3, 1]]",
           "the covariance of class 'cat' is not positive definite"},
          {cat, "\"variance\": [4, 1]",
           "'classes[1].covariance' is given in addition to 'variance'"},
          {",\n      " + cat, "", "'classes[0].covariance' is missing"},
          {"\"classes\"", "\"variance\": [1, 2], \"classes\"",
           "'classes[0].covariance' is given in addition to 'variance'"},
          {"\"classes\"", "\"covariance\": [[1, 0], [0, 1]], \"classes\"",
           "'classes[0].covariance' is given in addition to a shared one"},
          {"\"classes\"", "\"covariance\": [[1, 0], [0, 1]], \"variance\": 1, \"classes\"",
           "'variance' is given in addition to 'covariance'"},
      });
}

TEST(ModelRefusal, OfClassesThatAreNone) {
  const std::string begin = R"({"format": "genera-model", "version": 1, "classes": )";
  const std::string manual = " | docs/file-format.md lists what each key holds";
  EXPECT_EQ(said_of(begin + "[]}"),
            "bad_model | m.json: 'classes' is empty | a model has at least one class");
  EXPECT_EQ(said_of(begin + "[1]}"),
            "bad_model | m.json: 'classes[0]' is a number, expected an object" + manual);
  EXPECT_EQ(said_of(begin + "[\"a\"]}"),
            "bad_model | m.json: 'classes[0]' is text, expected an object" + manual);
  EXPECT_EQ(said_of(begin + "{}}"),
            "bad_model | m.json: 'classes' is an object, expected a list" + manual);
  EXPECT_EQ(said_of(begin + R"([{"name": "a", "mean": 1, "variance": 0}]})"),
            "bad_model | m.json: 'classes[0].variance' is 0, expected more than 0" + manual);
  EXPECT_TRUE(
      said_of(begin + R"([{"name": "a"}], "blocks": []})").starts_with("bad_model | m.json: "));
}

TEST(ModelRefusal, OfNumbersThatAreNotFinite) {
  // {"format": ..., "version": 1, "classes": [{"mean": [NaN], ...}]} can only come as CBOR.
  const TemporaryFolder folder;
  save(model_from_bytes(R"({"format": "genera-model", "version": 1, "variance": 2,
                           "classes": [{"name": "a", "mean": 1.5}]})"),
       folder / "m.cbor");
  const std::string good = read_text(folder / "m.cbor");
  const std::string number("\xfb\x3f\xf8\0\0\0\0\0\0", 9);
  for (const auto& [bytes, text] : std::vector<std::pair<std::string, std::string>>{
           {std::string("\xf9\x7e\x00", 3), "nan"}, {std::string("\xf9\x7c\x00", 3), "inf"}})
    EXPECT_TRUE(said_of(edited(good, number, bytes))
                    .starts_with("bad_model | m.json: 'blocks[0].means[0][0]' is " + text +
                                 ", expected a finite number"));
}

}  // namespace
}  // namespace genera::model_refusal_test
