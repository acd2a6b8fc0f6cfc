#pragma once

#include <genera/fit.hpp>
#include <genera/stream.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the user writes <-> what the library takes. Everything here throws Error (bad_argument)
/// with the nearest names.
namespace genera::cli {

/// What --model says: a family for the numbers, or a type for every column.
struct ModelChoice {
  Family family = Family::lda;
  std::optional<ColumnType> every_column{};
  std::optional<CountParameters::Kind> counts{};
  bool joint = false;
  bool mixture = false;  ///< of each class; the family is --covariance
};
[[nodiscard]] ModelChoice parse_model(const std::string& text);
/// A structure of the covariances of mixtures.
[[nodiscard]] Family parse_covariance(const std::string& text);
/// "3" or "1-5".
[[nodiscard]] MixtureOptions::Range parse_components(const std::string& text);
[[nodiscard]] Divisor parse_divisor(const std::string& text);
[[nodiscard]] Shrinkage parse_shrinkage(const std::string& text);
[[nodiscard]] Toward parse_toward(const std::string& text);
[[nodiscard]] OnSingular parse_on_singular(const std::string& text);
[[nodiscard]] Missing parse_missing(const std::string& text);
[[nodiscard]] ColumnType parse_column_type(const std::string& text);
/// Whether priors may be estimated from the rows; the word itself is not for this function.
enum class Estimate { never, possible };
[[nodiscard]] PriorChoice parse_priors(const std::string& text,
                                       Estimate estimate = Estimate::never);
[[nodiscard]] char parse_delimiter(const std::string& text);
[[nodiscard]] char parse_decimal(const std::string& text);

/// `2`, or `1-3`.
[[nodiscard]] TextOptions::Lengths parse_lengths(const std::string& option,
                                                 const std::string& text);
/// `english`, or a list of words.
[[nodiscard]] std::vector<std::string> parse_stop_words(const std::string& text);
/// A whole number of at least `least`.
[[nodiscard]] Index parse_whole_number(const std::string& option, const std::string& text,
                                       Index least);

/// A finite number; `option` is named in the error.
[[nodiscard]] double parse_number(const std::string& option, const std::string& text);
/// In [0, 1], and in (0, 1).
[[nodiscard]] double parse_probability(const std::string& option, const std::string& text);
[[nodiscard]] double parse_inner_probability(const std::string& option, const std::string& text);
[[nodiscard]] int parse_threads(const std::string& text);
[[nodiscard]] std::uint64_t parse_seed(const std::string& text);

/// What a member of the family says of the covariances, in words.
[[nodiscard]] std::string_view meaning_of(Family family);
/// The same of the components of mixtures.
[[nodiscard]] std::string_view meaning_of_components(Family family);

}  // namespace genera::cli
