#include "plot/plane.hpp"
#include "show/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace genera::cli {
namespace {

constexpr std::size_t looks = 20;

/// The colours of Okabe and Ito without yellow, which is invisible on white, then those of Tol.
/// Neighbours in the list also differ for colour-blind readers.
constexpr std::array<std::uint32_t, looks> colours{
    0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x332288,
    0x999933, 0x882255, 0x117733, 0x777777, 0xaa4499, 0x44aa99, 0x661100,
    0x6699cc, 0xddaa33, 0x004488, 0xbb5566, 0x228833, 0x000000};
constexpr std::array<int, 10> shapes{7, 5, 9, 13, 11, 6, 4, 8, 12, 10};
constexpr std::array<const char*, 5> dashes{"1", "(10,4)", "(3,3)", "(10,3,3,3)", "(18,4)"};

/// Whether the byte begins a character of UTF-8.
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

/// The words on lines of at most `max` bytes.
std::vector<std::string> wrapped(const std::string& text, std::size_t max) {
  std::vector<std::string> lines{""};
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > max) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return lines;
}

constexpr double caption_line = 16;  // pixels

std::vector<std::string> caption_lines(const std::vector<std::string>& sentences, double width) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
  if (text.empty()) return {};
  constexpr double character = 6.6;
  return wrapped(printable(text), static_cast<std::size_t>((width - 24) / character));
}

}  // namespace

double tic_width(const figure::Range& range, double font) {
  const double step = round_step(range);
  const std::string format = tic_format(range);
  const int digits = format == "%h" ? 6 : std::stoi(format.substr(2));
  std::size_t longest = 0;
  for (const double end : {range.low, range.high})
    for (const double at : {std::ceil(end / step) * step, std::floor(end / step) * step + step / 2})
      longest = std::max(longest, fmt::format("{:.{}g}", at, digits).size());
  return 0.62 * font * static_cast<double>(longest);
}

double tic_step(const figure::Range& range, double pixels, double font) {
  const double room = tic_width(range, font) + font;
  const double min = (range.high - range.low) * std::min(1.0, room / pixels);
  double step = std::pow(10, std::floor(std::log10(min)));
  for (const double factor : {2.0, 2.5, 2.0})  // 2, 5, 10
    if (step < min) step *= factor;
  return std::max(step, round_step(range) / 2);
}

double caption_height(const std::vector<std::string>& sentences, double width) {
  return caption_line * static_cast<double>(caption_lines(sentences, width).size());
}

double legend_width(const figure::Frame& frame) {
  std::size_t longest = frame.target.size();
  for (const std::string& name : frame.classes) longest = std::max(longest, name.size());
  return 50 + 8.0 * static_cast<double>(std::min(longest, name_length));
}

Colour colour_of(Index k) {
  const std::uint32_t rgb = colours[static_cast<std::size_t>(std::max<Index>(k, 0)) % looks];
  const auto part = [&](unsigned shift) {
    return static_cast<double>((rgb >> shift) & 0xFFU) / 255;
  };
  return {part(16), part(8), part(0)};
}

std::string hex(const Colour& colour) {
  const auto byte = [](double part) { return std::lround(255 * std::clamp(part, 0.0, 1.0)); };
  return fmt::format("'#{:02x}{:02x}{:02x}'", byte(colour.red), byte(colour.green),
                     byte(colour.blue));
}

std::string key_entry(const std::string& style, const std::string& title, std::size_t max) {
  return fmt::format("keyentry {} title {}", style, quoted(title, max));
}

Vector column_of(const Matrix& values, Index k) {
  Vector column;
  for (Index i = 0; i < values.rows(); ++i) column.push_back(values(i, k));
  return column;
}

double highest(const Matrix& values) {
  return *std::max_element(values.data(), values.data() + values.rows() * values.columns());
}

int shape_of(Index k) { return shapes[static_cast<std::size_t>(k) % shapes.size()]; }
std::string dash_of(Index k) { return dashes[static_cast<std::size_t>(k) % dashes.size()]; }

std::string tic_format(const figure::Range& range) {
  const double far = std::max(std::abs(range.low), std::abs(range.high));
  const double digits = std::ceil(std::log10(far / (range.high - range.low))) + 2;
  constexpr double usual = 6, max = 15;
  return digits <= usual ? "%h" : fmt::format("%.{}g", std::min(digits, max));
}

std::string cut(const std::string& text, std::size_t max) {
  const std::string shown = printable(text);
  std::size_t characters = 0, end = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (!begins_character(shown[i])) continue;
    if (characters + 1 == max) end = i;
    if (++characters > max) return shown.substr(0, end) + "…";
  }
  return shown;
}

std::string quoted(const std::string& text, std::size_t max) {
  std::string literal = "'";
  for (const char c : cut(text, max)) {
    if (c == '\'') {
      literal += "’";
    } else {
      literal += c;
    }
  }
  return literal + "'";
}

std::string quoted_tic(const std::string& text, std::size_t max) {
  std::string literal;
  for (const char c : quoted(text, max)) literal.append(c == '%' ? 2 : 1, c);
  return literal;
}

