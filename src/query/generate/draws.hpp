#pragma once

#include <functional>

#include <genera/control.hpp>
#include <genera/model.hpp>
#include <genera/random.hpp>

#include "query/generate/model_rows.hpp"

namespace genera::query {

/// Fills what is missing of rows by draws from the model, given what is known of them: the one
/// place that draws rows.
class RowDrawer {
 public:
  /// The model must outlive it.
  explicit RowDrawer(const Model& model, const blocks::FillRules& rules = {});

  [[nodiscard]] ModelRows unknown(Index rows) const { return unknown_rows(model_, rows); }

  /// Which rows are drawn from what.
  struct Chances {
    /// p(k | what is known): a row for each row, or one for all.
    const Matrix& classes;
    /// Of each row; what becomes of it depends on nothing else.
    std::function<Rng(Index row)> stream;
  };
  /// Draws a class for each row, which becomes its label, and then what is missing.
  void complete(ModelRows& rows, const Chances& chances, const Control& control) const;

 private:
  const Model& model_;
  bool draws_texts_;
  Fillers fillers_;
};

struct DrawRange {
  Index begin, end;
};

/// Rows [begin, end) of an endless table of draws from the model, labelled with the classes they
/// were drawn from: row i depends on `rng` and i alone. Counts have the mean length of their class,
/// if the rules do not say another.
[[nodiscard]] Table draw_rows(const Model& model, DrawRange range, const Rng& rng,
                              const Control& control = {}, const blocks::FillRules& rules = {});

/// The prior as a matrix with one row.
[[nodiscard]] Matrix as_row(const Vector& probabilities);

}  // namespace genera::query
