#pragma once

#include "lists.hpp"

#include <genera/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace genera::cli {

struct Refusal {
  std::string what, hint;
  friend bool operator==(const Refusal&, const Refusal&) = default;
};

inline std::ostream& operator<<(std::ostream& out, const Refusal& refusal) {
  return out << refusal.what << " | " << refusal.hint;
}

/// The words of the error that `action` must throw.
template <class Action>
Refusal refusal_of(const Action& action, Errc code = Errc::bad_argument) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    return {in_words(error.problem(), as_typed), in_words(error.hint(), as_typed)};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace genera::cli
