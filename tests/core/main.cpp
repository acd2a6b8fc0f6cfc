// A program of the core alone: no files, no zlib. It reads a table from memory, learns, predicts,
// sends the model through bytes, and is told clearly what it cannot do.
#include <cstdio>
#include <string>
#include <string_view>

#include <genera/genera.hpp>

namespace {

constexpr std::string_view table =
    "height,weight,kind\n"
    "1.0,10,small\n1.2,11,small\n0.9,12,small\n1.1,9,small\n"
    "2.0,20,large\n2.3,22,large\n1.9,21,large\n2.1,19,large\n";

bool check(bool right, const char* what) {
  std::printf("%s: %s\n", right ? "right" : "WRONG", what);
  return right;
}

template <class Action>
bool refuses(const Action& action, const std::string& what, const char* hint) {
  try {
    action();
  } catch (const genera::Error& error) {
    return check(error.what() == what && error.hint() == hint, error.what());
  }
  return check(false, what.c_str());
}

std::size_t letter_by_letter(char* to, std::size_t /*size*/) {
  static std::size_t at = 0;
  return table.copy(to, 1, at++);
}

}  // namespace

int main() {
  const genera::Table rows = genera::read_csv(genera::Source::text(table));
  const genera::Model model = genera::fit(rows, genera::qda(), {}, {.threads = 2}).model;
  bool right = check(genera::predict(model, rows) == std::vector<int>({1, 1, 1, 1, 0, 0, 0, 0}),
                     "a table in memory is learned and predicted");

  for (const genera::Format format : {genera::Format::json, genera::Format::cbor})
    right &= check(genera::model_from_bytes(genera::to_bytes(model, format)) == model,
                   "a model goes through bytes and back");

  genera::RowStream stream(genera::Source::callback(letter_by_letter), {}, {});
  right &= check(genera::to_bytes(genera::fit(stream, genera::qda()).model.with_notes({})) ==
                     genera::to_bytes(model),
                 "a callback gives the same model, and rows can be read again");
  right &= check(genera::read_rows(stream).rows() == 8, "and again");

  right &= check(genera::read_csv("@iris").rows() == 150, "built-in data are there");

  right &= refuses([] { (void)genera::read_csv("iris.csv"); },
                   "iris.csv: this program has no access to files",
                   "link genera::genera, or give the text itself with Source::text");
  right &= refuses([] { (void)genera::read_csv(genera::Source::text("\x1f\x8b\b", "posted")); },
                   "posted: is gzip data, which this program cannot unpack",
                   "link genera::genera, or unpack it first");
  return right ? 0 : 1;
}
