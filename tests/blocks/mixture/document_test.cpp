#include "io/support.hpp"
#include "support/mixtures.hpp"

namespace genera::mixture_file_test {
namespace {

using namespace test;
using genera::testing::small_mixture;
using genera::testing::small_mixture_model;

/// As somebody would write it.
const std::string by_hand = R"({
  "format": "genera-model",
  "version": 1,
  "classes": [{"name": "no", "prior": 0.25}, {"name": "yes", "prior": 0.75}],
  "blocks": [
    {
      "type": "mixture",
      "structure": "dlda",
      "features": ["a", "b"],
      "components": [2, 3],
      "weights": [0.25, 0.75, 0.5, 0.375, 0.125],
      "means": [[0, 0], [4, 1], [-3, 2], [0, -4], [6, 6]],
      "variance": [1, 2]
    }
  ]
})";

TEST(MixtureFile, IsTheSameAfterSavingAndLoading) {
  const TemporaryFolder folder;
  for (const Covariance covariance :
       {Covariance::full, Covariance::tied, Covariance::diag, Covariance::tied_diag}) {
    MixtureParameters p = small_mixture(covariance);
    p.counts = {12.5, 1.0 / 3};
    p.components.raw_units = covariance == Covariance::diag;
    const Model model({"no", "yes"}, Prior({0.1, 0.9}), {MixtureBlock(p)}, "answer", {"a note"});
    for (const std::string name : {"m.json", "m.cbor"}) {
      save(model, folder / name);
      EXPECT_EQ(load_model(folder / name), model);
    }
    EXPECT_EQ(read_text(folder / "m.json"), to_bytes(load_model(folder / "m.cbor")));
  }
}

TEST(MixtureFile, CanBeWrittenByHand) {
  const Model model = model_from_bytes(by_hand);
  EXPECT_EQ(model, small_mixture_model(Covariance::tied_diag));
  EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
}

TEST(MixtureFile, StandsBesideOtherBlocks) {
  GaussianParameters other = small_parameters(Covariance::full);
  other.columns = {"u", "v"};
  other.counts = {3, 4};
  const Model model({"no", "yes"}, Prior({0.5, 0.5}),
                    {MixtureBlock(small_mixture()), GaussianBlock(other)});
  EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
}

TEST(MixtureFile, IsRefusedWithTheReason) {
  struct Damage {
    std::string from, to, what;
  };
  const std::string components = "\"components\": [2, 3]";
  for (const Damage& damage : std::vector<Damage>{
           {components, "\"components\": [2]", "'blocks[0].components' has 1 entry, expected 2"},
           {components, "\"components\": [2, 2.5]",
            "'blocks[0].components' holds 2.5 for class 'yes' | give the number of components "
            "of each class, at least 1"},
           {components, "\"components\": [5, 0]", "'blocks[0].components' holds 0 for class 'yes'"},
           {components, "\"components\": [2, 4]", "'blocks[0].weights' has 5 entries, expected 6"},
           {components, "\"components\": [1000000, 1000000]",
            "'blocks[0].weights' has 5 entries, expected 2000000"},
           {components + ",", "", "'blocks[0].components' is missing"},
           {"0.375", "0.25",
            "blocks[0]: the weights of the components of class 2 sum to 0.875 | the weights of a "
            "class sum to 1"},
           {"0.375, 0.125", "0.5, 0", "blocks[0]: the weight of component 5 is 0"},
           {"[6, 6]", "[6]", "'blocks[0].means[4]' has 1 entry, expected 2"},
           {"\"variance\": [1, 2]", "\"variance\": [1, 0]",
            "'blocks[0].variance[1]' is 0, expected more than 0"},
           {"\"variance\": [1, 2]", "\"covariance\": [[1, 2], [2, 1]]",
            "blocks[0]: the covariance is not positive definite"},
           {"\"variance\": [1, 2]",
            "\"covariances\": [[[1, 0], [0, 1]], [[1, 0], [0, 1]], [[1, 0], [0, 1]], "
            "[[1, 2], [2, 1]], [[1, 0], [0, 1]]]",
            "blocks[0]: the covariance of component 4, of class 'yes', is not positive definite"},
           {"\"structure\": \"dlda\"", "\"structure\": \"dlad\"",
            "'blocks[0].structure' is 'dlad', which is not a Gaussian model | did you mean 'dlda'"},
           {"\"structure\": \"dlda\"", "\"structure\": \"dlda\", \"model\": \"lda\"",
            "'blocks[0].model' is 'lda', expected 'mda'"},
           {"\"structure\"", "\"strcture\"",
            "'blocks[0].strcture' is not a known key | did you mean 'structure'"},
           {"\"mixture\"", "\"mixtur\"",
            "'blocks[0].type' is 'mixtur', which is not a block of this version | did you mean "
            "'mixture'"},
       }) {
    const std::string said =
        refusal([&] { (void)model_from_bytes(edited(by_hand, damage.from, damage.to), "m.json"); });
    EXPECT_TRUE(said.starts_with("bad_model | m.json: " + damage.what))
        << damage.from << " -> " << damage.to << "\n  said " << said;
  }
}

TEST(MixtureFile, CutOffAnywhereIsRefused) {
  const std::string text = to_bytes(small_mixture_model());
  for (std::size_t length = 0; length + 2 < text.size(); length += 37) {
    EXPECT_TRUE(
        refusal([&] { (void)model_from_bytes(text.substr(0, length)); }).starts_with("bad_model"));
  }
}

}  // namespace
}  // namespace genera::mixture_file_test
