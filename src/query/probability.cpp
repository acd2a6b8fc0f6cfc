#include <genera/probability.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/kinds.hpp"
#include "data/join_tables.hpp"
#include "kernel/index.hpp"
#include "query/class_boxes.hpp"
#include "query/generate/given.hpp"

namespace genera {
namespace {

using kernel::at;
using kernel::LogProbability;

[[noreturn]] void refuse(const std::string& what, const Advice& hint) {
  throw Error(Errc::bad_argument, what, hint);
}

/// The question in the layout of the model.
struct AskedCells {
  std::vector<kernel::Interval> numbers{};
  std::vector<std::int32_t> levels{};
  std::optional<Index> label{};
};

std::string text_of(const Given& cell) {
  const auto* text = std::get_if<std::string>(&cell.value);
  return text ? *text : fmt::format("{}", std::get<double>(cell.value));
}

/// Locates the cells of a question.
class AskedReader {
 public:
  AskedReader(const Model& model, const ProbabilityQuestion& question, const Table& layout)
      : model_(model), places_(data::feature_places(model.features())), layout_(layout) {
    for (std::size_t j = 0; j < places_.size(); ++j) columns_.emplace(model.features()[j].name, j);
    for (const Given& given : question.given) given_.insert(given.column);
    if (question.of_class) given_.insert(model.target());
    asked_.numbers.assign(at(layout.numbers.columns()), {-kernel::infinity, kernel::infinity});
    asked_.levels.assign(layout.levels.size(), -1);
  }

  void read(const Between& between) {
    const data::FeaturePlace place = place_of(between.column);
    if (place.kind == data::FeaturePlace::Kind::code)
      refuse(fmt::format("column '{}' holds categories, which lie between nothing", between.column),
             "ask for one of its levels");
    const auto [column, low, high] = between;
    if (std::isnan(low) || std::isnan(high))
      refuse(fmt::format("an end of the interval of '{}' is not a number", column),
             "give two numbers, or leave an end open");
    if (low > high)
      refuse(fmt::format("the interval of '{}' begins at {} and ends at {}", column, low, high),
             "give the smaller number first");
    if (low == kernel::infinity || high == -kernel::infinity)
      refuse(fmt::format("the interval of '{}' holds no number", column),
             "give finite numbers, or leave an end open");
    asked_.numbers[at(place.at)] = {low, high};
  }

  void read(const Given& equal) {
    if (equal.column == model_.target() && !is_feature(equal.column)) {
      check_names(equal.column);
      asked_.label = query::class_named(model_, text_of(equal));
      return;
    }
    const data::FeaturePlace place = place_of(equal.column);
    if (place.kind != data::FeaturePlace::Kind::code)
      refuse(fmt::format("column '{}' holds numbers, but '{}' is not an interval", equal.column,
                         text_of(equal)),
             "write the interval as A:B, where an end may be left out");
    const auto& levels = layout_.levels[at(place.at)];
    asked_.levels[at(place.at)] =
        static_cast<std::int32_t>(query::level_named(equal.column, text_of(equal), levels));
  }

  [[nodiscard]] AskedCells take() && { return std::move(asked_); }

 private:
  [[nodiscard]] bool is_feature(const std::string& name) const { return columns_.contains(name); }

  void check_names(const std::string& column) {
    if (!names_.insert(column).second)
      refuse(fmt::format("column '{}' is asked about twice", column), "ask about each column once");
    if (given_.contains(column))
      refuse(fmt::format("column '{}' is both asked about and given", column),
             "leave one of the two out");
  }

  data::FeaturePlace place_of(const std::string& name) {
    const auto found = columns_.find(name);
    if (found == columns_.end()) query::refuse_column(model_, name);
    if (places_[found->second].kind == data::FeaturePlace::Kind::text)
      refuse(fmt::format("column '{}' is text, of which no interval can be asked", name),
             "ask about numbers, counts and categories");
    check_names(name);
    return places_[found->second];
  }

  const Model& model_;
  std::vector<data::FeaturePlace> places_;
  const Table& layout_;
  std::unordered_map<std::string_view, std::size_t> columns_;
  std::set<std::string> names_, given_;
  AskedCells asked_;
};

/// P(question about block b | its known cells) in class k.
blocks::BoxTerms box_of(const Block& block, Index k, const blocks::BoxQuestion& question) {
  return blocks::visit(block,
                       [&](auto kind, const auto& known) { return kind.box(known, k, question); });
}

/// The part of the question that concerns each block.
std::vector<blocks::BoxQuestion> questions_of(const Model& model, const query::ModelRows& known,
                                              const AskedCells& asked) {
  std::vector<blocks::BoxQuestion> questions;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const blocks::Layout layout = blocks::visit(
        model.blocks()[b], [](auto kind, const auto& block) { return kind.layout(block); });
    const std::size_t number = at(known.places[b].number), numbers = at(layout.numbers);
    const std::size_t code = at(known.places[b].code), codes = layout.levels.size();
    /// the only row
    const std::int32_t* first_code = known.table.codes.column(known.places[b].code);
    questions.push_back(
        {.numbers = std::span(asked.numbers).subspan(number, numbers),
         .levels = std::span(asked.levels).subspan(code, codes),
         .known_numbers = std::span(known.table.numbers.row(0)).subspan(number, numbers),
         .known_levels = {first_code, codes}});
  }
  return questions;
}

/// Limits rounding errors: a probability is at most 1.
ProbabilityEstimate estimate_of(const LogProbability& p) {
  const double log = std::min(p.log, 0.0), value = std::exp(log);
  return {value, log, value * p.error(), p.error()};
}

query::BoxEffort effort_of(const ProbabilityQuestion& question, const Control& control) {
  query::BoxEffort effort{.threads = control.threads};
  if (!question.precision) return effort;
  if (!(*question.precision > 0))
    refuse(fmt::format("the precision {} is not positive", *question.precision),
           "give the largest error allowed, as in 1e-5");
  effort.precision = *question.precision;
  return effort;
}

}  // namespace

Probability probability(const Model& model, const ProbabilityQuestion& question, const Rng& rng,
                        const Control& control) {
  if (question.between.empty() && question.equal.empty())
    refuse("nothing is asked of any column", "name a column and an interval of it");
  const query::Condition known = query::known_cells(model, question.of_class, question.given);
  AskedReader reader(model, question, known.cells.table);
  for (const Between& between : question.between) reader.read(between);
  for (const Given& equal : question.equal) reader.read(equal);
  const AskedCells asked = std::move(reader).take();
  const Matrix shares = query::class_probabilities(model, known);

  std::vector<blocks::BoxQuestion> questions = questions_of(model, known.cells, asked);
  std::vector<query::ClassBox> classes;
  for (Index k = 0; k < shares.columns(); ++k) {
    query::ClassBox& own = classes.emplace_back(query::ClassBox{std::log(shares(0, k))});
    if (shares(0, k) == 0 || asked.label.value_or(k) != k) continue;
    for (std::size_t b = 0; b < questions.size(); ++b) {
      questions[b].rng = rng.split(b).split(static_cast<std::uint64_t>(k));
      own.blocks.push_back(box_of(model.blocks()[b], k, questions[b]));
    }
  }
  query::refine(classes, effort_of(question, control));
  const LogProbability total = query::total_of(classes);
  Probability found{.all = estimate_of(total), .classes = {}, .evaluations = total.evaluations};
  for (Index k = 0; k < shares.columns(); ++k)
    found.classes.push_back({shares(0, k), estimate_of(classes[at(k)].estimate())});
  return found;
}

}  // namespace genera
