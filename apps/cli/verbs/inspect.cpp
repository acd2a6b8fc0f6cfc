#include "options/common.hpp"
#include "options/model_file.hpp"
#include "show/boundaries_output.hpp"
#include "show/evidence_output.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/summary.hpp"
#include "values.hpp"

#include <genera/io.hpp>

namespace genera::cli {
namespace {

VerbText inspect_text() {
  return {"inspect",
          "what a model has learned",
          "Prints classes, priors, means, standard deviations, covariances (up to 12 features), "
          "coefficients of linear discriminants, the number of free parameters and the notes of "
          "the fit. Each block is printed with its columns. --json prints all parameters at full "
          "precision.",
          {model_argument()},
          {{"Evidence",
            {{"--top", "N",
              "print instead the N words, levels and numbers (at their mean) with the most "
              "evidence for each class"},
             {"--boundaries", "",
              "print instead the boundaries between two classes, for models in which they are "
              "planes: intercept + sum of coefficients times columns = 0, positive on the side of "
              "the first class"}}},
           common_texts("standard output")},
          {"genera fit @iris -o iris.json", "genera inspect iris.json",
           "genera inspect iris.json --json", "genera fit @iris --model lda -o lda.json",
           "genera inspect lda.json --boundaries", "genera fit @lenses -o lenses.json",
           "genera inspect lenses.json --top 3"}};
}

void run_inspect(const Words& words) {
  const std::string& file = words.arguments[0];
  const Index top = parse_count("--top", words.value("--top"));
  const Common common = common_of(words);
  refuse_output_onto(common, {file});
  if (top > 0 && words.has("--boundaries"))
    throw Error(Errc::bad_argument, "--top and --boundaries are two questions",
                "leave one of them out");
  const Classifier model = load_classifier(file);
  const std::vector<std::string>& classes = ClassifierRef(model).classes();
  if (words.has("--boundaries"))
    write_output(common, common.json ? json_document(facts(boundaries(model), classes))
                                     : boundaries_table(model));
  else if (top > 0)
    write_output(common, common.json ? top_json(model, top) : top_table(model, top));
  else
    write_output(common, common.json ? json_document(facts(model)) : summary(model));
}

}  // namespace

Verb inspect_verb() { return {inspect_text(), run_inspect}; }

}  // namespace genera::cli
