#pragma once

#include <map>
#include <string>

#include <genera/genera.hpp>

/// Every kind of model on every kind of data, for laws that hold for all of them.
namespace genera::testing {

/// Numbers, one number, a sparse matrix, counts, categories, text, and all of them, by name.
[[nodiscard]] std::map<std::string, Table> every_kind_of_table();

/// Every model that can be fitted to the table, by name.
[[nodiscard]] std::map<std::string, Classifier> every_model_of(const Table& table);

}  // namespace genera::testing
