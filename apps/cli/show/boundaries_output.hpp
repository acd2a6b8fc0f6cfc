#pragma once

#include <genera/classifier.hpp>

#include <string>

/// Where two classes of a model are equally probable.
namespace genera::cli {

[[nodiscard]] std::string boundaries_table(ClassifierRef model);

}  // namespace genera::cli
