#include "kernel/short_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <genera/random.hpp>

#include "data/csv/fields.hpp"
#include "kernel/positions.hpp"

namespace genera::kernel::short_numbers_test {
namespace {

/// The numbers that fields of this text begin with; the text ends with a delimiter.
std::vector<double> found(const std::string& fields, char delimiter = ',', char decimal = '.') {
  const std::string text(static_cast<std::size_t>(short_number_bytes), '7');
  const std::string all = text + fields;
  const char* const begin = all.data() + text.size();
  std::vector<std::uint32_t> stops(fields.size() + static_cast<std::size_t>(positions_slack));
  stops.resize(static_cast<std::size_t>(
      positions_of(begin, std::ssize(fields), delimiter, '\n', stops.data())));
  std::vector<double> values(stops.size());
  values.resize(static_cast<std::size_t>(
      short_numbers({begin, begin, stops}, delimiter, decimal, values.data())));
  return values;
}

bool are_read_here() { return !found("1,").empty(); }

TEST(ShortNumbers, HaveTheBitsOfTheGeneralWay) {
  if (!are_read_here()) GTEST_SKIP() << "no instruction for it";
  Rng rng(1);
  const auto below = [&](int n) { return static_cast<int>(rng.uniform() * n); };
  for (int i = 0; i < 200000; ++i) {
    const int whole = 1 + below(14), decimals = below(15 - whole);
    std::string text = rng.uniform() < 0.5 ? "-" : "";
    for (int d = 0; d < whole; ++d) text += static_cast<char>('0' + below(10));
    if (decimals > 0) text += '.';
    for (int d = 0; d < decimals; ++d) text += static_cast<char>('0' + below(10));
    const data::NumberCell general = data::read_number(text, {});
    ASSERT_EQ(general.kind, data::NumberKind::number) << text;
    const std::vector<double> values = found(text + ",");
    ASSERT_EQ(values.size(), 1U) << text;
    ASSERT_EQ(values.front(), general.value) << text;
    ASSERT_EQ(std::signbit(values.front()), std::signbit(general.value)) << text;
  }
}

TEST(ShortNumbers, AreReadUntilOneIsWrittenOtherwise) {
  if (!are_read_here()) GTEST_SKIP() << "no instruction for it";
  const std::vector<double> two{1.5, -20};
  for (const char* text : {"",
                           "-",
                           ".",
                           "-.",
                           ".5",
                           "5.",
                           "-.5",
                           "-5.",
                           "1..2",
                           "1.2.3",
                           "+1",
                           "1e3",
                           "--1",
                           "1-",
                           " 1",
                           "1 ",
                           "x",
                           "1x2",
                           "1234567890123456",
                           "0.12345678901234",
                           "\xB0",
                           "1/2",
                           "1:2"}) {
    EXPECT_EQ(found("1.5,-20," + std::string(text) + ",3,"), two) << text;
  }
  EXPECT_EQ(found("1.5,-20\n3,"), std::vector<double>{1.5});  // the record ends
  EXPECT_EQ(found("1,5;-20;1.5;", ';', ','), two);
  EXPECT_EQ(found("-0,0.0,-0.000,"), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(found("123456789012345,-99999999.999999,"),
            (std::vector<double>{123456789012345, -99999999.999999}));
}

TEST(ShortNumbers, AreAsManyAsFitIntoACall) {
  if (!are_read_here()) GTEST_SKIP() << "no instruction for it";
  std::string text;
  for (Index n = 1; n <= max_short_numbers + 3; ++n) {
    text += std::to_string(n) + ".25,";
    const std::vector<double> values = found(text);
    ASSERT_EQ(std::ssize(values), std::min(n, max_short_numbers));
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], static_cast<double>(i + 1) + 0.25);
  }
}

}  // namespace
}  // namespace genera::kernel::short_numbers_test
