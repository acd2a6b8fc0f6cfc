#include "plot/drawing.hpp"
#include "plot/gnuplot.hpp"
#include "plot/raster.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>

namespace genera::cli::plot_test {
namespace {

RC_GTEST_PROP(Quoted, IsOneLiteralWhateverIsInIt, (const std::string& text)) {
  for (const std::string& literal : {quoted(text), quoted_tic(text)}) {
    RC_ASSERT(literal.size() >= 2U);
    RC_ASSERT(literal.front() == '\'' && literal.back() == '\'');
    RC_ASSERT(std::ranges::count(literal, '\'') == 2);
    RC_ASSERT(std::ranges::none_of(literal, [](char c) { return c >= 0 && c < ' '; }));
  }
}

TEST(Quoted, OfALongTextIsItsBeginning) {
  EXPECT_EQ(quoted("it's", 10), "'it’s'");
  EXPECT_EQ(quoted("ééééé", 4), "'ééé…'");
  EXPECT_EQ(quoted("éééé", 4), "'éééé'");
  EXPECT_EQ(quoted("a\nb"), "'a\\nb'");
  EXPECT_EQ(quoted_tic("100%"), "'100%%'");
}

TEST(TicFormat, HasDigitsEnough) {
  EXPECT_EQ(tic_format({0, 1}), "%h");
  EXPECT_EQ(tic_format({1e8, 1e8 + 5}), "%.10g");
}

TEST(ImageFormat, IsThatOfTheExtension) {
  EXPECT_EQ(image_format("a.b/c.SVG"), ImageFormat::svg);
  EXPECT_EQ(image_format("x.png"), ImageFormat::png);
  EXPECT_THROW((void)image_format("svg"), Error);
  EXPECT_THROW((void)image_format("a.svg/b"), Error);
}

TEST(Raster, DotsMixWhateverTheirOrder) {
  const Vector x{0.5, 0.52, 0.5}, y{0.5, 0.5, 0.52};
  const std::vector<Colour> colours{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  Raster forth(20, 20, {0, 1}, {0, 1}), back = forth;
  forth.dots(x, y, colours, 2, 0.5);
  back.dots({x.rbegin(), x.rend()}, {y.rbegin(), y.rend()}, {colours.rbegin(), colours.rend()}, 2,
            0.5);
  EXPECT_EQ(forth.bytes(), back.bytes());
  EXPECT_EQ(forth.bytes().size(), 20U * 20 * 3);
  EXPECT_EQ(forth.bytes()[0], static_cast<char>(255));  // a corner stays white
}

TEST(Gnuplot, DrawsSeveralFiguresInOneRun) {
  figure::Scatter figure;
  figure.frame.axes = {{"a", {0, 1}}, {"b", {0, 1}}};
  figure.frame.classes = {"k"};
  figure.points = {.at = {{0.2, 0.7}, {0.3, 0.4}}, .classes = {0, 0}};
  const Drawing drawing = drawing_of(figure, {});
  const std::array<DrawingJob, 4> jobs{
      {{.drawing = drawing, .format = ImageFormat::svg},
       {.drawing = drawing, .format = ImageFormat::png, .width = 300},
       {.drawing = drawing, .format = ImageFormat::pdf},
       {.drawing = drawing, .format = ImageFormat::svg}}};
  const std::vector<std::string> images = images_of(jobs);
  ASSERT_EQ(images.size(), 4U);
  EXPECT_TRUE(images[0].starts_with("<?xml"));
  EXPECT_TRUE(images[1].starts_with("\x89PNG"));
  EXPECT_TRUE(images[2].starts_with("%PDF"));
  EXPECT_TRUE(images[3].starts_with("<?xml") && images[3].find("</svg>") != std::string::npos);
}

}  // namespace
}  // namespace genera::cli::plot_test
