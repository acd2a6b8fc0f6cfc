#include "blocks/describing.hpp"
#include "blocks/joint/kind.hpp"

namespace genera::blocks {

std::string_view JointKind::name(const Block&) { return "joint"; }

BlockDescription JointKind::describe(const Block& block, const std::vector<std::string>&) {
  const JointParameters& p = block.parameters();
  const Advice remark(
      fmt::format("smoothing {}; {{}} has them, {{}} those that separate the classes most",
                  rounded(p.smoothing)),
      {all_numbers(), strongest_features()});
  return {.type = "joint",
          .meaning = "one probability for each combination of levels",
          .tables = {{.title = fmt::format("joint table: {} for each class",
                                           counted(p.probabilities.columns(), "cell")),
                      .remark = remark}},
          .facts = {{"features", p.columns},
                    {"levels", p.levels},
                    {"smoothing", p.smoothing},
                    {"probabilities", p.probabilities}}};
}

ParameterCount JointKind::free_parameters(const Block& block) {
  return {.probabilities = block.free_parameters()};
}

}  // namespace genera::blocks
