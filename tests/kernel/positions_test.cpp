#include "kernel/positions.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <genera/random.hpp>

namespace genera::kernel::positions_test {
namespace {

std::vector<std::uint32_t> found(const std::string& text) {
  std::vector<std::uint32_t> places(text.size() + static_cast<std::size_t>(positions_slack));
  places.resize(static_cast<std::size_t>(
      positions_of(text.data(), std::ssize(text), ',', '\n', places.data())));
  return places;
}

TEST(Positions, AreThoseOfBothCharactersWhateverTheLength) {
  Rng rng(1);
  for (const double share : {0.0, 0.1, 0.5, 1.0}) {
    for (std::size_t size = 0; size < 300; ++size) {
      std::string text;
      std::vector<std::uint32_t> expected;
      for (std::size_t i = 0; i < size; ++i) {
        const bool one = rng.uniform() < share;
        text += one ? (rng.uniform() < 0.5 ? ',' : '\n') : "0\xAC.\x8A"[i % 4];
        if (one) expected.push_back(static_cast<std::uint32_t>(i));
      }
      EXPECT_EQ(found(text), expected) << size;
    }
  }
}

}  // namespace
}  // namespace genera::kernel::positions_test
