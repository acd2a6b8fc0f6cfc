#include "query/generate/expect.hpp"

#include <algorithm>
#include <numeric>

#include "kernel/aligned.hpp"
#include "kernel/index.hpp"
#include "kernel/parallel.hpp"
#include "kernel/progress.hpp"
#include "kernel/patterns.hpp"

namespace genera::query {
namespace {

using kernel::at;
using kernel::panel_rows;

}  // namespace

void expect_missing(const Model& model, ModelRows& rows, const Matrix& classes,
                    const Control& control) {
  std::vector<Index> all(at(rows.table.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  const std::vector<kernel::Pattern> patterns =
      kernel::patterns_of(rows.table.numbers, rows.pattern_columns, all);
  const auto tasks = kernel::tasks_of(patterns, rows_completed_at_once);
  const Fillers fillers(model);
  const auto fill = [&](Index i) {
    RowFiller filler(fillers, rows);
    kernel::AlignedVector weights(at(classes.columns() * panel_rows));
    for (const kernel::PatternPart& part : tasks[at(i)]) {
      filler.observe(part.pattern->observed);
      for (std::size_t begin = 0; begin < part.rows.size(); begin += panel_rows) {
        const auto some =
            part.rows.subspan(begin, std::min<std::size_t>(panel_rows, part.rows.size() - begin));
        for (std::size_t lane = 0; lane < some.size(); ++lane) {
          for (Index k = 0; k < classes.columns(); ++k)
            weights[at(k * panel_rows) + lane] = classes(some[lane], k);
        }
        filler.expect(some, weights.data());
      }
    }
  };
  kernel::ProgressMeter meter(control, Progress::Task::drawing, rows.table.rows());
  kernel::parallel_for(std::ssize(tasks), control.threads, fill,
                       [&](Index i) { meter.advance(kernel::rows_of(tasks[at(i)])); });
}

}  // namespace genera::query
