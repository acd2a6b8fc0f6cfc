#pragma once

#include "blocks/plain_kind.hpp"

namespace genera::blocks {

struct AodeKind : PlainKind<AodeBlock> {
  [[nodiscard]] static RowNeeds needs(const Recipe& recipe, bool sparse_matrix);
  static void refuse_missing(const Recipe& recipe);
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
  [[nodiscard]] static ParameterCount free_parameters(const Block& block);

  static constexpr std::array<std::string_view, 1> types{"aode"};
  [[nodiscard]] static bool reads(const document::Field& block);
  [[nodiscard]] static document::Members to_document(const Block& block);
  [[nodiscard]] static Block from_document(const document::Field& block,
                                           const DocumentClasses& classes);

  [[nodiscard]] static std::vector<Normal> normals(const Block& block,
                                                   std::span<const Index> columns);
  [[nodiscard]] static Layout layout(const Block& block);
  [[nodiscard]] static std::unique_ptr<const Filler> filler(const Block& block,
                                                            const FillRules& rules);

  [[nodiscard]] static Block drawn(const Block& block, Rng& rng);
  [[nodiscard]] static BoxTerms box(const Block& block, Index k, const BoxQuestion& question);
};

}  // namespace genera::blocks
