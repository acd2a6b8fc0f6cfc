#include "evidence_output.hpp"
#include "json_output.hpp"
#include "output.hpp"
#include "summary.hpp"
#include "verbs.hpp"

#include <genera/io.hpp>

namespace genera::cli {

void run(const InspectArguments& arguments) {
  refuse_output_onto(arguments.common, {arguments.model});
  const Model model = load_model(arguments.model);
  const bool json = arguments.common.json;
  if (arguments.top > 0) {
    write_output(arguments.common,
                 json ? top_json(model, arguments.top) : top_table(model, arguments.top));
    return;
  }
  write_output(arguments.common, json ? inspection_json(model) : summary(model));
}

}  // namespace genera::cli
