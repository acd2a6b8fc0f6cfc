#include "options/common.hpp"
#include "options/decisions.hpp"
#include "options/model.hpp"
#include "options/priors.hpp"
#include "options/reading.hpp"
#include "options/source.hpp"
#include "options/terms.hpp"
#include "refusal.hpp"
#include "values.hpp"
#include "words.hpp"

namespace genera::cli::options_test {
namespace {

Recipe recipe(const Line& line) { return std::get<Recipe>(recipe_of(options(line))); }
Refusal refusal_of_recipe(const Line& line) {
  return refusal_of([&] { (void)recipe(line); });
}
Refusal refusal_of_source(const Line& line) {
  return refusal_of([&] { (void)source_of("x.csv", options(line)); });
}
Refusal refusal_of_common(const Line& line) {
  return refusal_of([&] { (void)common_of(options(line)); });
}
Shrinkage shrinkage(const std::string& text) {
  return recipe({"--shrinkage", text}).gaussian.shrinkage;
}
MixtureOptions::Range components(const std::string& text) {
  return recipe({"--model", "mda", "--components", text}).mixture->components;
}
PriorChoice priors(const std::string& text) {
  return priors_of(options({"--priors", text})).value();
}
char delimiter(const std::string& text) {
  return csv_of(options({"--delimiter", text})).delimiter.value();
}

TEST(Names, OfGaussianModelsReadBack) {
  for (const GaussianModel& model : all_gaussian_models)
    EXPECT_EQ(name_of(recipe({"--model", std::string(model.name)}).gaussian), model.name);
}

TEST(Names, MistypedGetTheNearest) {
  EXPECT_EQ(refusal_of_recipe({"--model", "centriod"}),
            (Refusal{"--model is 'centriod', expected qda, lda, gnb, dlda, spherical, centroid, "
                     "rda, bqda, mda, "
                     "kernel, bernoulli, categorical, joint, aode, multinomial, poisson, "
                     "complement, logistic, "
                     "auto or best",
                     "did you mean 'centroid'?"}));
  EXPECT_EQ(refusal_of_source({"--ngrams", "two"}).what,
            "--ngrams is 'two', expected lengths such as 1-2");
  EXPECT_EQ(refusal_of([] { (void)parse_whole_number("--top", "0", 1); }).what,
            "--top is '0', expected a whole number of at least 1");
  EXPECT_EQ(
      refusal_of_recipe({"--divisor", "n"}),
      (Refusal{"--divisor is 'n', expected mle or unbiased", "set --divisor to mle or unbiased"}));
  EXPECT_EQ(refusal_of_recipe({"--model", "rda", "--toward", "diag"}).what,
            "--toward is 'diag', expected diagonal or identity");
  EXPECT_EQ(
      refusal_of_recipe({"--on-singular", "shirnk"}),
      (Refusal{"--on-singular is 'shirnk', expected error or shrink", "did you mean 'shrink'?"}));
  EXPECT_EQ(refusal_of_source({"--type", "x=number"}).what,
            "--type is 'number', expected numeric, categorical, binary, count or text");
  EXPECT_EQ(refusal_of_source({"--decimal", ";"}).what,
            "--decimal is ';', expected ., ,, point or comma");
}

TEST(Names, AutoIsNotOneModel) {
  EXPECT_EQ(refusal_of_recipe({"--model", "auto"}),
            (Refusal{"auto chooses among models: it is not one model",
                     "name a model, such as --model lda"}));
  const FitSpec chosen = spec_of(options({"--model", "auto", "--priors", "uniform"}));
  EXPECT_EQ(std::get<Recipe>(chosen.recipe).priors.kind, PriorChoice::Kind::uniform);
  EXPECT_EQ(source_of("x.csv", options({"--missing", "em"})).missing, Missing::em);
}

TEST(Components, AreANumberOrARange) {
  EXPECT_TRUE(recipe({"--model", "mda"}).mixture.has_value());
  EXPECT_EQ(components("3").min, 3);
  EXPECT_EQ(components("3").max, 3);
  EXPECT_EQ(components("2-7").min, 2);
  EXPECT_EQ(components("2-7").max, 7);
  for (const char* text : {"0", "-3", "3-", "5-2", "x", "", "1.5", "1-99999"})
    EXPECT_NE(refusal_of_recipe({"--model", "mda", "--components", text})
                  .what.find("expected a whole number from 1 to 10000, or a range such as 1-5"),
              std::string::npos)
        << text;
  EXPECT_EQ(recipe({"--model", "mda", "--covariance", "dlda"}).gaussian.covariance,
            Covariance::tied_diag);
  EXPECT_EQ(
      refusal_of_recipe({"--model", "mda", "--covariance", "rda"}).what,
      "--covariance is 'rda', expected full, tied, diag, tied_diag, spherical or tied_spherical");
}

TEST(Shrinkage, IsAWordOrANumber) {
  EXPECT_EQ(shrinkage("none").kind, Shrinkage::Kind::none);
  EXPECT_EQ(shrinkage("oas").kind, Shrinkage::Kind::oas);
  EXPECT_EQ(shrinkage("lw").kind, Shrinkage::Kind::lw);
  EXPECT_EQ(shrinkage("0.25").kind, Shrinkage::Kind::fixed);
  EXPECT_EQ(shrinkage("0.25").amount, 0.25);
  for (const char* text : {"nan", "'0.2x'", "''", "inf"}) {
    std::string typed = text;
    std::erase(typed, '\'');
    EXPECT_EQ(
        refusal_of_recipe({"--shrinkage", typed}).what,
        std::string("--shrinkage is ") + text + ", expected none, oas, lw or a number from 0 to 1");
  }
}

TEST(Priors, AreAWordOrAListOfClasses) {
  EXPECT_EQ(priors("empirical").kind, PriorChoice::Kind::empirical);
  EXPECT_EQ(priors("uniform").kind, PriorChoice::Kind::uniform);
  const PriorChoice given = priors("a=.2,\"b, c\"=8e-1");
  EXPECT_EQ(given.kind, PriorChoice::Kind::given);
  const std::vector<std::pair<std::string, double>> expected{{"a", 0.2}, {"b, c", 0.8}};
  EXPECT_EQ(given.given, expected);
}

TEST(Priors, RefuseOtherWordsAndNumbers) {
  EXPECT_EQ(refusal_of_recipe({"--priors", "unifrom"}),
            (Refusal{"--priors is 'unifrom', expected empirical, uniform or a list such as "
                     "A=0.2,B=0.8",
                     "did you mean 'uniform'?"}));
  EXPECT_EQ(refusal_of_recipe({"--priors", "a=x,b=1"}),
            (Refusal{"--priors: the prior of 'a' is 'x', which is not a number",
                     "write a finite number such as 0.25"}));
}

TEST(Priors, AreEstimatedOnlyWhereRowsAreDecided) {
  EXPECT_EQ(refusal_of_recipe({"--priors", "estimate"}),
            (Refusal{"--priors estimate looks at the rows to be decided: it is for predict and "
                     "evaluate",
                     "choose empirical, uniform or a list such as A=0.2,B=0.8"}));
  EXPECT_EQ(refusal_of([] {
              (void)decision_priors_of(options({"--priors", "estimat"}));
            }),
            (Refusal{"--priors is 'estimat', expected empirical, uniform, estimate or a list such "
                     "as A=0.2,B=0.8",
                     "did you mean 'estimate'?"}));
}

TEST(Probability, MayBeClosedOrOpen) {
  EXPECT_EQ(parse_probability("--reject", "0"), 0);
  EXPECT_EQ(parse_probability("--reject", "1"), 1);
  EXPECT_EQ(parse_inner_probability("--outlier", "1e-3"), 1e-3);
  EXPECT_EQ(refusal_of([] { (void)parse_probability("--reject", "1.1"); }),
            (Refusal{"--reject is 1.1, expected a number from 0 to 1",
                     "write a probability such as 0.9"}));
  for (const char* text : {"0", "1"})
    EXPECT_EQ(refusal_of([&] { (void)parse_inner_probability("--outlier", text); }),
              (Refusal{"--outlier is " + std::string(text) + ", expected a number between 0 and 1",
                       "write a small probability such as 0.01"}));
  EXPECT_EQ(
      refusal_of([] { (void)parse_probability("--reject", "nan"); }),
      (Refusal{"--reject is 'nan', which is not a number", "write a finite number such as 0.25"}));
}

TEST(Delimiter, IsACharacterOrItsName) {
  EXPECT_EQ(delimiter(";"), ';');
  EXPECT_EQ(delimiter("tab"), '\t');
  EXPECT_EQ(delimiter("\\t"), '\t');
  EXPECT_EQ(delimiter("pipe"), '|');
  for (const char* text : {"", "::", "\""})
    EXPECT_EQ(refusal_of_source({"--delimiter", text}),
              (Refusal{std::string("--delimiter is '") + text + "', expected one character",
                       "write the character in quotes, as in ';', or the word tab"}));
}

TEST(Numbers, AreReadWhole) {
  EXPECT_EQ(parse_number("--alpha", "+0.5"), 0.5);
  EXPECT_EQ(parse_number("--alpha", "-1e-3"), -1e-3);
  for (const char* text : {"", "x", "1,5", "1 ", "nan", "1e999", "+-1"})
    EXPECT_EQ(refusal_of([&] { (void)parse_number("--alpha", text); }).what,
              std::string("--alpha is '") + text + "', which is not a number");
}

TEST(Threads, AreAtLeastOne) {
  EXPECT_EQ(common_of(options({"--threads", "1"})).threads, 1);
  EXPECT_EQ(common_of(options({"--threads", "64"})).threads, 64);
  for (const char* text : {"0", "-1", "1.5", "all", "", "1025", "99999999999"})
    EXPECT_EQ(
        refusal_of_common({"--threads", text}),
        (Refusal{std::string("--threads is '") + text + "', expected a whole number from 1 to 1024",
                 "leave --threads out to use all processors"}));
}

TEST(Seed, IsAWholeNumber) {
  EXPECT_EQ(common_of(options({"--seed", "18446744073709551615"})).seed, 18446744073709551615U);
  for (const char* text : {"-1", "1.5", "", "18446744073709551616"})
    EXPECT_EQ(refusal_of_common({"--seed", text}),
              (Refusal{std::string("--seed is '") + text +
                           "', expected a whole number from 0 to 18446744073709551615",
                       "leave --seed out for the usual one"}));
}

}  // namespace
}  // namespace genera::cli::options_test
