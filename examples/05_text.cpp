// A small spam filter: texts from a table, words as counts, and why a message was called what it
// is.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <genera/genera.hpp>

namespace {

/// A table as a file of this process alone, gone at the end.
class TemporaryCsv {
 public:
  TemporaryCsv(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() /
              ("genera_05_" + std::to_string(::getpid()) + "_" + name + ".csv")) {
    std::ofstream(path_) << text;
  }
  ~TemporaryCsv() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  TemporaryCsv(const TemporaryCsv&) = delete;
  TemporaryCsv& operator=(const TemporaryCsv&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

int main() {
  const TemporaryCsv known("known",
                           "label,message\n"
                           "spam,win a free prize now\n"
                           "spam,free entry: win cash today\n"
                           "ham,are you home for dinner tonight\n"
                           "ham,see you at home\n"
                           "ham,dinner is ready now\n");
  const TemporaryCsv unlabelled("unread", "message\nWIN a free dinner!\nhome by ten\n");

  // [text]
  const genera::Table messages = genera::read_csv(known.path());
  const genera::Model model = genera::fit(messages, genera::Recipe{}).model;  // text: multinomial

  const genera::Table unread = genera::read_csv(unlabelled.path(), genera::roles_for(model));
  const std::vector<genera::Explanation> why = genera::explain(model, unread, 3);
  // [text]

  double worst = 0;  // base + evidence + rest is the log-odds
  for (const genera::Explanation& row : why) {
    double sum = row.base + row.rest;
    std::printf("%s, log-odds %.3f: prior %+.3f",
                model.classes()[static_cast<std::size_t>(row.best)].c_str(), row.log_odds,
                row.base);
    for (const genera::Evidence& evidence : row.evidence) {
      std::printf(", %s %+.3f", evidence.feature.c_str(), evidence.log_odds);
      sum += evidence.log_odds;
    }
    std::printf("\n");
    worst = std::max(worst, std::abs(sum - row.log_odds));
  }
  const std::vector<std::int32_t> labels = genera::predict(model, unread);
  return labels == std::vector<std::int32_t>{1, 0} && worst < 1e-12 ? 0 : 1;  // spam, ham
}