Script::Script(double width, double height, const Look& look) {
  drawing_.width = width;
  drawing_.height = height;
  line("set termoption noenhanced");
  line("set border linewidth 0.8 linecolor '#444444'");
  line("set tics nomirror out scale 0.6 textcolor '#333333'");
  line("set xtics font ',12'\nset ytics font ',12'");
  line("unset key");
  if (!look.title.empty())
    line(fmt::format("set title {} font ',15' noenhanced", quoted(look.title)));
}

void Script::multiplot(const Look& look) {
  line("unset title\nset multiplot");
  if (!look.title.empty())
    line(fmt::format("set label {} at screen 0.5,{:.5f} center font ',15' noenhanced",
                     quoted(look.title), 1 - 15 / drawing_.height));
}

void Script::line(const std::string& command) { drawing_.commands += command + '\n'; }

std::string Script::block(std::initializer_list<std::span<const double>> columns) {
  std::string lines;
  const std::size_t rows = columns.begin()->size();
  for (std::size_t i = 0; i < rows; ++i) {
    for (const std::span<const double>& column : columns)
      fmt::format_to(std::back_inserter(lines), "{} ", column[i]);
    lines.back() = '\n';
  }
  return block(rows > 0 ? lines : "nan nan nan nan\n");
}

std::string Script::block(const std::string& lines) {
  if (drawing_.blocks > 0) drawing_.points += "\n\n";
  drawing_.points += lines;
  while (drawing_.points.ends_with("\n\n")) drawing_.points.pop_back();
  return fmt::format("data_file index {}", drawing_.blocks++);
}

std::string Script::curves(const std::vector<figure::Curve>& curves) {
  std::string lines;
  for (const figure::Curve& curve : curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      fmt::format_to(std::back_inserter(lines), "{} {}\n", curve.x[i], curve.y[i]);
    lines += '\n';
  }
  return block(curves.empty() ? "nan nan\n" : lines);
}

std::string Script::image(const Raster& raster) {
  const double dx = (raster.x().high - raster.x().low) / static_cast<double>(raster.width());
  const double dy = (raster.y().high - raster.y().low) / static_cast<double>(raster.height());
  const std::size_t begin = drawing_.pixels.size();
  drawing_.pixels += raster.bytes();
  return fmt::format(
      "image_file binary skip={} array=({},{}) dx={:.12g} dy={:.12g} origin=({:.12g},{:.12g}) "
      "format='%uchar' using 1:2:3 with rgbimage notitle",
      begin, raster.width(), raster.height(), dx, dy, raster.x().low + dx / 2,
      raster.y().low + dy / 2);
}

double Script::caption(const std::vector<std::string>& sentences) {
  const std::vector<std::string> lines = caption_lines(sentences, drawing_.width);
  if (lines.empty()) return 0;
  const auto count = static_cast<double>(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i)
    line(
        fmt::format("set label {} at screen {:.5f},{:.5f} left font ',11' textcolor '#666666' "
                    "noenhanced",
                    quoted(lines[i], 1000), 12 / drawing_.width,
                    (6 + caption_line * (count - static_cast<double>(i) - 0.5)) / drawing_.height));
  const double bottom = (72 + caption_line * count) / drawing_.height;
  line(fmt::format("set bmargin at screen {:.5f}", bottom));
  return bottom;
}

void Script::place(const Place& place) {
  line(
      fmt::format("set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\nset bmargin at "
                  "screen {:.5f}\nset tmargin at screen {:.5f}",
                  place.left, place.right, place.bottom, place.top));
}

void Script::plane(const figure::Axis& x, const figure::Axis& y) {
  line(fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]", x.range.low, x.range.high, y.range.low,
                   y.range.high));
  line(fmt::format("set format x '{}'\nset format y '{}'", tic_format(x.range),
                   tic_format(y.range)));
  const bool long_tics = tic_format(x.range).size() > 3;  // they would overlap
  line(long_tics ? fmt::format("set xtics {:.2g}", tic_step(x.range, 0.6 * drawing_.width))
                 : "set xtics autofreq");
  line(fmt::format("set xlabel {} noenhanced font ',14'\nset ylabel {} noenhanced font ',14'",
                   quoted(x.name, 60), quoted(y.name, 45)));
}

void Script::legend(const std::string& title, std::size_t entries) {
  const bool many = entries > 16, very_many = entries > 24;
  line(fmt::format(
      "set key outside right top vertical Left reverse samplen 1.2 spacing {} width 0 maxrows 40 "
      "font ',{}' noenhanced title {} left",
      very_many ? 0.8
      : many    ? 0.95
                : 1.1,
      very_many ? 9.5
      : many    ? 11
                : 13,
      quoted(title, 24)));
}

void Script::plot(const std::vector<std::string>& items, const char* verb) {
  std::string command = verb;
  for (std::size_t i = 0; i < items.size(); ++i)
    command += fmt::format("{} \\\n  {}", i > 0 ? "," : "", items[i]);
  line(command);
}

}  // namespace genera::cli
