#include <genera/model.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/kinds.hpp"
#include "score/distinct.hpp"
#include "score/temperature.hpp"

namespace genera {
namespace {

std::vector<Column> features_of(const std::vector<Block>& blocks) {
  std::vector<Column> features;
  for (const Block& block : blocks) {
    std::vector<Column> more = std::visit([](const auto& b) { return b.features(); }, block);
    features.insert(features.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
  }
  return features;
}

}  // namespace

Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

Model::Model(std::vector<std::string> classes, Prior prior, std::vector<Block> blocks,
             std::string target, std::vector<std::string> notes)
    : classes_(std::move(classes)),
      prior_(std::move(prior)),
      blocks_(std::move(blocks)),
      target_(std::move(target)),
      notes_(std::move(notes)),
      features_(features_of(blocks_)) {
  if (classes_.empty() || blocks_.empty())
    throw Error(Errc::bad_model, "a model needs at least one class and one block",
                "give classes with their densities");
  const auto expect_classes = [&](std::size_t found, const char* what) {
    if (found != classes_.size())
      throw Error(Errc::bad_model,
                  fmt::format("{}, but the {} has {}",
                              counted(std::ssize(classes_), "class", "classes"), what, found),
                  "give every class its prior and its density");
  };
  expect_classes(prior_.probabilities().size(), "prior");
  for (const Block& block : blocks_)
    std::visit(
        [&](const auto& b) { expect_classes(static_cast<std::size_t>(b.classes()), "block"); },
        block);
  score::require_distinct(classes_, features_);
}

Model Model::with_prior(Prior prior) const {
  Model model(classes_, std::move(prior), blocks_, target_, notes_);
  model.temperature_ = temperature_;
  model.label_type_ = label_type_;
  model.origin_ = origin_;
  model.order_ = order_;
  return model;
}

Model Model::with_temperature(double temperature) const& {
  return Model(*this).with_temperature(temperature);
}

Model Model::with_temperature(double temperature) && {
  score::require_temperature(temperature);
  temperature_ = temperature;
  return std::move(*this);
}

Model Model::with_notes(std::vector<std::string> notes) const& {
  return Model(*this).with_notes(std::move(notes));
}

Model Model::with_notes(std::vector<std::string> notes) && {
  notes_ = std::move(notes);
  return std::move(*this);
}

Model Model::with_label_type(LabelType type) const {
  Model model(*this);
  model.label_type_ = type;
  return model;
}

Model Model::with_origin(Origin origin) const {
  Model model(*this);
  model.origin_ = std::move(origin);
  return model;
}

std::vector<Index> Model::column_order() const {
  if (!order_.empty()) return order_;
  std::vector<Index> order(features_.size());
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

Model Model::with_column_order(const std::vector<std::string>& names) const {
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < names.size(); ++i) places.emplace(names[i], i);
  const auto place = [&](Index feature) {
    const auto found = places.find(features_[static_cast<std::size_t>(feature)].name);
    return found == places.end() ? names.size() : found->second;
  };
  Model model(*this);
  model.order_.clear();
  std::vector<Index> order = model.column_order();
  std::ranges::stable_sort(order, {}, place);
  if (!std::ranges::is_sorted(order)) model.order_ = std::move(order);
  return model;
}

ParameterCount Model::free_parameters() const {
  ParameterCount total{.priors = std::ssize(classes_) - 1};
  for (const Block& block : blocks_) {
    const ParameterCount own =
        blocks::visit(block, [](auto kind, const auto& b) { return kind.free_parameters(b); });
    total.means += own.means;
    total.covariances += own.covariances;
    total.probabilities += own.probabilities;
    total.weights += own.weights;
  }
  return total;
}

bool Model::keeps_rows() const {
  return std::ranges::any_of(blocks_, [](const Block& block) {
    return blocks::visit(block, [](auto kind, const auto& b) { return kind.keeps_rows(b); });
  });
}

TextOptions Model::text_options() const {
  for (const Block& block : blocks_) {
    const auto options =
        blocks::visit(block, [](auto kind, const auto& b) { return kind.text_options(b); });
    if (options) return *options;
  }
  return {};
}

const Vector& Model::counts() const {
  return std::visit([](const auto& b) -> const Vector& { return b.parameters().counts; },
                    blocks_.front());
}

}  // namespace genera
