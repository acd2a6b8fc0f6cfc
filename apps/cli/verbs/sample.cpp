#include "model_facts.hpp"
#include "output.hpp"
#include "report.hpp"
#include "sampled_rows.hpp"
#include "verbs.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>
#include <genera/sample.hpp>

#include <algorithm>
#include <ostream>

namespace genera::cli {
namespace {

/// COL=VALUE: names and values may both hold '='; the first one behind a name of a column is meant.
Given given_cell(const std::string& item, const std::vector<std::string>& columns) {
  std::size_t cut = item.rfind('=');
  if (cut == std::string::npos || cut == 0 || cut + 1 == item.size())
    throw Error(Errc::bad_argument, "--given: '" + item + "' is not of the form COL=VALUE",
                "write a column, '=' and its value, as in petal_length=1.5");
  for (std::size_t at = item.find('='); at != std::string::npos; at = item.find('=', at + 1)) {
    if (std::find(columns.begin(), columns.end(), item.substr(0, at)) == columns.end()) continue;
    cut = at;
    break;
  }
  return {item.substr(0, cut), item.substr(cut + 1)};
}

SampleOptions options_of(const SampleArguments& arguments, const Model& model) {
  std::vector<std::string> columns = feature_names(model);
  columns.push_back(model.target());
  SampleOptions options{.of_class = arguments.of_class,
                        .given = {},
                        .length = arguments.length,
                        .threads = arguments.common.threads};
  for (const std::string& item : arguments.given)
    options.given.push_back(given_cell(item, columns));
  return options;
}

}  // namespace

void run(const SampleArguments& arguments) {
  const Common& common = arguments.common;
  refuse_output_onto(common, {arguments.model});
  const Model model = load_model(arguments.model);
  const Sampler sampler(model, options_of(arguments, model));
  const SampledRows written(model, common.json);
  write_output(common, [&](std::ostream& out) {
    Progress progress(common.quiet);
    out << written.header();
    sampler.for_each_block(arguments.rows, Rng(common.seed),
                           [&](Table&& drawn) -> std::function<void()> {
                             return [&, lines = written.lines(drawn), count = drawn.rows()] {
                               out << lines;
                               progress.advance(count);
                             };
                           });
  });
}

}  // namespace genera::cli
