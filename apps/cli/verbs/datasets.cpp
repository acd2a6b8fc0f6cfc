#include "json_output.hpp"
#include "output.hpp"
#include "text_table.hpp"
#include "verbs.hpp"

#include <genera/stream.hpp>

namespace genera::cli {
namespace {

std::string listing(const std::vector<BuiltinDataset>& datasets) {
  std::size_t widest = 0;
  for (const BuiltinDataset& dataset : datasets) widest = std::max(widest, dataset.name.size());
  std::string text;
  for (const BuiltinDataset& dataset : datasets)
    text += '@' + dataset.name + std::string(widest - dataset.name.size() + 2, ' ') +
            dataset.description + '\n';
  return text;
}

}  // namespace

void run(const DatasetsArguments& arguments) {
  const Common& common = arguments.common;
  if (!arguments.name) {
    const std::vector<BuiltinDataset> datasets = builtin_datasets();
    write_output(common, common.json ? datasets_json(datasets) : listing(datasets));
    return;
  }
  const bool marked = arguments.name->starts_with('@');
  const std::string_view text =
      builtin_dataset(marked ? arguments.name->substr(1) : *arguments.name);
  write_output(common, std::string(text));
}

void run(const PrintArguments& arguments) { write_output({}, arguments.text); }

}  // namespace genera::cli
