#pragma once

#include <optional>
#include <span>
#include <vector>

#include <genera/model.hpp>

#include "query/generate/gaussian_rest.hpp"
#include "query/generate/own_rows.hpp"

namespace genera::query {

/// The Gaussian blocks of a model, made ready for completing rows; shared by all threads.
class GaussianParts {
 public:
  enum class For { expectations, draws };
  /// The model must outlive it.
  GaussianParts(const Model& model, For purpose);

  struct Part {
    std::size_t block;
    Components components;
    std::optional<Colouring> colouring;  // for draws
  };
  [[nodiscard]] const std::vector<Part>& all() const { return parts_; }

 private:
  std::vector<Part> parts_;
};

/// Completes rows that miss the same columns, up to sixteen at once. One per thread.
class GaussianWorker {
 public:
  GaussianWorker(const GaussianParts& parts, OwnRows& rows);

  /// Which of the gaussian_columns() of the rows to come are observed.
  void observe(std::span<const Index> columns);

  /// Calls by(rest, panel) for each block with these rows in its panel, from which they are taken
  /// again.
  template <class By>
  void complete(std::span<const Index> rows, By by) {
    for (std::size_t i = 0; i < rests_.size(); ++i) {
      each_cell(i, rows, [](double& cell, double& lane) { lane = cell; });
      by(rests_[i], panel_.data());
      each_cell(i, rows, [](double& cell, double& lane) { cell = lane; });
    }
  }

 private:
  template <class Action>
  void each_cell(std::size_t part, std::span<const Index> rows, Action action) {
    const Index first = rows_.places[parts_[part].block].number;
    for (std::size_t lane = 0; lane < rows.size(); ++lane) {
      double* cell = rows_.table.numbers.row(rows[lane]).data() + first;
      double* in_panel = panel_.data() + lane;
      for (Index j = 0; j < parts_[part].components.dimension(); ++j)
        action(cell[j], in_panel[j * kernel::panel_rows]);
    }
  }

  const std::vector<GaussianParts::Part>& parts_;
  OwnRows& rows_;
  std::vector<GaussianRest> rests_;
  std::vector<Index> own_;
  kernel::AlignedVector panel_;
};

}  // namespace genera::query
