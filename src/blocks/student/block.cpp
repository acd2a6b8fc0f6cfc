#include <cmath>

#include <fmt/format.h>

#include <genera/blocks.hpp>

#include "blocks/probabilities.hpp"

namespace genera {
namespace {

using detail::refuse_model;

StudentParameters checked(StudentParameters p) {
  const Index classes = p.scales.means.rows();
  if (std::ssize(p.scales.covariances) != classes)
    refuse_model(
        fmt::format("{} for {}",
                    counted(std::ssize(p.scales.covariances), "scale matrix", "scale matrices"),
                    counted(classes, "class", "classes")),
        "give a scale matrix for each class");
  if (std::ssize(p.degrees) != classes)
    refuse_model(fmt::format("{} of freedom for {}", counted(std::ssize(p.degrees), "degree"),
                             counted(classes, "class", "classes")),
                 "give the degrees of freedom of each class");
  for (const double degrees : p.degrees) {
    if (!(degrees > 0) || !std::isfinite(degrees))
      refuse_model(fmt::format("a t density has {} degrees of freedom", degrees),
                   "give a finite number above 0");
  }
  if (!p.scales.counts.empty())
    refuse_model("the scale matrices of t densities have counts of their own",
                 "give the counts to the block");
  if (!(p.prior_rows >= 0) || !std::isfinite(p.prior_rows))
    refuse_model(fmt::format("the prior has {} rows", p.prior_rows), "give a number of at least 0");
  if (!(p.prior_gamma >= 0 && p.prior_gamma <= 1))
    refuse_model(fmt::format("the gamma of the prior is {}", p.prior_gamma),
                 "give a number from 0 to 1");
  detail::check_counts(p.counts, classes);
  return p;
}

}  // namespace

StudentBlock::StudentBlock(StudentParameters parameters)
    : parameters_(checked(std::move(parameters))), scales_(parameters_.scales) {}

}  // namespace genera
