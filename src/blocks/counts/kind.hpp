#pragma once

#include "blocks/plain_kind.hpp"

namespace genera::blocks {

struct CountsKind : PlainKind<CountBlock> {
  [[nodiscard]] static RowNeeds needs(const Recipe& recipe, bool sparse_matrix);

  [[nodiscard]] static BlockPlans plans(const PlanInput& input, Report& report);

  [[nodiscard]] static Places locate(const Block& block, Finder& finder);
  [[nodiscard]] static std::unique_ptr<const BoundBlock> bind(const Block& block,
                                                              const BoundRows& rows,
                                                              const Places& places);

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
  [[nodiscard]] static std::optional<TextOptions> text_options(const Block& block);

  static constexpr std::array<std::string_view, 2> types{"multinomial", "bernoulli"};
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
  [[nodiscard]] static std::optional<std::vector<std::string>> text_terms(const Block& block);

  [[nodiscard]] static bool is_certain(const Block& block);
  [[nodiscard]] static Block drawn(const Block& block, Rng& rng);
  [[nodiscard]] static BoxTerms box(const Block& block, Index k, const BoxQuestion& question);
};

}  // namespace genera::blocks
