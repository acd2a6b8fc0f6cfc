#include "help_text.hpp"

namespace genera::cli {
namespace {

const OptionText model_option{
    "--model", "NAME",
    "of the numbers: qda lda gnb dlda spherical centroid rda mda "
    "(default lda); or of every column: bernoulli categorical joint multinomial "
    "complement"};
const OptionText target_option{
    "--target", "COL",
    "the column with the class; default: the only one named label, class, target or y, else the "
    "last that is not text"};
const OptionText weights_option{"--weights", "COL", "the column with the weight of each row"};
const OptionText learn_missing_option{
    "--missing", "HOW",
    "rows that lack values or labels: em (default) learns from what is there, drop leaves them "
    "out"};
const OptionText missing_option{"--missing", "drop",
                                "leave out rows with missing values; default: refuse them"};
const OptionText priors_option{
    "--priors", "PRIORS", "empirical, uniform or a list A=0.2,B=0.8; default: as in the model"};
const OptionText decision_priors_option{
    "--priors", "PRIORS",
    "empirical, uniform, a list A=0.2,B=0.8, or estimate: the proportions of the classes in DATA "
    "itself; default: as in the model"};
const OptionText costs_option{
    "--costs", "FILE",
    "decide for the least expected cost; a CSV matrix: the header names the decisions, each line a "
    "truth and its costs"};
const OptionText keep_option{
    "--keep", "[COLS]",
    "put these columns of the input first; without a value all of them (then after the arguments, "
    "or before another option)"};
const OptionText delimiter_option{"--delimiter", "C",
                                  "what separates cells; default: recognised among , ; tab |"};
const OptionText decimal_option{"--decimal", "C",
                                "'.' or ','; default: '.', or ',' if recognised beside ';'"};
const OptionText no_header_option{"--no-header", "",
                                  "the first line is data; columns are c1, c2, …"};
const OptionText missing_token_option{"--missing-token", "WORD",
                                      "a cell that means missing, as an empty one (repeatable)"};

OptionText output_option(const std::string& otherwise) {
  return {"-o,--output", "FILE",
          "write to FILE, which appears whole or not at all; default: " + otherwise};
}

OptionGroup general(std::vector<OptionText> first) {
  OptionGroup group{"General", std::move(first)};
  group.options.push_back({"--threads", "N", "how many threads (default all processors)"});
  group.options.push_back({"--seed", "N", "of whatever is drawn at random (default 1)"});
  group.options.push_back({"--json", "", "JSON instead of a text for people"});
  group.options.push_back({"--quiet", "", "no messages but errors"});
  group.options.push_back({"-h,--help", "", "this text"});
  return group;
}

OptionGroup reading() {
  return {"Reading the data",
          {no_header_option, delimiter_option, decimal_option, missing_token_option}};
}

OptionGroup columns(const OptionText& missing) {
  return {"Columns (lists accept CSV quoting)",
          {target_option,
           {"--features", "A,B", "use only these columns (repeatable)"},
           {"--drop", "A,B", "do not use these columns (repeatable)"},
           weights_option,
           {"--type", "COL=TYPE",
            "numeric, categorical, binary, count or text instead of the guess (repeatable)"},
           missing}};
}

OptionGroup terms() {
  return {"Categories, counts and text",
          {{"--smoothing", "S", "added to every count (default 1; 0: none)"},
           {"--ngrams", "A-B", "terms of text: so many words in a row (default 1)"},
           {"--chars", "A-B", "terms of text: so many characters in a row, instead of words"},
           {"--hash-bits", "B", "2^B places for all terms, named #1, #2, …: bounds the memory"},
           {"--min-count", "N", "leave out terms that occur less often in all"},
           {"--max-terms", "N", "only the N most frequent terms"},
           {"--stop-words", "WORDS", "leave out terms with these words: english, or a list"}}};
}

OptionGroup cutting() {
  return {"Text",
          {{"--ngrams", "A-B", "terms of text: so many words in a row (default 1)"},
           {"--chars", "A-B", "terms of text: so many characters in a row, instead of words"},
           {"--hash-bits", "B", "2^B places for all terms, named #1, #2, …: bounds the memory"}}};
}

OptionGroup estimation() {
  return {
      "Model",
      {model_option,
       {"--priors", "PRIORS", "empirical (default), uniform or a list A=0.2,B=0.8"},
       {"--divisor", "NAME", "mle (default: n) or unbiased (n - 1 per class, n - K pooled)"},
       {"--shrinkage", "HOW",
        "of full covariances: none (default), oas, lw or a number from 0 to 1"},
       {"--alpha", "A", "of rda: 1 is each class's own covariance, 0 the pooled one (default 0.5)"},
       {"--gamma", "G", "of rda: from 0, as estimated (default), to 1, the simple target"},
       {"--toward", "TARGET", "of rda: diagonal (default) or identity"},
       {"--components", "M|A-B",
        "of mda: Gaussians in each class; of a range the number is chosen by BIC (default 1-5)"},
       {"--covariance", "NAME",
        "of mda: qda (default: full, for each component), lda (one for all), gnb, dlda, spherical "
        "or centroid"},
       {"--starts", "N", "of mda: random starts of each mixture (default 10)"},
       {"--raw-units", "", "the columns share one unit: do not scale them"},
       {"--variance-floor", "F", "smallest variance as a part of the column's pooled one (1e-4)"},
       {"--on-singular", "HOW", "error (default) or shrink as much as the data ask for"},
       {"--unlabelled-weight", "W",
        "how much a row without a label counts (default 1; 0: not at all)"}}};
}

const ArgumentText data{
    "DATA",
    "a CSV, TSV or svmlight (.svm, .libsvm) file, plain or gzip; - for standard input; "
    "@NAME"};
const ArgumentText model_file{"MODEL", "a file written by fit, or by hand"};

VerbText fit_text() {
  return {
      "fit",
      "learn a model from a table or from statistics",
      "Learns a prior and a density of the features for each class: numbers make a Gaussian "
      "block, categories and two-valued columns are taken one by one, texts are counts of words. "
      "DATA may also be a file of statistics (see stats); options about rows and columns are "
      "refused then. With -o the model is saved, else its summary is printed, as inspect does.",
      {data},
      {estimation(), terms(), columns(learn_missing_option), reading(),
       general({output_option("print the summary")})},
      {"genera fit @iris", "genera fit @iris --model qda -o iris.json",
       "genera fit @wine --model rda --alpha 0.2 --gamma 0.1 --priors uniform -o wine.json",
       "genera fit @iris --features petal_length,petal_width --json",
       "genera fit @penguins -o penguins.json", "genera fit @penguins --missing drop",
       "genera fit @vowel_train --model mda --components 1-3 --covariance lda -o vowel.json",
       "genera fit @lenses --model categorical --smoothing 0.5"}};
}

VerbText cluster_text() {
  return {"cluster",
          "groups of similar rows, without labels",
          "Describes the numeric columns by mixtures of Gaussians, with as many components and the "
          "covariance structure that BIC prefers, and prints the BIC of all that were tried (small "
          "is good; * marks those that only the variance floor kept from collapsing, which are "
          "chosen only if there is no other). With -o the best is saved as a model whose classes "
          "'1', '2', … are the components, the heaviest first: predict tells the group of a row. "
          "All rows are kept in memory.",
          {data},
          {{"Mixtures",
            {{"--components", "M|A-B", "how many components (default 1-9)"},
             {"--covariance", "LIST",
              "structures to try, among qda lda gnb dlda spherical centroid (default "
              "qda,lda,gnb,spherical)"},
             {"--starts", "N", "random starts of each mixture (default 10)"},
             {"--raw-units", "", "the columns share one unit: do not scale them"},
             {"--variance-floor", "F",
              "least spread of a component as a part of that of all rows (1e-4)"},
             {"--on-singular", "HOW",
              "if columns depend on each other: error (default: no full covariances) or shrink"}}},
           {"Columns (lists accept CSV quoting)",
            {{"--target", "COL", "a label: not used"},
             {"--features", "A,B", "use only these columns (repeatable)"},
             {"--drop", "A,B", "do not use these columns (repeatable)"},
             weights_option,
             {"--type", "COL=TYPE", "numeric instead of the guess (repeatable)"},
             missing_option}},
           reading(),
           general({output_option("do not save a model")})},
          {"genera cluster @faithful_unlabelled -o groups.json",
           "genera predict groups.json @faithful_unlabelled --proba",
           "genera cluster @iris --target species --components 2-4 --covariance qda,lda --json"}};
}

VerbText predict_text() {
  return {
      "predict",
      "the class of each row",
      "Writes CSV with the column 'prediction', one line for each row of DATA. Columns are "
      "found by name; others are ignored. With --json each row is a JSON object on a line of "
      "its own. From a pipe, rows are answered as they come.",
      {model_file, data},
      {{"Answers",
        {{"--proba", "", "add p(CLASS), the probability of each class"},
         {"--joint", "", "add logjoint(CLASS), log of prior times density"},
         {"--explain", "N",
          "add the N features that count most against the second-best class (and best, the most "
          "probable one, where another may be decided for)"},
         keep_option}},
       {"Decisions",
        {decision_priors_option,
         costs_option,
         {"--reject", "P", "leave the prediction empty where no class has probability P"},
         {"--outlier", "P", "add the column outlier: 1 where the tail (see score) is below P"}}},
       reading(),
       general({output_option("standard output")})},
      {"genera fit @iris -o iris.json", "genera predict iris.json @iris",
       "genera predict iris.json @iris --proba --keep -o answers.csv",
       "genera predict iris.json @iris --explain 2",
       "genera predict iris.json @iris --priors setosa=0.2,versicolor=0.3,virginica=0.5 --json",
       "genera predict iris.json @iris --reject 0.9 --outlier 0.01",
       "genera predict iris.json @iris --priors estimate"}};
}

VerbText evaluate_text() {
  return {
      "evaluate",
      "how good the model is on labelled rows",
      "Compares predictions with the labels of DATA: accuracy, log loss, Brier score, "
      "log-likelihood, precision, recall and F1 of each class, confusion matrix. With --costs also "
      "the risk, the mean cost of the decisions; with --reject the coverage, the share of the rows "
      "decided, and their selective risk, while all other figures stay those of all rows.",
      {model_file, data},
      {{"Comparison",
        {{"--target", "COL", "the column with the truth; default: the model's target"},
         decision_priors_option,
         costs_option,
         {"--reject", "P", "count a row as rejected where no class has probability P"}}},
       reading(),
       general({output_option("standard output")})},
      {"genera fit @vowel_train --model lda -o vowel.json",
       "genera evaluate vowel.json @vowel_train", "genera evaluate vowel.json @vowel_test --json",
       "genera evaluate vowel.json @vowel_test --reject 0.5"}};
}

VerbText score_text() {
  return {"score",
          "how usual each row is",
          "Writes CSV with log_density (log p(x); a density, so it may be positive), tail (the "
          "probability that a row lies at least as far out: small means outlier) and d2(CLASS), "
          "the squared Mahalanobis distance to each class. With --json each row is a JSON object "
          "on a line of its own.",
          {model_file, data},
          {{"Answers", {keep_option, priors_option}},
           reading(),
           general({output_option("standard output")})},
          {"genera fit @wine --model qda -o wine.json", "genera score wine.json @wine",
           "genera score wine.json @wine --keep cultivar -o scores.csv"}};
}

VerbText inspect_text() {
  return {"inspect",
          "what a model has learnt",
          "Prints classes, priors, means, standard deviations, covariances (up to 12 features), "
          "coefficients of linear discriminants, the number of free parameters and what was "
          "noticed when the model was made. With --json everything, exactly.",
          {model_file},
          {{"Evidence",
            {{"--top", "N", "instead: the N words and levels that speak most for each class"}}},
           general({output_option("standard output")})},
          {"genera fit @iris -o iris.json", "genera inspect iris.json",
           "genera inspect iris.json --json", "genera fit @lenses -o lenses.json",
           "genera inspect lenses.json --top 3"}};
}

VerbText sample_text() {
  return {"sample",
          "new rows, drawn from the model",
          "Writes CSV with the model's features and, last, the class: the class is drawn by the "
          "prior, the features by the density of the class. With --given from the distribution "
          "that is left when these cells are known, the class by its posterior. Rows do not depend "
          "on --threads, and the first rows are the same for any -n. Texts are written as the "
          "words drawn, in no order. With --json each row is a JSON object on a line of its own, "
          "and a text the counts of its terms.",
          {model_file},
          {{"Rows",
            {{"-n,--rows", "N", "how many rows"},
             {"--class", "NAME", "only rows of this class"},
             {"--given", "COL=VALUE,…",
              "cells that are known: numbers, counts, levels, or the class under the target's name "
              "(repeatable; the list accepts CSV quoting)"},
             {"--length", "L",
              "the sum of the counts, or of the words, of a row; default: the mean of its class, "
              "rounded"}}},
           general({output_option("standard output")})},
          {"genera fit @iris --model qda -o iris.json", "genera sample iris.json -n 5",
           "genera sample iris.json -n 1000 --class setosa --seed 7 -o setosa.csv",
           "genera sample iris.json -n 5 --given petal_length=1.5,species=setosa",
           "genera sample iris.json -n 2 --json"}};
}

VerbText impute_text() {
  VerbText verb{
      "impute",
      "fill in what is missing",
      "Writes DATA as it is, all of its columns, with the missing cells of the model's features "
      "filled: numbers and counts by their expectation given the other cells, categories by their "
      "most probable value. A row with a label is filled as one of its class; without, the classes "
      "are weighted by their posterior. Empty labels and missing texts stay empty; cells that are "
      "there stay as they are written.",
      {model_file, data},
      {{"Filling",
        {{"--draws", "M",
          "M completed tables instead, one after the other, with the column 'draw' first: each is "
          "drawn from a model that is itself drawn, as multiple imputation asks for"},
         {"--integers", "",
          "round what is filled in where a column holds whole numbers only (reads DATA twice)"},
         {"--target", "COL", "the column with the class; default: the model's target"}}},
       reading(),
       general({output_option("standard output")})},
      {"genera fit @penguins --missing drop -o penguins.json",
       "genera impute penguins.json @penguins -o complete.csv",
       "genera impute penguins.json @penguins --integers",
       "genera impute penguins.json @penguins --draws 5 --seed 3 -o five.csv"}};
  std::erase_if(verb.groups.back().options,
                [](const OptionText& option) { return option.names == "--json"; });
  return verb;
}

VerbText stats_text() {
  return {"stats",
          "a table as statistics that add up",
          "Keeps of DATA what every model needs: weight, mean and scatter of each class, counts of "
          "levels and words. Such files can be merged, parts can be forgotten, and fit takes them "
          "in place of data.",
          {data},
          {{"Statistics",
            {{"--model", "NAME", "keep only what this model needs (gnb: no covariances)"}}},
           cutting(),
           columns(missing_option),
           reading(),
           general({output_option("print a summary")})},
          {"genera stats @iris", "genera stats @iris -o iris.stats.json",
           "genera fit iris.stats.json --model qda -o iris.json"}};
}

VerbText merge_text() {
  return {"merge",
          "add statistics together",
          "The result is what stats would say of all rows together. Classes and columns are "
          "matched by name, columns in any order; a class may be new. FILE may be one of the "
          "inputs.",
          {{"STATS", "two or more files written by stats, merge or forget", 2, 1000000}},
          {general({output_option("print a summary")})},
          {"genera stats @vowel_train -o train.json", "genera stats @vowel_test -o test.json",
           "genera merge train.json test.json -o all.json", "genera fit all.json --model qda"}};
}

VerbText forget_text() {
  return {
      "forget",
      "take rows, or a class, out of statistics",
      "The result is what stats would have said without the rows of DATA (a table or a file "
      "of statistics), or without the class named by --class. Categories and words that only they "
      "had are forgotten too. FILE may be STATS itself.",
      {{"STATS", "a file written by stats, merge or forget"},
       {"DATA", "the rows to forget, as a table or as statistics", 0, 1}},
      {{"What to forget",
        {{"--class", "NAME", "this class instead of DATA"},
         {"--target", "COL", "the column with the class; default: that of STATS"},
         weights_option,
         missing_option}},
       reading(),
       general({output_option("print a summary")})},
      {"genera stats @vowel_train -o train.json", "genera stats @vowel_test -o test.json",
       "genera merge train.json test.json -o all.json",
       "genera forget all.json @vowel_test -o again.json", "genera stats @iris -o iris.stats.json",
       "genera forget iris.stats.json --class setosa -o iris.stats.json"}};
}

VerbText datasets_text() {
  return {"datasets",
          "the built-in data, written @NAME",
          "Lists the data sets that are part of the program, or prints one of them as CSV.",
          {{"NAME", "a data set, with or without the @", 0, 1}},
          {general({output_option("standard output")})},
          {"genera datasets", "genera datasets iris -o iris.csv"}};
}

VerbText help_verb_text() {
  return {"help",
          "this text, or more about one verb",
          "Explains a verb: its arguments, its options, and examples that run as they are.",
          {{"VERB", "what to explain", 0, 1}},
          {{"General", {{"-h,--help", "", "this text"}}}},
          {"genera help fit"}};
}

}  // namespace

const std::vector<VerbText>& verb_texts() {
  static const std::vector<VerbText> texts{
      fit_text(),     cluster_text(),  predict_text(),  evaluate_text(), score_text(),
      inspect_text(), sample_text(),   impute_text(),   stats_text(),    merge_text(),
      forget_text(),  datasets_text(), help_verb_text()};
  return texts;
}

}  // namespace genera::cli
