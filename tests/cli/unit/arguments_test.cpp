#include "arguments.hpp"

#include "refusal.hpp"

namespace genera::cli {
namespace {

using Line = std::vector<std::string>;

template <class Arguments>
Arguments parsed(const Line& line) {
  return std::get<Arguments>(parse_command(line));
}

Refusal refusal_of_line(const Line& line) {
  return refusal_of([&] { (void)parse_command(line); });
}

TEST(CommandLine, OfFitBecomesARecipeAndRoles) {
  const auto fit = parsed<FitArguments>(
      {"fit",    "x.csv",       "--model",  "rda",       "--alpha=0.2", "--gamma",
       "0.1",    "--toward",    "identity", "--divisor", "unbiased",    "--drop",
       "a,b",    "--drop",      "c",        "--type",    "d=text",      "--target",
       "y",      "--weights",   "w",        "--missing", "drop",        "--missing-token",
       "-999",   "--delimiter", ";",        "--decimal", ",",           "-o",
       "m.json", "--threads",   "3",        "--seed",    "7",           "--quiet"});
  EXPECT_EQ(fit.source.data, "x.csv");
  EXPECT_EQ(fit.recipe.gaussian.family, Family::rda);
  EXPECT_EQ(fit.recipe.gaussian.alpha, 0.2);
  EXPECT_EQ(fit.recipe.gaussian.gamma, 0.1);
  EXPECT_EQ(fit.recipe.gaussian.toward, Toward::identity);
  EXPECT_EQ(fit.recipe.gaussian.divisor, Divisor::unbiased);
  EXPECT_EQ(fit.source.roles.drop, (Line{"a", "b", "c"}));
  EXPECT_EQ(fit.source.roles.types.at(0).second, ColumnType::text);
  EXPECT_EQ(fit.source.roles.target, "y");
  EXPECT_EQ(fit.source.roles.weights, "w");
  EXPECT_EQ(fit.source.missing, Missing::drop);
  EXPECT_EQ(fit.source.csv.missing_tokens, Line{"-999"});
  EXPECT_EQ(fit.source.csv.delimiter, ';');
  EXPECT_EQ(fit.source.csv.decimal, ',');
  EXPECT_EQ(fit.common.output, "m.json");
  EXPECT_EQ(fit.common.threads, 3);
  EXPECT_EQ(fit.common.seed, 7U);
  EXPECT_TRUE(fit.common.quiet);
  EXPECT_FALSE(fit.common.json);
}

TEST(CommandLine, RemembersWhichOptionsNeedRows) {
  EXPECT_EQ(parsed<FitArguments>({"fit", "s.json", "--model", "qda"}).source.options_given, Line{});
  EXPECT_EQ(
      parsed<FitArguments>({"fit", "s.json", "--weights", "w", "--drop", "a"}).source.options_given,
      (Line{"--drop", "--weights"}));
}

TEST(CommandLine, KeepsTheDefaultsOfTheLibrary) {
  const auto fit = parsed<FitArguments>({"fit", "-"});
  EXPECT_EQ(fit.source.data, "-");
  EXPECT_EQ(fit.recipe.gaussian.family, Family::lda);
  EXPECT_EQ(fit.recipe.gaussian.variance_floor, GaussianOptions{}.variance_floor);
  EXPECT_FALSE(fit.source.missing.has_value());
  EXPECT_EQ(fit.unlabelled_weight, FitOptions{}.unlabelled_weight);
  EXPECT_GE(fit.common.threads, 1);
  EXPECT_FALSE(fit.common.output);
}

TEST(Keep, TakesAValueOnlyIfTheArgumentsAreComplete) {
  for (const Line& line :
       {Line{"predict", "m", "d", "--keep"}, Line{"predict", "--keep", "m", "d"},
        Line{"predict", "m", "--keep", "d"}, Line{"predict", "--keep", "--proba", "m", "d"},
        Line{"predict", "m", "d", "--keep", "--proba"}}) {
    const auto predict = parsed<PredictArguments>(line);
    EXPECT_EQ(predict.model, "m");
    EXPECT_EQ(predict.source.data, "d");
    EXPECT_EQ(predict.source.roles.keep, Line{});
  }
  for (const Line& line :
       {Line{"predict", "m", "d", "--keep", "a,b"}, Line{"predict", "--keep", "a,b", "m", "d"},
        Line{"predict", "--keep=a,b", "m", "d"}})
    EXPECT_EQ(parsed<PredictArguments>(line).source.roles.keep, (Line{"a", "b"}));
  EXPECT_EQ(parsed<PredictArguments>({"predict", "m", "d"}).source.roles.keep, std::nullopt);
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
      (Refusal{"option '--model' needs a value",
               "write --model NAME: of the numbers: qda lda gnb dlda spherical centroid rda mda "
               "(default "
               "lda); or of every column: bernoulli categorical joint multinomial complement"}));
  EXPECT_EQ(refusal_of_line({"fit", "x", "--seed", "1", "--seed", "2"}),
            (Refusal{"option '--seed' is given twice", "leave one of them out"}));
  EXPECT_EQ(refusal_of_line({"fit", "x", "--quiet=no"}),
            (Refusal{"option '--quiet' takes no value, but has 'no'",
                     "write --quiet alone, or leave it out"}));
}

TEST(CommandLine, RefusesOptionsThatExcludeEachOther) {
  for (const char* option : {"--alpha", "--gamma"})
    EXPECT_EQ(refusal_of_line({"fit", "x", "--model", "qda", option, "0.5"}),
              (Refusal{std::string(option) + " belongs to --model rda, but the model is qda",
                       std::string("add --model rda, or leave ") + option + " out"}));
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
  const auto predict =
      parsed<PredictArguments>({"predict", "m", "d", "--costs", "c.csv", "--reject", "0.9",
                                "--outlier", "0.01", "--priors", "estimate"});
  EXPECT_EQ(predict.decision.costs, "c.csv");
  EXPECT_EQ(predict.decision.reject, 0.9);
  EXPECT_EQ(predict.outlier, 0.01);
  EXPECT_TRUE(predict.decision.estimate_priors);
  EXPECT_FALSE(predict.decision.priors);
  const auto evaluate =
      parsed<EvaluateArguments>({"evaluate", "m", "d", "--priors", "uniform", "--reject", "0"});
  EXPECT_EQ(evaluate.decision.priors->kind, PriorChoice::Kind::uniform);
  EXPECT_FALSE(evaluate.decision.estimate_priors);
  EXPECT_EQ(evaluate.decision.reject, 0);
}

TEST(Decisions, NeedCostsOfTheirOwn) {
  EXPECT_EQ(refusal_of_line({"predict", "m", "d", "--costs", ""}),
            (Refusal{"--costs is empty", "name the file with the costs"}));
  EXPECT_EQ(refusal_of_line({"predict", "m", "-", "--costs", "-"}),
            (Refusal{"--costs and DATA are both standard input", "put one of them into a file"}));
  EXPECT_EQ(parsed<PredictArguments>({"predict", "m", "d", "--costs", "-"}).decision.costs, "-");
}

TEST(Forget, TakesRowsOrAClass) {
  const std::string hint =
      "write genera forget STATS DATA -o STATS, or genera forget STATS --class NAME -o STATS";
  EXPECT_EQ(refusal_of_line({"forget", "s"}), (Refusal{"'forget' needs DATA or --class", hint}));
  EXPECT_EQ(refusal_of_line({"forget", "s", "d", "--class", "a"}),
            (Refusal{"'forget' takes DATA or --class, not both", hint}));
  EXPECT_EQ(refusal_of_line({"forget", "s", "--class", "a", "--weights", "w"}),
            (Refusal{"--weights is about rows, but --class names a class", "leave --weights out"}));
  EXPECT_EQ(parsed<ForgetArguments>({"forget", "s", "d"}).source->data, "d");
  EXPECT_EQ(parsed<ForgetArguments>({"forget", "s", "--class", "a"}).forget_class, "a");
}

TEST(Stats, KeepsWhatTheModelNeeds) {
  EXPECT_EQ(parsed<StatsArguments>({"stats", "x"}).scatter, Scatter::full);
  EXPECT_EQ(parsed<StatsArguments>({"stats", "x", "--model", "gnb"}).scatter, Scatter::diagonal);
}

TEST(CommandLine, OfSampleSaysHowManyRowsAndWhatIsKnown) {
  const auto sample =
      parsed<SampleArguments>({"sample", "m.json", "-n", "12", "--class", "a", "--given",
                               "x=1,\"b, c\"=d", "--given", "y==", "--length", "7"});
  EXPECT_EQ(sample.model, "m.json");
  EXPECT_EQ(sample.rows, 12);
  EXPECT_EQ(sample.of_class, "a");
  EXPECT_EQ(sample.given, (Line{"x=1", "b, c=d", "y=="}));
  EXPECT_EQ(sample.length, 7);
  EXPECT_EQ(refusal_of_line({"sample", "m.json"}),
            (Refusal{"'sample' needs -n", "say how many rows, as in -n 100"}));
}

TEST(CommandLine, OfImputeHasNoJson) {
  const auto impute = parsed<ImputeArguments>(
      {"impute", "m.json", "d.csv", "--draws", "5", "--integers", "--target", "y"});
  EXPECT_EQ(impute.source.data, "d.csv");
  EXPECT_EQ(impute.source.roles.target, "y");
  EXPECT_EQ(impute.draws, 5);
  EXPECT_TRUE(impute.integers);
  EXPECT_EQ(refusal_of_line({"impute", "m.json", "d.csv", "--json"}).what,
            "'impute' has no option '--json'");
}

}  // namespace
}  // namespace genera::cli
