#include <genera/facts.hpp>

#include <iterator>

namespace genera {

Matrix full_matrix(const Diagonal& diagonal) {
  const auto d = std::ssize(diagonal.entries);
  Matrix full(d, d);
  for (Index j = 0; j < d; ++j) full(j, j) = diagonal.entries[static_cast<std::size_t>(j)];
  return full;
}

void append(Facts& to, Facts more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace genera
