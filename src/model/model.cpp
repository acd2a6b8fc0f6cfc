#include <genera/model.hpp>

#include <set>

#include <fmt/format.h>

#include <genera/error.hpp>

namespace genera {
namespace {

std::vector<Column> features_of(const std::vector<Block>& blocks) {
  std::vector<Column> features;
  for (const Block& block : blocks) {
    std::visit(
        [&](const auto& b) {
          for (const std::string& name : b.columns())
            features.push_back({name, ColumnType::numeric});
        },
        block);
  }
  return features;
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
  require_distinct(classes_, "class", [](const std::string& name) { return name; });
  require_distinct(features_, "feature", [](const Column& c) { return c.name; });
}

Model Model::with_prior(Prior prior) const {
  return {classes_, std::move(prior), blocks_, target_, notes_};
}

Model Model::with_notes(std::vector<std::string> notes) const {
  return {classes_, prior_, blocks_, target_, std::move(notes)};
}

Model::ParameterCount Model::free_parameters() const {
  const auto classes = static_cast<Index>(classes_.size());
  ParameterCount count{.priors = classes - 1};
  for (const Block& block : blocks_) {
    std::visit(
        [&](const GaussianBlock& b) {
          count.means += classes * b.dimension();
          count.covariances += b.free_covariance_parameters();
        },
        block);
  }
  return count;
}

}  // namespace genera
