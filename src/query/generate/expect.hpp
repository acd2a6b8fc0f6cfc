#pragma once

#include "query/generate/own_rows.hpp"

namespace genera::query {

/// Fills what is missing of rows by expectations and most probable values, given what is known of
/// them; `classes` are p(k | what is known), a row for each row. Texts are left alone.
void expect_missing(const Model& model, OwnRows& rows, const Matrix& classes, int threads);

}  // namespace genera::query
