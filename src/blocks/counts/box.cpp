#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/counts/kind.hpp"

namespace genera::blocks {

/// The number of occurrences depends on the length of the row, which has no density.
BoxTerms CountsKind::box(const Block& block, Index, const BoxQuestion& question) {
  const CountParameters& p = block.parameters();
  for (std::size_t j = 0; j < question.numbers.size(); ++j) {
    if (!is_bounded(question.numbers[j])) continue;
    throw Error(Errc::bad_argument,
                fmt::format("how often '{}' occurs depends on the length of a row, of which {} "
                            "says nothing",
                            p.terms[j], name_of(p.kind)),
                {"ask about other columns, or fit counts with {}", {{"model", {"poisson"}}}});
  }
  return exactly(0);
}

}  // namespace genera::blocks
