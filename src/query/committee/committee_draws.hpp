#pragma once

#include <genera/classifier.hpp>
#include <genera/sample.hpp>

#include "query/generate/draws.hpp"
#include "query/generate/given.hpp"

namespace genera::query {

/// The members of a committee that are part of its density, with their weights.
struct DensityMember {
  const Model* model;
  double weight;
};
[[nodiscard]] std::vector<DensityMember> density_members(const Committee& committee);

/// Copies rows laid out as one model to a table laid out as another model of the same columns.
class LayoutCopy {
 public:
  LayoutCopy(const Table& from, const Table& to);
  /// Row `i` of `from` to row `place` of `to`, whose levels are those of construction.
  void row(const Table& from, Index i, Table& to, Index place) const;

 private:
  std::vector<Index> numbers_, codes_;               ///< of `from`: columns in `to`
  std::vector<std::vector<std::int32_t>> level_of_;  ///< of each code column, of each level
};

/// Draws rows of a committee: for each row a member, then a row of this member.
class CommitteeDrawer {
 public:
  /// The committee must outlive it. Throws Error as Sampler does.
  CommitteeDrawer(const Committee& committee, const SampleOptions& options);

  /// Rows in the layout of the leading model; row i depends on `rng` and i alone.
  [[nodiscard]] Table draw(DrawRange range, const Rng& rng, const Control& control) const;

 private:
  struct Member {
    const Model* model;
    double weight;  ///< given what is known of the rows
    RowDrawer drawer;
    Condition known;
    Matrix classes;
  };
  [[nodiscard]] std::size_t member_of(double uniform) const;

  const Model& leading_;
  std::vector<Member> members_;
};

}  // namespace genera::query
