#include "options/common.hpp"
#include "show/json.hpp"
#include "show/output.hpp"

#include <genera/error.hpp>
#include <genera/stream.hpp>

#include <algorithm>

namespace genera::cli {
namespace {

VerbText datasets_text() {
  return {"datasets",
          "the built-in data, written @NAME",
          "Lists the data sets that are part of the program, or prints one of them as CSV.",
          {{"NAME", "a data set, with or without the @", 0, 1}},
          {common_texts("standard output")},
          {"genera datasets", "genera datasets iris -o iris.csv"}};
}

std::string listing(const std::vector<BuiltinDataset>& datasets) {
  std::size_t widest = 0;
  for (const BuiltinDataset& dataset : datasets) widest = std::max(widest, dataset.name.size());
  std::string text;
  for (const BuiltinDataset& dataset : datasets)
    text += '@' + dataset.name + std::string(widest - dataset.name.size() + 2, ' ') +
            dataset.description + '\n';
  return text;
}

std::string listing_json(const std::vector<BuiltinDataset>& datasets) {
  return json_document(list_of(datasets, [](const BuiltinDataset& dataset) {
    return Facts{{"name", dataset.name}, {"description", dataset.description}};
  }));
}

void run_datasets(const Words& words) {
  const Common common = common_of(words);
  if (words.arguments.empty()) {
    const std::vector<BuiltinDataset> datasets = builtin_datasets();
    write_output(common, common.json ? listing_json(datasets) : listing(datasets));
    return;
  }
  const std::string& name = words.arguments[0];
  if (common.json)
    throw Error(Errc::bad_argument, "'datasets " + name + "' prints CSV, not JSON",
                "leave --json out, or the name, for a list of what there is");
  const bool marked = name.starts_with('@');
  write_output(common, std::string(builtin_dataset(marked ? name.substr(1) : name)));
}

}  // namespace

Verb datasets_verb() { return {datasets_text(), run_datasets}; }

}  // namespace genera::cli
