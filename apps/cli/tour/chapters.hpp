#pragma once

#include "tour/workshop.hpp"

/// What the tour shows, in the order of the lectures.
namespace genera::cli::tour {

/// Models by hand: data, a discriminative model, mixtures, guesses, normals.
[[nodiscard]] std::vector<Section> first_chapters(Workshop& shop);
/// Models learned: maximum likelihood, predictions, the family, posteriors, naive Bayes, sizes.
[[nodiscard]] std::vector<Section> learned_chapters(Workshop& shop);
/// Generative and discriminative, missing values, missing labels, and what the code of the lectures
/// does.
[[nodiscard]] std::vector<Section> last_chapters(Workshop& shop);

/// Four digits, as the lectures print them.
[[nodiscard]] std::string number(double value);
/// So many digits behind the point.
[[nodiscard]] std::string fixed(double value, int digits);
[[nodiscard]] std::string whole(Index count);

/// The first lines of a CSV file as columns, numbers with three digits behind the point.
[[nodiscard]] std::string csv_listing(const std::string& csv, int lines);

/// The model of the two sepal columns that most of it is about.
[[nodiscard]] Commands sepal_fit(const std::string& recipe, const std::string& file);

}  // namespace genera::cli::tour
