#include "command.hpp"

#include "options/common.hpp"
#include "options/decisions.hpp"
#include "options/model.hpp"
#include "options/source.hpp"
#include "refusal.hpp"
#include "words.hpp"

namespace genera::cli::command_test {
namespace {

Refusal refusal_of_line(const Line& line) {
  return refusal_of([&] { run_command(line); });
}

Source source_of_line(const Line& line) {
  const Words words = words_of(line);
  return source_of(words.arguments.back(), words);
}

TEST(CommandLine, OfFitBecomesARecipeAndRoles) {
  const Words words =
      words_of({"fit",    "x.csv",       "--model",  "rda",       "--alpha=0.2", "--gamma",
                "0.1",    "--toward",    "identity", "--divisor", "unbiased",    "--drop",
                "a,b",    "--drop",      "c",        "--type",    "d=text",      "--target",
                "y",      "--weights",   "w",        "--missing", "drop",        "--missing-token",
                "-999",   "--delimiter", ";",        "--decimal", ",",           "-o",
                "m.json", "--threads",   "3",        "--seed",    "7",           "--quiet"});
  EXPECT_EQ(words.arguments, Line{"x.csv"});
  const auto recipe = std::get<Recipe>(recipe_of(words));
  EXPECT_EQ(recipe.gaussian.covariance, Covariance::full);
  EXPECT_EQ(recipe.gaussian.rda.value().alpha, 0.2);
  EXPECT_EQ(recipe.gaussian.rda->gamma, 0.1);
  EXPECT_EQ(recipe.gaussian.rda->toward, Toward::identity);
  EXPECT_EQ(recipe.gaussian.divisor, Divisor::unbiased);
  const Source source = source_of("x.csv", words);
  EXPECT_EQ(source.data, "x.csv");
  EXPECT_EQ(source.roles.drop, (Line{"a", "b", "c"}));
  EXPECT_EQ(source.roles.types.at(0).second, ColumnType::text);
  EXPECT_EQ(source.roles.target, "y");
  EXPECT_EQ(source.roles.weights, "w");
  EXPECT_EQ(source.missing, Missing::drop);
  EXPECT_EQ(source.csv.missing_tokens, Line{"-999"});
  EXPECT_EQ(source.csv.delimiter, ';');
  EXPECT_EQ(source.csv.decimal, ',');
  const Common common = common_of(words);
  EXPECT_EQ(common.output, "m.json");
  EXPECT_EQ(common.threads, 3);
  EXPECT_EQ(common.seed, 7U);
  EXPECT_TRUE(common.quiet);
  EXPECT_FALSE(common.json);
}

TEST(CommandLine, RemembersWhichOptionsNeedRows) {
  EXPECT_EQ(source_of_line({"fit", "s.json", "--model", "qda"}).options_given, Line{});
  EXPECT_EQ(source_of_line({"fit", "s.json", "--weights", "w", "--drop", "a"}).options_given,
            (Line{"--drop", "--weights"}));
}

TEST(CommandLine, KeepsTheDefaultsOfTheLibrary) {
  const Words words = words_of({"fit", "-"});
  EXPECT_EQ(words.arguments, Line{"-"});
  EXPECT_EQ(std::get<Recipe>(recipe_of(words)).gaussian.covariance, Covariance::tied);
  EXPECT_EQ(std::get<Recipe>(recipe_of(words)).gaussian.variance_floor,
            GaussianOptions{}.variance_floor);
  EXPECT_FALSE(source_of("-", words).missing.has_value());
  EXPECT_GE(common_of(words).threads, 1);
  EXPECT_FALSE(common_of(words).output);
}

TEST(Keep, TakesAValueOnlyIfTheArgumentsAreComplete) {
  for (const Line& line :
       {Line{"predict", "m", "d", "--keep"}, Line{"predict", "--keep", "m", "d"},
        Line{"predict", "m", "--keep", "d"}, Line{"predict", "--keep", "--proba", "m", "d"},
        Line{"predict", "m", "d", "--keep", "--proba"}}) {
    EXPECT_EQ(words_of(line).arguments, (Line{"m", "d"}));
    EXPECT_EQ(source_of_line(line).kept, Kept(KeptCells{}));
  }
  for (const Line& line :
       {Line{"predict", "m", "d", "--keep", "a,b"}, Line{"predict", "--keep", "a,b", "m", "d"},
        Line{"predict", "--keep=a,b", "m", "d"}})
    EXPECT_EQ(source_of_line(line).kept, Kept(KeptCells{{"a", "b"}}));
  EXPECT_EQ(source_of_line({"predict", "m", "d"}).kept, Kept());
}

TEST(CommandLine, NamesTheNearestVerbAndOption) {
  EXPECT_EQ(refusal_of_line({"evalute"}),
            (Refusal{"there is no verb 'evalute'", "did you mean 'evaluate'?"}));
  EXPECT_EQ(refusal_of_line({"zzz"}),
            (Refusal{"there is no verb 'zzz'", "see 'genera help' for the list of verbs"}));
  EXPECT_EQ(refusal_of_line({"fit", "x", "--modle=qda"}),
            (Refusal{"'fit' has no option '--modle'", "did you mean '--model'?"}));
  EXPECT_EQ(refusal_of_line({"merge", "a", "b", "--zzz"}),
            (Refusal{"'merge' has no option '--zzz'", "see 'genera help merge'"}));
}

TEST(CommandLine, RefusesAWrongNumberOfWords) {
  EXPECT_EQ(refusal_of_line({}),
            (Refusal{"no verb is given", "begin with 'genera help', or with 'genera fit @iris'"}));
  EXPECT_EQ(refusal_of_line({"--json", "fit"}),
            (Refusal{"'--json' stands where a verb is expected",
                     "write the verb first and its options after it; see 'genera help'"}));
  EXPECT_EQ(refusal_of_line({"predict", "m"}),
            (Refusal{"'predict' needs DATA",
                     "write genera predict MODEL DATA; see 'genera help predict'"}));
  EXPECT_EQ(refusal_of_line({"inspect", "a", "b"}),
            (Refusal{"'inspect' has one argument too many: 'b'", "see 'genera help inspect'"}));
  EXPECT_EQ(
      refusal_of_line({"merge", "a"}),
      (Refusal{"'merge' needs two or more files of statistics", "write genera merge A B -o ALL"}));
  EXPECT_EQ(
      refusal_of_line({"fit", "x", "--model"}),
      (Refusal{
          "option '--model' needs a value",
          "write --model NAME: auto: chosen by cross-validation (default); for numeric columns: "
          "qda lda gnb dlda spherical centroid rda bqda mda kernel; for numbers and categories: "
          "aode, averaged one-dependence estimators; for columns of one type: bernoulli "
          "categorical joint "
          "multinomial poisson complement; logistic: softmax regression, which has no density"}));
  EXPECT_EQ(refusal_of_line({"fit", "x", "--seed", "1", "--seed", "2"}),
            (Refusal{"option '--seed' is given twice", "leave one of them out"}));
  EXPECT_EQ(refusal_of_line({"fit", "x", "--quiet=no"}),
            (Refusal{"option '--quiet' takes no value, but has 'no'",
                     "write --quiet alone, or leave it out"}));
}

TEST(CommandLine, RefusesOptionsThatExcludeEachOther) {
  for (const char* option : {"--alpha", "--gamma"})
    EXPECT_EQ(refusal_of_line({"fit", "x", "--model", "qda", option, "0.5"}),
              (Refusal{std::string("qda does not use ") + option + " (rda does)",
                       std::string("use --model rda, or leave out ") + option}));
  EXPECT_EQ(refusal_of_line({"predict", "m", "d", "--json", "--keep"}),
            (Refusal{"--keep copies cells of CSV, which --json does not write",
                     "leave --keep or --json out"}));
  EXPECT_EQ(refusal_of_line({"fit", "x", "--delimiter", ",", "--decimal", ","}),
            (Refusal{"--delimiter and --decimal are the same character",
                     "let one of them be recognised, or name another"}));
  EXPECT_EQ(refusal_of_line({"fit", "x", "-o", ""}),
            (Refusal{"--output is empty", "name the file to write"}));
}

TEST(Decisions, ArePartOfPredictAndEvaluate) {
  const DecisionArguments predict =
      decision_of(words_of({"predict", "m", "d", "--costs", "c.csv", "--reject", "0.9", "--outlier",
                            "0.01", "--priors", "estimate"}));
  EXPECT_EQ(predict.costs, "c.csv");
  EXPECT_EQ(predict.reject, 0.9);
  EXPECT_TRUE(predict.priors.estimate);
  EXPECT_FALSE(predict.priors.given);
  const DecisionArguments evaluate =
      decision_of(words_of({"evaluate", "m", "d", "--priors", "uniform", "--reject", "0"}));
  EXPECT_EQ(evaluate.priors.given->kind, PriorChoice::Kind::uniform);
  EXPECT_FALSE(evaluate.priors.estimate);
  EXPECT_EQ(evaluate.reject, 0);
  EXPECT_EQ(refusal_of_line({"predict", "m", "d", "--outlier", "0"}).what,
            "--outlier is 0, expected a number between 0 and 1");
}

TEST(Decisions, NeedCostsOfTheirOwn) {
  EXPECT_EQ(refusal_of_line({"predict", "m", "d", "--costs", ""}),
            (Refusal{"--costs is empty", "name the file with the costs"}));
  EXPECT_EQ(refusal_of_line({"predict", "m", "-", "--costs", "-"}),
            (Refusal{"--costs and DATA are both standard input", "put one of them into a file"}));
  EXPECT_EQ(decision_of(words_of({"predict", "m", "d", "--costs", "-"})).costs, "-");
}

TEST(Forget, TakesRowsOrAClass) {
  const std::string hint =
      "write genera forget STATS DATA -o STATS, or genera forget STATS --class NAME -o STATS";
  EXPECT_EQ(refusal_of_line({"forget", "s"}), (Refusal{"'forget' needs DATA or --class", hint}));
  EXPECT_EQ(refusal_of_line({"forget", "s", "d", "--class", "a"}),
            (Refusal{"'forget' takes DATA or --class, not both", hint}));
  EXPECT_EQ(refusal_of_line({"forget", "s", "--class", "a", "--weights", "w"}),
            (Refusal{"--weights is about rows, but --class names a class", "leave --weights out"}));
}

TEST(Sample, NeedsANumberOfRows) {
  EXPECT_EQ(refusal_of_line({"sample", "m.json"}),
            (Refusal{"'sample' needs -n", "give the number of rows, as in -n 100"}));
  EXPECT_EQ(words_of({"sample", "m.json", "-n", "12"}).value("--rows"), "12");
}

TEST(Impute, TakesATarget) {
  EXPECT_EQ(source_of_line({"impute", "m.json", "d.csv", "--target", "y"}).roles.target, "y");
}

}  // namespace
}  // namespace genera::cli::command_test
