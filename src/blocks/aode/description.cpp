#include "blocks/aode/features.hpp"
#include "blocks/aode/kind.hpp"
#include "blocks/aode/table.hpp"
#include "blocks/describing.hpp"

namespace genera::blocks {

std::string_view AodeKind::name(const Block&) { return "aode"; }

BlockDescription AodeKind::describe(const Block& block, const std::vector<std::string>&) {
  const AodeParameters& p = block.parameters();
  std::vector<std::string> names, cut;
  std::vector<Vector> limits;
  for (const Column& column : p.columns) {
    names.push_back(column.name);
    if (!column.cut) continue;
    cut.push_back(column.name);
    limits.push_back(column.cut->limits);
  }
  std::string line =
      fmt::format("{} with {} in all", counted(std::ssize(p.columns), "column"),
                  counted(block.density().places(), "level or bin", "levels and bins"));
  if (!cut.empty()) line += fmt::format("; numbers are cut into bins: {}", fmt::join(cut, ", "));
  const Advice remark(fmt::format("smoothing {}; {{}} has all weights, {{}} the levels that "
                                  "separate the classes most",
                                  rounded(p.smoothing)),
                      {all_numbers(), strongest_features()});
  return {.type = "aode",
          .meaning =
              "averaged one-dependence estimators: each column depends on the class and on "
              "one other column, averaged over the choices of that column",
          .lines = {std::move(line)},
          .tables = {{.title = "pairs of columns", .remark = remark}},
          .facts = {{"features", names},
                    {"levels", p.levels},
                    {"cut", cut},
                    {"limits", limits},
                    {"smoothing", p.smoothing},
                    {"weights", p.weights}}};
}

ParameterCount AodeKind::free_parameters(const Block& block) {
  return {.probabilities = block.free_parameters()};
}

}  // namespace genera::blocks
