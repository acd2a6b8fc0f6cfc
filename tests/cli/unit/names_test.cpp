#include "names.hpp"

#include "refusal.hpp"

namespace genera::cli {
namespace {

TEST(Names, OfTheFamilyReadBack) {
  for (const Family family : {Family::qda, Family::lda, Family::gnb, Family::dlda,
                              Family::spherical, Family::centroid, Family::rda})
    EXPECT_EQ(parse_model(std::string(name_of(family))).family, family);
}

TEST(Names, MistypedGetTheNearest) {
  EXPECT_EQ(
      refusal_of([] { (void)parse_model("centriod"); }),
      (Refusal{
          "--model is 'centriod', expected qda, lda, gnb, dlda, spherical, centroid, rda, mda, "
          "bernoulli, categorical, joint, multinomial or complement",
          "did you mean 'centroid'?"}));
  EXPECT_EQ(refusal_of([] { (void)parse_lengths("--ngrams", "two"); }).what,
            "--ngrams is 'two', expected lengths such as 1-2");
  EXPECT_EQ(refusal_of([] { (void)parse_whole_number("--top", "0", 1); }).what,
            "--top is '0', expected a whole number of at least 1");
  EXPECT_EQ(refusal_of([] { (void)parse_divisor("n"); }),
            (Refusal{"--divisor is 'n', expected mle or unbiased", "choose mle or unbiased"}));
  EXPECT_EQ(refusal_of([] { (void)parse_toward("diag"); }).what,
            "--toward is 'diag', expected diagonal or identity");
  EXPECT_EQ(
      refusal_of([] { (void)parse_on_singular("shirnk"); }),
      (Refusal{"--on-singular is 'shirnk', expected error or shrink", "did you mean 'shrink'?"}));
  EXPECT_EQ(refusal_of([] { (void)parse_column_type("number"); }).what,
            "--type is 'number', expected numeric, categorical, binary, count or text");
  EXPECT_EQ(refusal_of([] { (void)parse_decimal(";"); }).what,
            "--decimal is ';', expected ., ,, point or comma");
}

TEST(Names, OfLaterVersionsAreSaidToBeMissing) {
  for (const char* name : {"logistic", "auto"})
    EXPECT_EQ(refusal_of([&] { (void)parse_model(name); }).what,
              std::string("--model ") + name + " is not available in this version");
  EXPECT_EQ(parse_missing("em"), Missing::em);
}

TEST(Components, AreANumberOrARange) {
  EXPECT_TRUE(parse_model("mda").mixture);
  EXPECT_EQ(parse_components("3").least, 3);
  EXPECT_EQ(parse_components("3").most, 3);
  EXPECT_EQ(parse_components("2-7").least, 2);
  EXPECT_EQ(parse_components("2-7").most, 7);
  for (const char* text : {"0", "-3", "3-", "5-2", "x", "", "1.5", "1-99999"})
    EXPECT_EQ(refusal_of([&] { (void)parse_components(text); }),
              (Refusal{std::string("--components is '") + text +
                           "', expected a number of at least 1 or a range",
                       "write --components 3, or --components 1-5 to choose among them"}));
  EXPECT_EQ(parse_covariance("dlda"), Family::dlda);
  EXPECT_EQ(refusal_of([] { (void)parse_covariance("rda"); }).what,
            "--covariance is 'rda', expected qda, lda, gnb, dlda, spherical or centroid");
}

TEST(Shrinkage, IsAWordOrANumber) {
  EXPECT_EQ(parse_shrinkage("none").kind, Shrinkage::Kind::none);
  EXPECT_EQ(parse_shrinkage("oas").kind, Shrinkage::Kind::oas);
  EXPECT_EQ(parse_shrinkage("lw").kind, Shrinkage::Kind::lw);
  EXPECT_EQ(parse_shrinkage("0.25").kind, Shrinkage::Kind::fixed);
  EXPECT_EQ(parse_shrinkage("0.25").amount, 0.25);
  for (const char* text : {"nan", "0.2x", "", "inf"})
    EXPECT_EQ(
        refusal_of([&] { (void)parse_shrinkage(text); }).what,
        std::string("--shrinkage is '") + text + "', expected none, oas, lw or a number in [0, 1]");
}

TEST(Priors, AreAWordOrAListOfClasses) {
  EXPECT_EQ(parse_priors("empirical").kind, PriorChoice::Kind::empirical);
  EXPECT_EQ(parse_priors("uniform").kind, PriorChoice::Kind::uniform);
  const PriorChoice given = parse_priors("a=.2,\"b, c\"=8e-1");
  EXPECT_EQ(given.kind, PriorChoice::Kind::given);
  const std::vector<std::pair<std::string, double>> expected{{"a", 0.2}, {"b, c", 0.8}};
  EXPECT_EQ(given.given, expected);
}

TEST(Priors, RefuseOtherWordsAndNumbers) {
  EXPECT_EQ(refusal_of([] { (void)parse_priors("unifrom"); }),
            (Refusal{"--priors is 'unifrom', expected empirical, uniform or a list such as "
                     "A=0.2,B=0.8",
                     "did you mean 'uniform'?"}));
  EXPECT_EQ(refusal_of([] { (void)parse_priors("a=x,b=1"); }),
            (Refusal{"--priors: the prior of 'a' is 'x', which is not a number",
                     "write a finite number such as 0.25"}));
}

TEST(Priors, AreEstimatedOnlyWhereRowsAreDecided) {
  EXPECT_EQ(refusal_of([] { (void)parse_priors("estimate"); }),
            (Refusal{"--priors estimate looks at the rows to be decided: it is for predict and "
                     "evaluate",
                     "choose empirical, uniform or a list such as A=0.2,B=0.8"}));
  EXPECT_EQ(refusal_of([] { (void)parse_priors("estimat", Estimate::possible); }),
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
  EXPECT_EQ(parse_delimiter(";"), ';');
  EXPECT_EQ(parse_delimiter("tab"), '\t');
  EXPECT_EQ(parse_delimiter("\\t"), '\t');
  EXPECT_EQ(parse_delimiter("pipe"), '|');
  for (const char* text : {"", "::", "\""})
    EXPECT_EQ(refusal_of([&] { (void)parse_delimiter(text); }),
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
  EXPECT_EQ(parse_threads("1"), 1);
  EXPECT_EQ(parse_threads("64"), 64);
  for (const char* text : {"0", "-1", "1.5", "all", "", "1025", "99999999999"})
    EXPECT_EQ(
        refusal_of([&] { (void)parse_threads(text); }),
        (Refusal{std::string("--threads is '") + text + "', expected a whole number from 1 to 1024",
                 "leave --threads out to use all processors"}));
}

TEST(Seed, IsAWholeNumber) {
  EXPECT_EQ(parse_seed("18446744073709551615"), 18446744073709551615U);
  for (const char* text : {"-1", "1.5", "", "18446744073709551616"})
    EXPECT_EQ(refusal_of([&] { (void)parse_seed(text); }),
              (Refusal{std::string("--seed is '") + text +
                           "', expected a whole number from 0 to 18446744073709551615",
                       "leave --seed out for the usual one"}));
}

}  // namespace
}  // namespace genera::cli
