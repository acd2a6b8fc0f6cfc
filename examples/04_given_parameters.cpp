// A lecture's model, entered by hand: two normal densities and a prior, and where they meet.
#include <cmath>
#include <cstdio>

#include <genera/genera.hpp>

int main() {
  genera::GaussianParameters densities;
  densities.structure = genera::Covariance::tied;
  densities.columns = {"height"};
  densities.means = {2, 1, {165, 178}};
  densities.covariances = {{1, 1, {49}}};  // shared by both classes
  const genera::Model model({"women", "men"}, genera::Prior({0.5, 0.5}),
                            {genera::GaussianBlock(densities)});

  for (const double height : {160.0, 171.5, 185.0}) {
    const genera::Matrix p = genera::posterior(model, genera::Matrix{1, 1, {height}});
    std::printf("p(men | %.1f cm) = %.4f\n", height, p(0, 1));
  }

  // With other priors the boundary moves by sigma^2 log(odds) / (difference of means).
  const genera::Model fewer_men = model.with_prior(genera::Prior({0.8, 0.2}));
  const double boundary = 171.5 + 49 * std::log(4.0) / 13;
  const double p = genera::posterior(fewer_men, genera::Matrix{1, 1, {boundary}})(0, 1);
  std::printf("with a fifth men the boundary is at %.2f cm: p = %.4f\n", boundary, p);
  return std::abs(p - 0.5) < 1e-12 ? 0 : 1;
}
