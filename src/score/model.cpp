#include <genera/model.hpp>

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/kinds.hpp"

namespace genera {
namespace {

std::vector<Column> features_of(const std::vector<Block>& blocks) {
  std::vector<Column> features;
  for (const Block& block : blocks) {
    const std::vector<Column> more = std::visit([](const auto& b) { return b.features(); }, block);
    features.insert(features.end(), more.begin(), more.end());
  }
  return features;
}

/// A scorer has no density that could be multiplied with that of another block.
void refuse_mixed_scorer(const std::vector<Block>& blocks) {
  for (const Block& block : blocks) {
    const auto* counts = std::get_if<CountBlock>(&block);
    if (counts && !counts->is_density() && blocks.size() > 1)
      throw Error(Errc::bad_model,
                  "complement is a scorer, not a density: it cannot be mixed with other columns",
                  {"use {}, or leave the other columns out ({}, {})",
                   {{"model", {"multinomial"}}, {"features"}, {"drop"}}});
  }
}

template <class Names, class NameOf>
void require_distinct(const Names& names, const char* what, NameOf name_of) {
  std::set<std::string> seen;
  for (const auto& item : names) {
    if (!seen.insert(name_of(item)).second)
      throw Error(Errc::bad_model, fmt::format("the {} '{}' occurs twice", what, name_of(item)),
                  fmt::format("give each {} its own name", what));
  }
}

}  // namespace

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
                  fmt::format("{} classes, but the {} has {}", classes_.size(), what, found),
                  "give every class its prior and its density");
  };
  expect_classes(prior_.probabilities().size(), "prior");
  for (const Block& block : blocks_)
    std::visit(
        [&](const auto& b) { expect_classes(static_cast<std::size_t>(b.classes()), "block"); },
        block);
  refuse_mixed_scorer(blocks_);
  require_distinct(classes_, "class", [](const std::string& name) { return name; });
  require_distinct(features_, "feature", [](const Column& c) { return c.name; });
}

Model Model::with_prior(Prior prior) const {
  return {classes_, std::move(prior), blocks_, target_, notes_};
}

Model Model::with_notes(std::vector<std::string> notes) const& {
  return Model(*this).with_notes(std::move(notes));
}

Model Model::with_notes(std::vector<std::string> notes) && {
  notes_ = std::move(notes);
  return std::move(*this);
}

Model::ParameterCount Model::free_parameters() const {
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

bool Model::is_density() const {
  return std::none_of(blocks_.begin(), blocks_.end(), [](const Block& block) {
    const auto* counts = std::get_if<CountBlock>(&block);
    return counts && !counts->is_density();
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
