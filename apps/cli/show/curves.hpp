#pragma once

#include "pairs.hpp"
#include "show/json.hpp"

#include <genera/curves.hpp>

#include <optional>
#include <string>
#include <vector>

/// Learning curves and where they cross, as tables for people and as JSON.
namespace genera::cli {

/// Two curves that belong together.
struct ComparedPair {
  std::size_t generative, discriminative;  ///< places among the curves
  Crossing errors, log_losses;
  std::vector<Average> error_differences, log_loss_differences;  ///< generative - discriminative
};
[[nodiscard]] std::vector<ComparedPair> compared(const LearningCurves& curves,
                                                 const std::vector<Contenders::Pair>& pairs,
                                                 const BootstrapOptions& bootstrap);

[[nodiscard]] std::string curves_text(const LearningCurves& curves,
                                      const std::vector<ComparedPair>& pairs);
[[nodiscard]] std::string dimensions_text(const std::vector<DimensionCurves>& all, double within);

/// What a program needs to draw them. `dimension`: null, or the number of columns drawn.
struct CurvesJson {
  Json models = Json::array();
  Json curves = Json::array();
  Json differences = Json::array();
  Json crossings = Json::array();

  void add(const LearningCurves& from, const std::vector<ComparedPair>& pairs,
           std::optional<Index> dimension = {});
};
[[nodiscard]] Json needed_json(const std::vector<DimensionCurves>& all);

/// What was done to samples that were too small: redrawn, covariances moved, variances raised.
[[nodiscard]] std::vector<std::string> small_sample_notes(const LearningCurves& curves);

}  // namespace genera::cli
