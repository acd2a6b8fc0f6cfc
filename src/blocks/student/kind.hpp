#pragma once

#include "blocks/plain_kind.hpp"

namespace genera::blocks {

/// Its requirements on the rows are those of Gaussian blocks.
struct StudentKind : PlainKind<StudentBlock> {
  [[nodiscard]] static BlockPlans plans(const PlanInput& input, Report& report);

  [[nodiscard]] static Places locate(const Block& block, Finder& finder);
  [[nodiscard]] static std::unique_ptr<const BoundBlock> bind(const Block& block,
                                                              const BoundRows& rows,
                                                              const Places& places);
  [[nodiscard]] static bool needs_dense(const Block&) { return true; }

  [[nodiscard]] static std::string feature_name(const Block& block, Index feature,
                                                bool several_texts);

  [[nodiscard]] static std::string_view name(const Block&) { return "bqda"; }
  [[nodiscard]] static BlockDescription describe(const Block& block,
                                                 const std::vector<std::string>& classes);
  [[nodiscard]] static ParameterCount free_parameters(const Block& block);
  [[nodiscard]] static std::optional<BlockDescription::Moments> moments(const Block& block);

  [[nodiscard]] static std::vector<Normal> normals(const Block& block,
                                                   std::span<const Index> columns);

  static constexpr std::array<std::string_view, 1> types{"student"};
  [[nodiscard]] static bool reads(const document::Field& block);
  [[nodiscard]] static document::Members to_document(const Block& block);
  [[nodiscard]] static Block from_document(const document::Field& block,
                                           const DocumentClasses& classes);

  [[nodiscard]] static Layout layout(const Block& block);
  [[nodiscard]] static std::unique_ptr<const Filler> filler(const Block& block,
                                                            const FillRules& rules);
  /// The densities integrate over the posterior of the parameters: nothing is left to draw.
  [[nodiscard]] static bool is_certain(const Block&) { return true; }
  [[nodiscard]] static Block drawn(const Block& block, Rng&) { return block; }
  [[nodiscard]] static std::vector<DistanceDistribution> distance_distributions(const Block& block,
                                                                                Index columns);
  [[nodiscard]] static BoxTerms box(const Block& block, Index k, const BoxQuestion& question);
};

}  // namespace genera::blocks
