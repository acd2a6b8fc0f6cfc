#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <genera/block_description.hpp>
#include <genera/prior.hpp>

#include "blocks/box.hpp"
#include "blocks/distance_law.hpp"
#include "blocks/documents.hpp"
#include "blocks/fill.hpp"
#include "blocks/length_draws.hpp"
#include "blocks/marginal_draws.hpp"
#include "blocks/normals.hpp"
#include "blocks/plan.hpp"
#include "blocks/row_needs.hpp"
#include "blocks/worker.hpp"

namespace genera::blocks {

struct JointKind : NeedsSumsOnly {
  using Block = JointBlock;

  [[nodiscard]] static RowNeeds needs(const Recipe& recipe, bool sparse_matrix);
  [[nodiscard]] static bool has_latent_cells(const sums::Summary& summary, const Recipe& recipe);
  static void refuse_unfit(const AvailableSums& kept, const Recipe& recipe);

  [[nodiscard]] static BlockPlans plans(const PlanInput& input, Report& report);

  [[nodiscard]] static Places locate(const Block& block, Finder& finder);
  [[nodiscard]] static std::unique_ptr<const BoundBlock> bind(const Block& block,
                                                              const BoundRows& rows,
                                                              const Places& places);
  [[nodiscard]] static bool needs_dense(const Block& block);

  static void class_evidence(const Block& block, const Prior& prior, Index k,
                             std::vector<Share>& to);
  [[nodiscard]] static std::string feature_name(const Block& block, Index feature,
                                                bool several_texts);

  [[nodiscard]] static std::string_view name(const Block& block);
  [[nodiscard]] static BlockDescription describe(const Block& block,
                                                 const std::vector<std::string>& classes);
  [[nodiscard]] static std::optional<FeatureScores> linear_scores(const Block& block,
                                                                  bool several_texts);
  [[nodiscard]] static ParameterCount free_parameters(const Block& block);
  [[nodiscard]] static std::optional<BlockDescription::Moments> moments(const Block& block);
  [[nodiscard]] static std::vector<Normal> normals(const Block&, std::span<const Index>) {
    return {};
  }
  [[nodiscard]] static std::optional<TextOptions> text_options(const Block& block);

  static constexpr std::array<std::string_view, 1> types{"joint"};
  [[nodiscard]] static bool reads(const document::Field& block);
  [[nodiscard]] static document::Members to_document(const Block& block);
  [[nodiscard]] static Block from_document(const document::Field& block,
                                           const DocumentClasses& classes);

  [[nodiscard]] static Layout layout(const Block& block);
  [[nodiscard]] static std::unique_ptr<const Filler> filler(const Block& block,
                                                            const FillRules& rules);
  [[nodiscard]] static RowLength row_length(const Block& block);
  [[nodiscard]] static std::unique_ptr<LengthDraws> length_draws(const Block& block,
                                                                 std::span<const Index> missing);
  [[nodiscard]] static std::unique_ptr<const MarginalDraws> marginal_draws(const Block& block,
                                                                           const Prior& prior,
                                                                           const MatrixView& rows,
                                                                           int threads);
  [[nodiscard]] static std::optional<std::vector<std::string>> text_terms(const Block& block);

  [[nodiscard]] static bool is_certain(const Block& block);
  [[nodiscard]] static Block drawn(const Block& block, Rng& rng);
  [[nodiscard]] static std::vector<DistanceLaw> distance_laws(const Block& block, Index columns);
  [[nodiscard]] static BoxTerms box(const Block& block, Index k, const BoxQuestion& question);
};

}  // namespace genera::blocks
