#pragma once

#include "blocks/plain_kind.hpp"

namespace genera::blocks {

struct MixtureKind : PlainKind<MixtureBlock> {
  [[nodiscard]] static RowNeeds needs(const Recipe& recipe, bool sparse_matrix);
  static void refuse_without_rows(const Recipe& recipe);

  [[nodiscard]] static BlockPlans plans(const PlanInput& input, Report& report);

  [[nodiscard]] static Places locate(const Block& block, Finder& finder);
  [[nodiscard]] static std::unique_ptr<const BoundBlock> bind(const Block& block,
                                                              const BoundRows& rows,
                                                              const Places& places);
  [[nodiscard]] static bool needs_dense(const Block& block);

  [[nodiscard]] static std::string feature_name(const Block& block, Index feature,
                                                bool several_texts);

  [[nodiscard]] static std::string_view name(const Block& block);
  [[nodiscard]] static BlockDescription describe(const Block& block,
                                                 const std::vector<std::string>& classes);
  [[nodiscard]] static std::optional<FeatureScores> linear_scores(const Block& block,
                                                                  bool several_texts);
  [[nodiscard]] static ParameterCount free_parameters(const Block& block);
  [[nodiscard]] static bool keeps_rows(const Block& block) {
    return block.parameters().kernel.has_value();
  }
  [[nodiscard]] static std::optional<BlockDescription::Moments> moments(const Block& block);
  [[nodiscard]] static std::vector<Normal> normals(const Block& block,
                                                   std::span<const Index> columns);

  static constexpr std::array<std::string_view, 1> types{"mixture"};
  [[nodiscard]] static bool reads(const document::Field& block);
  [[nodiscard]] static document::Members to_document(const Block& block);
  [[nodiscard]] static Block from_document(const document::Field& block,
                                           const DocumentClasses& classes);

  [[nodiscard]] static Layout layout(const Block& block);
  [[nodiscard]] static std::unique_ptr<const Filler> filler(const Block& block,
                                                            const FillRules& rules);
  [[nodiscard]] static std::unique_ptr<const MarginalDraws> marginal_draws(const Block& block,
                                                                           const Prior& prior,
                                                                           const MatrixView& rows,
                                                                           int threads);

  [[nodiscard]] static bool is_certain(const Block& block);
  [[nodiscard]] static Block drawn(const Block& block, Rng& rng);
  [[nodiscard]] static BoxTerms box(const Block& block, Index k, const BoxQuestion& question);
};

}  // namespace genera::blocks
