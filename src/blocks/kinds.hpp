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
#include "blocks/student/kind.hpp"

/// The kinds of blocks. All code that depends on a kind is in its folder, behind the functions of
/// its kind; no code outside of blocks/ distinguishes kinds.
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
  /// Requirements on the rows if a recipe uses this kind, with or without a sparse matrix.
  { K::needs(recipe, true) } -> std::same_as<RowNeeds>;
  /// True if missing cells are latent, because they cannot be left out one by one.
  { K::has_latent_cells(summary, recipe) } -> std::same_as<bool>;
  /// Throw Error (bad_argument) if the recipe requires something of this kind that is impossible
  /// with missing values, from statistics alone, or from these statistics.
  {K::refuse_missing(recipe)};
  {K::refuse_without_rows(recipe)};
  {K::refuse_unfit(kept, recipe)};

  /// Plans of the blocks of this kind for a recipe. Reports columns that are left out.
  { K::plans(input, report) } -> std::same_as<BlockPlans>;

  /// Location of its columns in the data. Throws Error (bad_data) if one is missing.
  { K::locate(block, finder) } -> std::same_as<Places>;
  /// Binds the block to rows; block, rows and places must outlive the result.
  { K::bind(block, rows, places) } -> std::same_as<std::unique_ptr<const BoundBlock>>;
  /// True if it reads contiguous numbers, so that a sparse matrix must be expanded.
  { K::needs_dense(block) } -> std::same_as<bool>;
  /// Evidence for class k against the others, for features with a probability.
  {K::class_evidence(block, prior, k, shares)};
  { K::feature_name(block, k, true) } -> std::same_as<std::string>;

  /// Name in recipes; description without the name; number of free parameters.
  { K::name(block) } -> std::same_as<std::string_view>;
  { K::describe(block, class_names) } -> std::same_as<BlockDescription>;
  { K::free_parameters(block) } -> std::same_as<ParameterCount>;
  /// Whether its parameters contain training rows.
  { K::keeps_rows(block) } -> std::same_as<bool>;
  /// Mean and covariance of its columns in each class; empty if they are not numbers or depend on
  /// the length of a row.
  { K::moments(block) } -> std::same_as<std::optional<BlockDescription::Moments>>;
  /// Normal densities whose weighted sums are the class densities, over some of its columns by
  /// index, or approximations; empty if there are none.
  { K::normals(block, columns) } -> std::same_as<std::vector<Normal>>;
  /// Scores as sums over features; empty if they are not linear.
  { K::linear_scores(block, true) } -> std::same_as<std::optional<FeatureScores>>;
  /// How its text column becomes terms; empty without text.
  { K::text_options(block) } -> std::same_as<std::optional<TextOptions>>;

  /// Type names in documents; whether a block of a document is of this kind (two kinds may share a
  /// name); the block as a document, without class counts, and its inverse.
  { K::types[0] } -> std::convertible_to<std::string_view>;
  { K::reads(field) } -> std::same_as<bool>;
  { K::to_document(block) } -> std::same_as<document::Members>;
  { K::from_document(field, classes) } -> std::same_as<typename K::Block>;

  /// Layout of its columns in the order of the model, and completion of rows.
  { K::layout(block) } -> std::same_as<Layout>;
  { K::filler(block, rules) } -> std::same_as<std::unique_ptr<const Filler>>;
  /// Whether its rows have a length, which drawing needs.
  { K::row_length(block) } -> std::same_as<RowLength>;
  /// Draws of rows of any length, without `columns` (among its numbers); null if its density is not
  /// conditional on a length.
  { K::length_draws(block, columns) } -> std::same_as<std::unique_ptr<LengthDraws>>;
  /// Draws that are scored without some of their columns; null if scoring them as rows with missing
  /// values is as fast.
  {
    K::marginal_draws(block, prior, numbers, threads)
    } -> std::same_as<std::unique_ptr<const MarginalDraws>>;
  /// Terms of its text column; empty without text.
  { K::text_terms(block) } -> std::same_as<std::optional<std::vector<std::string>>>;

  /// A draw from the posterior of its parameters; whether they are taken as certain instead.
  { K::is_certain(block) } -> std::same_as<bool>;
  { K::drawn(block, rng) } -> std::same_as<typename K::Block>;
  /// Distribution of D^2 in each class over a number of its columns; empty without a closed form.
  { K::distance_distributions(block, k) } -> std::same_as<std::vector<DistanceDistribution>>;
  /// P(cells in a box | known cells) in class k. Throws Error (bad_argument) if a column asked
  /// about has no distribution.
  { K::box(block, k, question) } -> std::same_as<BoxTerms>;
};

template <BlockKind... K>
struct Kinds {
  using Variant = std::variant<typename K::Block...>;
};
using AllKinds =
    Kinds<GaussianKind, MixtureKind, LevelsKind, JointKind, CountsKind, PoissonKind, StudentKind>;
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

/// Calls `f(kind, block)` with the type of the block.
template <class F>
decltype(auto) visit(const Block& block, F&& f) {
  return std::visit(
      [&]<class B>(const B& known) { return f(typename KindOf<B, AllKinds>::type{}, known); },
      block);
}

}  // namespace genera::blocks
