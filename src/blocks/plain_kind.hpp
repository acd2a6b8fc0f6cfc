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

/// Defaults for the functions of BlockKind (kinds.hpp): learned from sums, missing cells left out
/// one by one, without text, numbers or lengths. A kind overrides the functions in which it
/// differs.
template <class B>
struct PlainKind {
  using Block = B;

  [[nodiscard]] static RowNeeds needs(const Recipe&, bool /*sparse_matrix*/) { return {}; }
  [[nodiscard]] static bool has_latent_cells(const sums::Summary&, const Recipe&) { return false; }
  static void refuse_missing(const Recipe&) {}
  static void refuse_without_rows(const Recipe&) {}
  static void refuse_unfit(const AvailableSums&, const Recipe&) {}

  [[nodiscard]] static bool needs_dense(const Block&) { return false; }
  [[nodiscard]] static bool keeps_rows(const Block&) { return false; }
  static void class_evidence(const Block&, const Prior&, Index, std::vector<Share>&) {}

  [[nodiscard]] static std::optional<BlockDescription::Moments> moments(const Block&) { return {}; }
  [[nodiscard]] static std::vector<Normal> normals(const Block&, std::span<const Index>) {
    return {};
  }
  [[nodiscard]] static std::optional<FeatureScores> linear_scores(const Block&, bool) { return {}; }
  [[nodiscard]] static std::optional<TextOptions> text_options(const Block&) { return {}; }
  [[nodiscard]] static std::optional<std::vector<std::string>> text_terms(const Block&) {
    return {};
  }

  [[nodiscard]] static RowLength row_length(const Block&) { return RowLength::none; }
  [[nodiscard]] static std::unique_ptr<LengthDraws> length_draws(const Block&,
                                                                 std::span<const Index>) {
    return nullptr;
  }
  [[nodiscard]] static std::unique_ptr<const MarginalDraws> marginal_draws(const Block&,
                                                                           const Prior&,
                                                                           const MatrixView&, int) {
    return nullptr;
  }

  [[nodiscard]] static bool is_certain(const Block& block) {
    return block.parameters().counts.empty();
  }
  [[nodiscard]] static std::vector<DistanceDistribution> distance_distributions(const Block&,
                                                                                Index) {
    return {};
  }
};

}  // namespace genera::blocks
