#include "verbs/registry.hpp"

#include "model_help.hpp"

#include <genera/error.hpp>

#include <array>
#include <utility>

namespace genera::cli {

// One of each file in this folder.
Verb fit_verb(), cluster_verb(), predict_verb(), evaluate_verb(), score_verb(), inspect_verb();
Verb sample_verb(), impute_verb(), split_verb(), stats_verb(), merge_verb(), forget_verb(),
    datasets_verb();
Verb help_verb(), select_verb(), compare_verb(), diagnose_verb(), probability_verb();
Verb plot_verb(), tour_verb(), summary_verb(), parameters_verb();

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> all{
      summary_verb(),     fit_verb(),     cluster_verb(),  predict_verb(), evaluate_verb(),
      select_verb(),      compare_verb(), diagnose_verb(), score_verb(),   inspect_verb(),
      probability_verb(), sample_verb(),  impute_verb(),   split_verb(),   stats_verb(),
      merge_verb(),       forget_verb(),  plot_verb(),     tour_verb(),    datasets_verb(),
      parameters_verb(),  help_verb()};
  return all;
}

const Verb& verb_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Verb& verb : verbs()) {
    if (verb.text.name == name) return verb;
    names.push_back(verb.text.name);
  }
  static constexpr std::array<std::pair<const char*, const char*>, 9> words{
      {{"train", "fit"},
       {"learn", "fit"},
       {"classify", "predict"},
       {"test", "evaluate"},
       {"describe", "inspect"},
       {"show", "inspect"},
       {"generate", "sample"},
       {"fill", "impute"},
       {"version", "--version"}}};  // what other programs call it
  for (const auto& [theirs, ours] : words)
    if (theirs == name)
      throw Error(Errc::bad_argument, "there is no verb '" + name + "'",
                  std::string("write genera ") + ours);
  if (const std::string model = model_in_words(name); !model.empty())
    throw Error(Errc::bad_argument, "'" + name + "' is a model, not a verb",
                "write genera fit DATA --model " + model + "; see 'genera help " + model + "'");
  if (name == "models")
    throw Error(Errc::bad_argument, "there is no verb 'models'", "see 'genera help models'");
  throw Error(Errc::bad_argument, "there is no verb '" + name + "'",
              suggest(name, names, "see 'genera help' for the list of verbs"));
}

}  // namespace genera::cli
