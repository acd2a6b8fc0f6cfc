#include "refusal.hpp"
#include "tour/chapters.hpp"
#include "tour/values.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace genera::cli::tour::tour_test {
namespace {

/// Tests run in a folder of their own, as the commands of a tour do.
class Tour : public testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    folder_ = std::filesystem::temp_directory_path() /
              ("genera_tour_test_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directory(folder_);
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  std::string page(const std::string& text) { return page_of(text, runner_); }
  void expect_shown(const std::string& text, const std::string& html) {
    const std::string all = page(text);
    EXPECT_NE(all.find(html), std::string::npos) << all.substr(all.find("<main>"));
  }

  CommandRunner runner_{1};

 private:
  std::filesystem::path before_, folder_;
};

TEST_F(Tour, RunsEachLineOnceAndInItsShell) {
  EXPECT_EQ(runner_.run("printf 'a\nb\n' > two.txt\ncat two.txt"), "a\nb\n");
  EXPECT_EQ(runner_.run("genera datasets iris | head -1 | tr a-z A-Z"),
            "SEPAL_LENGTH,SEPAL_WIDTH,PETAL_LENGTH,PETAL_WIDTH,SPECIES\n");
  EXPECT_EQ(runner_.run("echo x >> log.txt"), "");
  EXPECT_EQ(runner_.run("echo x >> log.txt\ncat log.txt"), "x\n");
}

TEST_F(Tour, ShowsTheLinesThatMakeTheFilesOfACommand) {
  const std::string data = "genera datasets iris | awk '$1 > 2' > data.csv";
  const std::string fit = "genera fit data.csv -o m.json";
  EXPECT_EQ(runner_.complete(data + '\n' + fit), data + '\n' + fit);
  EXPECT_EQ(runner_.complete("genera inspect m.json"),
            data + '\n' + fit + "\ngenera inspect m.json");
  EXPECT_EQ(runner_.complete("genera predict m.json 2"),
            data + '\n' + fit + "\ngenera predict m.json 2");
  EXPECT_EQ(runner_.complete("genera datasets"), "genera datasets");
}

TEST_F(Tour, FillsExpressions) {
  Values values;
  values.add("a", R"({"n": [1, 2.5], "k": {"name": "x_1"}, "low": -0.25})");
  values.add("words", "two words\n");
  EXPECT_EQ(values.filled("{a.n[1]}, {a.k.name}, {words}, x_{i}^{2}"),
            "2.5, x_1, two words, x_{i}^{2}");
  EXPECT_EQ(values.filled("{a.low} {-a.low:.3f} {1 - a.n[1] * 2 / (1 + 3)}"), "−0.25 0.250 −0.25");
  EXPECT_EQ(values.filled("{sqrt(a.n[1] - a.low * 15):.6f} {2 * asin(1):.6f}"),
            "2.500000 3.141593");
  EXPECT_EQ(values.repetitions("| {a.n[*]} |"), 2U);
  EXPECT_EQ(values.repetitions("| {a.n[0]} |"), 0U);
}

TEST_F(Tour, RefusesExpressionsWithoutAValue) {
  Values values;
  values.add("a", R"({"n": [1], "name": "x"})");
  for (const char* wrong : {"{b}", "{a.m}", "{a.n[1]}", "{a.name + 1}", "{a.n}", "{a.n[0] 1}",
                            "{(1}", "{}", "{a.n[0]"}) {
    const Refusal refused = refusal_of([&] { (void)values.filled(wrong); }, Errc::bad_data);
    EXPECT_NE(refused.what.find("is not a value of the tour"), std::string::npos) << wrong;
    EXPECT_NE(refused.hint.find("keys and indices of its JSON"), std::string::npos) << wrong;
  }
}

TEST_F(Tour, TurnsTextIntoHtml) {
  const std::string start = "# All\n\nFirst *words*\nand `code <`.\n\n# Part\n\n## One {#one}\n\n";
  expect_shown(start,
               "<header>\n<h1>All</h1>\n<p>First <em>words</em> and <code>code &lt;</code>.</p>\n");
  expect_shown(start,
               "<h2 class=\"part\">Part</h2>\n<section id=\"one\">\n<h2><span "
               "class=\"number\">1</span><a href=\"#one\">One</a></h2>\n");
  expect_shown(start + "    x_{k}²", "<div class=\"formula\">x<sub>k</sub>²</div>");
  expect_shown(start + "> ### Box\n>\n> Text.\n",
               "<aside class=\"box\">\n<h3>Box</h3>\n<p>Text.</p>\n</aside>");
  expect_shown(start + "\n---\n\nEnd.\n", "<footer><p>End.</p>\n</footer>");
  expect_shown(start + "| a \\| b | c |\n|---|---|\n| w | 1 |\n",
               "<th class=\"words\">a | b</th><th>c</th></tr>\n</thead>\n<tbody>\n"
               "<tr><td class=\"words\">w</td><td>1</td></tr>\n");
}

TEST_F(Tour, RunsTheCommandsOfBlocks) {
  const std::string start = "# All\n\n## One {#one}\n\n";
  expect_shown(start + "```output\necho '<'\n```\n",
               "<pre class=\"output\">&lt;\n</pre>\n<pre class=\"command\">echo '&lt;'</pre>");
  expect_shown(start + "```csv .1f\necho 'a_b,c\nx_1,0.25'\n```\nCaption\n",
               "<p class=\"caption\">Caption</p>\n<div class=\"scroll\"><table>\n<thead><tr><th "
               "class=\"words\">a b</th><th>c</th></tr>\n</thead>\n<tbody>\n<tr><td "
               "class=\"words\">x 1</td><td>0.2</td></tr>");
  expect_shown(
      start +
          "```values v\necho '{\"n\": [3, 4]}'\n```\n\n```table\necho n\n```\nNumbers\n\n"
          "| n |\n|---|\n| {v.n[*]} |\n",
      "<p class=\"caption\">Numbers</p>\n<div class=\"scroll\"><table>\n<thead><tr><th>n</th>"
      "</tr>\n</thead>\n<tbody>\n<tr><td>3</td></tr>\n<tr><td>4</td></tr>\n</tbody></table>"
      "</div>\n<pre class=\"command\">echo n</pre>");
  const std::string figure = "```figure Seen\nprintf '<svg width=\"30\" height=\"20\">' > ";
  expect_shown(
      start + figure + "a.svg\n```\nA\n\n" + figure + "b.svg\n```\nB\n",
      "<div class=\"figures\">\n<figure>\n<a href=\"a.svg\"><img src=\"a.svg\" alt=\"Seen\" "
      "width=\"30\" height=\"20\"></a>\n<figcaption>A</figcaption>");
}

TEST_F(Tour, RefusesWhatItCannotRead) {
  const std::string start = "# All\n\n## One {#one}\n\n";
  const Refusal kind =
      refusal_of([&] { (void)page(start + "```picture\necho\n```\n"); }, Errc::bad_data);
  EXPECT_EQ(kind.what, "'picture' is not a kind of block of the tour");
  EXPECT_EQ(kind.hint, "write values, figure, table, csv or output");
  const Refusal open = refusal_of([&] { (void)page(start + "```output\necho\n"); }, Errc::bad_data);
  EXPECT_EQ(open.what, "the block '```output' of the tour has no end");
  EXPECT_EQ(open.hint, "end it with a line ```");
  const Refusal failed = refusal_of(
      [&] { (void)page(start + "```output\ncat no/file 2> /dev/null\n```\n"); }, Errc::bad_data);
  EXPECT_EQ(failed.what, "this command of the tour failed: cat no/file 2> /dev/null");
  EXPECT_EQ(failed.hint, "run it in a shell, and install the programs that it lacks");
}

}  // namespace
}  // namespace genera::cli::tour::tour_test
