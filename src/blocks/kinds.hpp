#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <string_view>
#include <variant>

#include <genera/blocks.hpp>

#include "blocks/counts/kind.hpp"
#include "blocks/gaussian/kind.hpp"
#include "blocks/joint/kind.hpp"
#include "blocks/levels/kind.hpp"
#include "blocks/mixture/kind.hpp"
#include "blocks/poisson/kind.hpp"

/// The kinds of blocks: everything that is particular to one of them lies in its folder, behind the
/// functions of its kind. Nothing outside of blocks/ asks what kind a block is.
namespace genera::blocks {

template <class K>
concept BlockKind = requires(const typename K::Block& block, Finder& finder, const BoundRows& rows,
                             const Places& places, const Prior& prior, Index k,
                             std::vector<Share>& shares, const FillRules& rules, Rng& rng,
                             const PlanInput& input, Report& report, const document::Field& field,
                             const DocumentClasses& classes,
                             const std::vector<std::string>& class_names,
                             std::span<const Index> columns, const BoxQuestion& question,
                             const Recipe& recipe, const sums::Summary& summary,
                             const AvailableSums& kept, const MatrixView& numbers, int threads) {
  /// What it needs of the rows if a recipe asks for it, from a sparse matrix or not.
  { K::needs(recipe, true) } -> std::same_as<RowNeeds>;
  /// Whether cells are missing that it cannot leave out one by one: they are latent.
  { K::has_latent_cells(summary, recipe) } -> std::same_as<bool>;
  /// Throw Error (bad_argument) if the recipe asks of it what cannot be learned where something is
  /// missing, or from statistics alone, or from such statistics.
  {K::refuse_missing(recipe)};
  {K::refuse_without_rows(recipe)};
  {K::refuse_unfit(kept, recipe)};

  /// The blocks of this kind that a recipe asks for. Columns that say nothing are reported.
  { K::plans(input, report) } -> std::same_as<BlockPlans>;

  /// Where its columns are in the data. Throws Error (bad_data) if one is not there.
  { K::locate(block, finder) } -> std::same_as<Places>;
  /// Ready to be asked about these rows; block, rows and places must outlive it.
  { K::bind(block, rows, places) } -> std::same_as<std::unique_ptr<const BoundBlock>>;
  /// Whether it reads numbers one beside the other, so that a sparse matrix must be laid out.
  { K::needs_dense(block) } -> std::same_as<bool>;
  /// What speaks for class k against the others, for whatever has a probability of its own.
  {K::class_evidence(block, prior, k, shares)};
  { K::feature_name(block, k, true) } -> std::same_as<std::string>;

  /// As a recipe calls it; what it says of itself, all but its name; how much of it is free.
  { K::name(block) } -> std::same_as<std::string_view>;
  { K::describe(block, class_names) } -> std::same_as<BlockDescription>;
  { K::free_parameters(block) } -> std::same_as<ParameterCount>;
  /// Mean and covariance of its columns in each class; none: they are not numbers, or what they are
  /// depends on the length of a row.
  { K::moments(block) } -> std::same_as<std::optional<BlockDescription::Moments>>;
  /// The normal densities that its classes are sums of, over some of its columns by place; empty:
  /// they are not such sums.
  { K::normals(block, columns) } -> std::same_as<std::vector<Normal>>;
  /// Its scores as sums over features; none: they are not linear.
  { K::linear_scores(block, true) } -> std::same_as<std::optional<FeatureScores>>;
  /// How its text column becomes terms; none: it reads no text.
  { K::text_options(block) } -> std::same_as<std::optional<TextOptions>>;

  /// What documents call it; whether a block of a document, of whatever type, is of this kind (two
  /// kinds may share a word); the block as a document, without the counts of the classes, and back.
  { K::types[0] } -> std::convertible_to<std::string_view>;
  { K::reads(field) } -> std::same_as<bool>;
  { K::to_document(block) } -> std::same_as<document::Members>;
  { K::from_document(field, classes) } -> std::same_as<typename K::Block>;

  /// How its columns lie in a table that is laid out as the model is, and how they are completed.
  { K::layout(block) } -> std::same_as<Layout>;
  { K::filler(block, rules) } -> std::same_as<std::unique_ptr<const Filler>>;
  /// Whether its rows have a length that drawing them takes.
  { K::row_length(block) } -> std::same_as<RowLength>;
  /// How to draw rows of any length, where `columns` (among its numbers) are not counted; null:
  /// its density is not that of rows of a given length.
  { K::length_draws(block, columns) } -> std::same_as<std::unique_ptr<LengthDraws>>;
  /// Rows of its columns alone, to be asked without some of them; null: it has nothing quicker than
  /// to score them as rows with holes.
  {
    K::marginal_draws(block, prior, numbers, threads)
    } -> std::same_as<std::unique_ptr<const MarginalDraws>>;
  /// The terms of its text column; none: it reads no text.
  { K::text_terms(block) } -> std::same_as<std::optional<std::vector<std::string>>>;

  /// A draw from the posterior of its parameters, unless these are taken as certain.
  { K::is_certain(block) } -> std::same_as<bool>;
  { K::drawn(block, rng) } -> std::same_as<typename K::Block>;
  /// The law of D^2 in each class over so many of its columns; empty: it has none in closed form.
  { K::distance_distributions(block, k) } -> std::same_as<std::vector<DistanceDistribution>>;
  /// P(its cells lie in a box | those that are known) in class k. Throws Error (bad_argument) if it
  /// has no law for a column that is asked about.
  { K::box(block, k, question) } -> std::same_as<BoxTerms>;
};

template <BlockKind... K>
struct Kinds {
  using Variant = std::variant<typename K::Block...>;
};
using AllKinds = Kinds<GaussianKind, MixtureKind, LevelsKind, JointKind, CountsKind, PoissonKind>;
static_assert(std::same_as<AllKinds::Variant, Block>, "every block has its kind, in this order");

template <class B, class List>
struct KindOf;
template <class B, class First, class... Rest>
struct KindOf<B, Kinds<First, Rest...>>
    : std::conditional_t<std::same_as<B, typename First::Block>, std::type_identity<First>,
                         KindOf<B, Kinds<Rest...>>> {};
template <class B>
struct KindOf<B, Kinds<>> {};

/// Calls `f(kind)` for every kind.
template <class F>
void for_each_kind(F&& f) {
  [&]<class... K>(Kinds<K...>) { (f(K{}), ...); }(AllKinds{});
}

/// The plans of all kinds, in their order.
[[nodiscard]] inline BlockPlans all_plans(const PlanInput& input, Report& report) {
  BlockPlans all;
  for_each_kind([&](auto kind) {
    for (auto& plan : kind.plans(input, report)) all.push_back(std::move(plan));
  });
  return all;
}

/// Calls `f(kind, block)` with the block as what it is.
template <class F>
decltype(auto) visit(const Block& block, F&& f) {
  return std::visit(
      [&]<class B>(const B& known) { return f(typename KindOf<B, AllKinds>::type{}, known); },
      block);
}

}  // namespace genera::blocks
