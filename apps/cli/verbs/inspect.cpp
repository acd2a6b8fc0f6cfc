#include "json_output.hpp"
#include "output.hpp"
#include "summary.hpp"
#include "verbs.hpp"

#include <genera/io.hpp>

namespace genera::cli {

void run(const InspectArguments& arguments) {
  refuse_output_onto(arguments.common, {arguments.model});
  const Model model = load_model(arguments.model);
  write_output(arguments.common, arguments.common.json ? inspection_json(model) : summary(model));
}

}  // namespace genera::cli
