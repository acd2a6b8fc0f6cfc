#include "options/common.hpp"
#include "statistics_files.hpp"

#include <genera/io.hpp>

namespace genera::cli {
namespace {

VerbText merge_text() {
  return {"merge",
          "add statistics together",
          "The result is the statistics of all rows together. Classes and columns are matched by "
          "name, columns in any order; a class may be new. FILE may be one of the inputs.",
          {{.name = "STATS",
            .text = "two or more files written by stats, merge or forget",
            .min = 2,
            .max = 1000000,
            .needs = "two or more files of statistics",
            .correct = "genera merge A B -o ALL"}},
          {common_texts("print a summary")},
          {"genera stats @vowel_train -o train.json", "genera stats @vowel_test -o test.json",
           "genera merge train.json test.json -o all.json", "genera fit all.json --model qda"}};
}

void run_merge(const Words& words) {
  const std::vector<std::string>& files = words.arguments;
  const Common common = common_of(words);
  Statistics total = load_statistics(files.front());
  for (std::size_t i = 1; i < files.size(); ++i) {
    const Statistics part = load_statistics(files[i]);
    about_file(files[i], [&] { total.merge(part); });
  }
  deliver(total, common);
}

}  // namespace

Verb merge_verb() { return {merge_text(), run_merge}; }

}  // namespace genera::cli
