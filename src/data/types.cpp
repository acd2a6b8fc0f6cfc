#include <genera/types.hpp>

#include <string>

#include <genera/error.hpp>

namespace genera {

Matrix::Matrix(Index rows, Index columns, const Vector& values)
    : rows_(rows), columns_(columns), values_(values.begin(), values.end()) {
  if (rows >= 0 && columns >= 0 && values_.size() == static_cast<std::size_t>(rows * columns))
    return;
  throw Error(Errc::bad_argument,
              std::to_string(values_.size()) + " values cannot fill a matrix of " +
                  std::to_string(rows) + " x " + std::to_string(columns),
              "give rows * columns values, row after row");
}

MatrixView MatrixView::rows_between(Index begin, Index end) const {
  assert(0 <= begin && begin <= end && end <= rows_);
  return visit([&](const auto* data) {
    return MatrixView(data + begin * strides_.row, end - begin, columns_, strides_);
  });
}

}  // namespace genera
