#include "data/builtin.hpp"

#include <genera/error.hpp>
#include <genera/stream.hpp>

#include "kernel/text.hpp"

namespace genera {

std::vector<BuiltinDataset> builtin_datasets() {
  std::vector<BuiltinDataset> list;
  for (const data::BuiltinText& set : data::builtin_texts())
    list.push_back({std::string(set.name), std::string(set.description)});
  return list;
}

std::string_view builtin_dataset(const std::string& name) {
  std::vector<std::string> names;
  for (const data::BuiltinText& set : data::builtin_texts()) {
    if (set.name == name) return set.text;
    names.emplace_back(set.name);
  }
  constexpr std::size_t all = 100;
  throw Error(Errc::bad_argument, "there is no built-in data set '@" + name + "'",
              kernel::did_you_mean(name, names, "there are " + kernel::quoted_list(names, all)));
}

}  // namespace genera
