// Two Gaussians with a shared covariance S: the posterior is a logistic function,
// log p(b|x)/p(a|x) = log pi_b/pi_a + x'w - (m_a + m_b)'w / 2 with w = inverse(S) (m_b - m_a).
#include <cmath>
#include <cstdio>

#include <genera/genera.hpp>

namespace {

genera::Model two_gaussians() {
  genera::GaussianParameters parameters;
  parameters.structure = genera::Covariance::tied;
  parameters.columns = {"x", "y"};
  parameters.means = genera::Matrix(2, 2);
  parameters.means(1, 0) = 1;  // m_a = (0, 0), m_b = (1, 2)
  parameters.means(1, 1) = 2;
  genera::Matrix covariance(2, 2, 0.5);
  covariance(0, 0) = 2;
  covariance(1, 1) = 1;
  parameters.covariances = {covariance};
  return genera::Model({"a", "b"}, genera::Prior({0.25, 0.75}),
                       {genera::GaussianBlock(parameters)});
}

double probability_of_b(double x, double y) {
  const double determinant = 2 * 1 - 0.5 * 0.5;
  const double w_x = (1 * 1 - 0.5 * 2) / determinant;
  const double w_y = (-0.5 * 1 + 2 * 2) / determinant;
  const double log_odds = std::log(3) + x * w_x + y * w_y - (w_x + 2 * w_y) / 2;
  return 1 / (1 + std::exp(-log_odds));
}

bool refuses_an_impossible_covariance() {
  genera::GaussianParameters parameters;
  parameters.columns = {"x"};
  parameters.means = genera::Matrix(1, 1);
  parameters.covariances = {genera::Matrix(1, 1, -1)};
  try {
    const genera::GaussianBlock block(parameters);
    return false;
  } catch (const genera::Error& error) {
    return error.code() == genera::Errc::bad_model && !in_words(error.hint()).empty();
  }
}

}  // namespace

int main() {
  const genera::Model model = two_gaussians();
  const float points[3][2] = {{0, 0}, {0.5F, 0.75F}, {-3, 4}};
  const genera::MatrixView rows(&points[0][0], 3, 2, {2, 1});
  const genera::Matrix posterior = genera::posterior(model, rows);
  bool right = refuses_an_impossible_covariance();
  for (genera::Index i = 0; i < 3; ++i) {
    const double expected = probability_of_b(rows(i, 0), rows(i, 1));
    std::printf("p(b | %g, %g) = %.15g, expected %.15g\n", rows(i, 0), rows(i, 1), posterior(i, 1),
                expected);
    right = right && std::abs(posterior(i, 1) - expected) < 1e-14;
  }
  std::printf("genera %s: %s\n", genera::version, right ? "right" : "WRONG");
  return right ? 0 : 1;
}
