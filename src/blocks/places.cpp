#include "blocks/places.hpp"

#include <map>

#include "kernel/text.hpp"

namespace genera::blocks {

Places Finder::by_position(std::size_t count) {
  Places places;
  for (std::size_t j = 0; j < count; ++j) places.numbers.push_back(next_++);
  return places;
}

Places Finder::dense_numbers(const std::vector<std::string>& names) {
  if (data_.by_position) return by_position(names.size());
  Places places;
  for (const std::string& name : names) places.numbers.push_back(columns_.number(name));
  return places;
}

Places Finder::numbers(const std::vector<std::string>& names, const NameSet& known) {
  return features_ ? entries(*features_, known) : dense_numbers(names);
}

namespace {

/// Finds levels by name, or else by number: 4 matches 4.0, as for labels.
class LevelFinder {
 public:
  explicit LevelFinder(const NameSet& levels) : levels_(levels) {}

  [[nodiscard]] std::int32_t operator()(const std::string& name) {
    if (const auto same = levels_.find(name)) return *same;
    const std::optional<double> number = kernel::number_in(name);
    if (!number) return -1;
    if (!by_number_) list_numbers();
    const auto equal = by_number_->find(*number);
    return equal == by_number_->end() ? -1 : equal->second;
  }

 private:
  void list_numbers() {
    by_number_.emplace();
    for (std::int32_t i = 0; i < levels_.size(); ++i) {
      if (const auto number = kernel::number_in(levels_.names()[static_cast<std::size_t>(i)]))
        by_number_->emplace(*number, i);  // the first of equal numbers
    }
  }

  const NameSet& levels_;
  std::optional<std::map<double, std::int32_t>> by_number_;  // built when first needed
};

}  // namespace

Places Finder::known_numbers(const std::vector<std::string>& names,
                             std::vector<Index> features) const {
  Places places;
  if (data_.by_position) {
    places.numbers = std::move(features);
    return places;
  }
  for (const std::string& name : names) places.numbers.push_back(columns_.number(name));
  return places;
}

Places Finder::categories(const std::vector<std::string>& names,
                          const std::vector<NameSet>& levels) {
  if (data_.by_position) return by_position(names.size());
  Places places;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const Index place = columns_.code(names[j]);
    places.codes.push_back(place);
    std::vector<std::int32_t>& map = places.levels.emplace_back();
    LevelFinder find(levels[j]);
    for (const std::string& level : data_.codes[static_cast<std::size_t>(place)].names)
      map.push_back(find(level));
  }
  return places;
}

Places Finder::text(const std::string& name, const NameSet& terms) {
  return entries(static_cast<std::size_t>(columns_.text(name)), terms);
}

Places Finder::entries(std::size_t sparse, const NameSet& known) const {
  Places places{.sparse = sparse};
  const std::span<const std::string> terms = data_.sparse[sparse].terms;
  places.terms.resize(terms.size());
  known.find_all(std::vector<std::string_view>(terms.begin(), terms.end()), places.terms);
  return places;
}

}  // namespace genera::blocks
