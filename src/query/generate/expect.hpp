#pragma once

#include <genera/control.hpp>

#include "query/generate/model_rows.hpp"

namespace genera::query {

/// Fills what is missing of rows by expectations and most probable values, given what is known of
/// them; `classes` are p(k | what is known), a row for each row. Texts are left alone.
void expect_missing(const Model& model, ModelRows& rows, const Matrix& classes,
                    const Control& control);

}  // namespace genera::query
