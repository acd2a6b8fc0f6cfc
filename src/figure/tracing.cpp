#include "figure/tracing.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/index.hpp"

namespace genera::figure {
namespace {

using kernel::at;

struct Place {
  double x = 0, y = 0;
};

/// A point of a polyline with its neighbours.
struct Knot {
  Place place{};
  Index first = -1, second = -1;  ///< classes on the two sides
  bool meeting = false;           ///< three curves meet here
  std::vector<Index> beside{};
};

/// Sides of triangles per grid cell: right, up, and diagonal.
constexpr Index sides = 3;

/// The triangles of a grid and the knots on their sides.
class Net {
 public:
  Net(const Grid& grid, const std::vector<std::int32_t>& labels)
      : grid_(grid), labels_(labels), columns_(std::ssize(grid.x)) {}

  [[nodiscard]] Place place(Index node) const {
    return {grid_.x[at(node % columns_)], grid_.y[at(node / columns_)]};
  }
  [[nodiscard]] std::int32_t label(Index node) const { return labels_[at(node)]; }
  [[nodiscard]] Index begin_of(Index side) const { return side / sides; }
  [[nodiscard]] Index end_of(Index side) const {
    const Index node = side / sides;
    switch (side % sides) {
      case 0:
        return node + 1;
      case 1:
        return node + columns_;
      default:
        return node + columns_ + 1;
    }
  }
  /// Sides whose ends have different classes.
  [[nodiscard]] std::vector<Index> crossed() const {
    std::vector<Index> found;
    const Index rows = std::ssize(grid_.y);
    for (Index j = 0; j < rows; ++j) {
      for (Index i = 0; i < columns_; ++i) {
        const Index node = j * columns_ + i;
        const bool right = i + 1 < columns_, up = j + 1 < rows;
        for (const auto& [direction, there] : {std::pair{Index{0}, right}, std::pair{Index{1}, up},
                                               std::pair{Index{2}, right && up}}) {
          const Index side = node * sides + direction;
          if (there && label(begin_of(side)) != label(end_of(side))) found.push_back(side);
        }
      }
    }
    return found;
  }
  /// Calls visit({side, side, side}) for every triangle.
  template <class Visit>
  void each_triangle(Visit visit) const {
    for (Index j = 0; j + 1 < std::ssize(grid_.y); ++j) {
      for (Index i = 0; i + 1 < columns_; ++i) {
        const Index node = j * columns_ + i, across = node * sides + 2;
        visit({node * sides, (node + 1) * sides + 1, across});
        visit({node * sides + 1, (node + columns_) * sides, across});
      }
    }
  }

 private:
  const Grid& grid_;
  const std::vector<std::int32_t>& labels_;
  Index columns_;
};

void link(std::vector<Knot>& knots, Index a, Index b) {
  knots[at(a)].beside.push_back(b);
  knots[at(b)].beside.push_back(a);
}

/// Walks from knot to knot and removes the links on the way.
Curve walk(std::vector<Knot>& knots, Index from) {
  Curve curve;
  const auto add = [&](const Knot& knot) {
    curve.x.push_back(knot.place.x);
    curve.y.push_back(knot.place.y);
    if (curve.first < 0 && !knot.meeting) {
      curve.first = knot.first;
      curve.second = knot.second;
    }
  };
  add(knots[at(from)]);
  for (Index here = from; !knots[at(here)].beside.empty();) {
    const Index next = knots[at(here)].beside.back();
    knots[at(here)].beside.pop_back();
    std::erase(knots[at(next)].beside, here);
    add(knots[at(next)]);
    here = next;
    if (knots[at(here)].meeting) break;
  }
  return curve;
}

std::vector<Curve> curves_through(std::vector<Knot> knots) {
  std::vector<Curve> curves;
  const auto walk_from = [&](auto starts) {
    for (Index i = 0; i < std::ssize(knots); ++i)
      while (starts(knots[at(i)])) curves.push_back(walk(knots, i));
  };
  walk_from([](const Knot& knot) {
    return knot.beside.size() == 1 || (knot.meeting && !knot.beside.empty());
  });
  walk_from([](const Knot& knot) { return !knot.beside.empty(); });
  return curves;
}

/// Score of class `own` minus the largest other score, bounded.
double lead(std::span<const double> scores, std::int32_t own) {
  double others = -1e300;
  for (std::size_t k = 0; k < scores.size(); ++k)
    if (static_cast<std::int32_t>(k) != own) others = std::max(others, scores[k]);
  return std::clamp(std::max(scores[at(own)], -1e300) - others, -1e100, 1e100);
}

std::pair<Index, Index> two_largest(std::span<const double> scores) {
  Index first = 0, second = -1;
  for (Index k = 1; k < std::ssize(scores); ++k) {
    if (scores[at(k)] > scores[at(first)]) {
      second = std::exchange(first, k);
    } else if (second < 0 || scores[at(k)] > scores[at(second)]) {
      second = k;
    }
  }
  return {std::min(first, second), std::max(first, second)};
}

/// Search for the point between two places at which a class ceases to be the largest.
struct Search {
  Vector from, to;  // coordinates
  std::int32_t own = 0;
  /// interval of the segment, and the lead at its ends
  double low = 0, high = 1, at_low = 0, at_high = 0;
  double part = 0.5;
  bool done = false;
  int last = 0;
  std::pair<Index, Index> classes{-1, -1};

  [[nodiscard]] double coordinate(std::size_t axis) const {
    return from[axis] + part * (to[axis] - from[axis]);
  }
  /// Illinois variant of false position, with a bisection every third step.
  void guess(int step) {
    const double slope = at_low - at_high;
    part = step % 3 == 2 || !(slope > 0) ? (low + high) / 2 : low + (high - low) * (at_low / slope);
    if (!(part > low && part < high)) part = (low + high) / 2;
  }
  void accept(std::span<const double> scores) {
    const double value = lead(scores, own);
    classes = two_largest(scores);
    done = std::abs(value) < 1e-10 || high - low < 1e-15;
    if (value > 0) {
      low = part;
      at_low = value;
      if (last > 0) at_high /= 2;
      last = 1;
    } else {
      high = part;
      at_high = value;
      if (last < 0) at_low /= 2;
      last = -1;
    }
  }
};

/// Advances all searches together.
void search_all(const Shown& model, std::vector<Search>& searches) {
  std::vector<Search*> open;
  for (Search& search : searches) open.push_back(&search);
  constexpr int max_steps = 60;
  for (int step = 0; step < max_steps && !open.empty(); ++step) {
    Matrix points(std::ssize(open), std::ssize(open[0]->from));
    for (Index i = 0; i < points.rows(); ++i) {
      open[at(i)]->guess(step);
      for (Index j = 0; j < points.columns(); ++j) points(i, j) = open[at(i)]->coordinate(at(j));
    }
    const Matrix scores = model.scores(points);
    for (Index i = 0; i < points.rows(); ++i) open[at(i)]->accept(scores.row(i));
    std::erase_if(open, [](const Search* search) { return search->done; });
  }
}

Search search_between(Vector from, Vector to, std::span<const double> scores_from,
                      std::span<const double> scores_to, std::int32_t own) {
  Search search{.from = std::move(from), .to = std::move(to), .own = own};
  search.at_low = lead(scores_from, own);
  search.at_high = lead(scores_to, own);
  return search;
}

/// Point at which three classes are equal: Newton's method on two differences of scores.
class Meeting {
 public:
  Meeting(const Shown& model, std::array<std::int32_t, 3> classes, Place size)
      : model_(model), classes_(classes), size_(size) {}

  /// Empty if it is not near, or another class is larger there.
  [[nodiscard]] std::optional<Place> near(const Place& start) const {
    Place here = start;
    constexpr int max_steps = 20;
    for (int step = 0; step < max_steps; ++step) {
      const double h = 1e-5;
      const Matrix scores = model_.scores(Matrix(
          3, 2, {here.x, here.y, here.x + h * size_.x, here.y, here.x, here.y + h * size_.y}));
      const auto gap = [&](Index row, std::size_t other) {
        return scores(row, classes_[0]) - scores(row, classes_[other]);
      };
      const double f = gap(0, 1), g = gap(0, 2);
      if (std::abs(f) < 1e-10 && std::abs(g) < 1e-10)
        return lead(scores.row(0), classes_[0]) > -1e-9 ? std::optional(here) : std::nullopt;
      const double fx = (gap(1, 1) - f) / h, fy = (gap(2, 1) - f) / h;
      const double gx = (gap(1, 2) - g) / h, gy = (gap(2, 2) - g) / h;
      const double determinant = fx * gy - fy * gx;
      here.x -= size_.x * (f * gy - fy * g) / determinant;
      here.y -= size_.y * (fx * g - f * gx) / determinant;
      const bool is_near = std::abs(here.x - start.x) < 2 * size_.x &&
                           std::abs(here.y - start.y) < 2 * size_.y;  // false for NaN
      if (!is_near) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  const Shown& model_;
  std::array<std::int32_t, 3> classes_;
  Place size_;
};

/// Knots on crossed sides, linked through the triangles. meet(triangle, knots) returns the point
/// where three curves meet, if it can.
template <class Meet>
std::vector<Curve> traced(const Net& net, const std::vector<Index>& crossed,
                          std::vector<Knot> knots, Meet meet) {
  std::vector<Index> knot_of;
  for (std::size_t i = 0; i < crossed.size(); ++i) {
    knot_of.resize(std::max(knot_of.size(), at(crossed[i]) + 1), -1);
    knot_of[at(crossed[i])] = static_cast<Index>(i);
  }
  net.each_triangle([&](const std::array<Index, sides>& triangle) {
    std::vector<Index> on;
    for (const Index side : triangle)
      if (at(side) < knot_of.size() && knot_of[at(side)] >= 0) on.push_back(knot_of[at(side)]);
    if (on.size() == 2) link(knots, on[0], on[1]);
    if (on.size() != sides) return;
    if (const std::optional<Place> place = meet(triangle, on, knots)) {
      knots.push_back({.place = *place, .meeting = true});
      for (const Index knot : on) link(knots, std::ssize(knots) - 1, knot);
    }
  });
  return curves_through(std::move(knots));
}

Range spread(const Vector& values) { return {values.front(), values.back()}; }

}  // namespace

Grid grid_over(const Range& x, const Range& y, Index columns, Index rows) {
  const auto evenly = [](const Range& range, Index count) {
    Vector values;
    for (Index i = 0; i < count; ++i)
      values.push_back(range.low + (range.high - range.low) * static_cast<double>(i) /
                                       static_cast<double>(count - 1));
    return values;
  };
  return {evenly(x, columns), evenly(y, rows)};
}

Matrix places_of(const Grid& grid) {
  Matrix places(grid.cells(), 2);
  const Index columns = std::ssize(grid.x);
  for (Index i = 0; i < places.rows(); ++i) {
    places(i, 0) = grid.x[at(i % columns)];
    places(i, 1) = grid.y[at(i / columns)];
  }
  return places;
}

std::vector<std::int32_t> largest(const Matrix& scores) {
  std::vector<std::int32_t> labels;
  for (Index i = 0; i < scores.rows(); ++i) {
    const std::span<const double> row = scores.row(i);
    labels.push_back(static_cast<std::int32_t>(std::ranges::max_element(row) - row.begin()));
  }
  return labels;
}

std::vector<Curve> trace_boundaries(const Shown& model, const Grid& grid, const Matrix& scores) {
  const std::vector<std::int32_t> labels = largest(scores);
  const Net net(grid, labels);
  const std::vector<Index> crossed = net.crossed();
  std::vector<Search> searches;
  for (const Index side : crossed) {
    const Index a = net.begin_of(side), b = net.end_of(side);
    const Place from = net.place(a), to = net.place(b);
    searches.push_back(
        search_between({from.x, from.y}, {to.x, to.y}, scores.row(a), scores.row(b), net.label(a)));
  }
  search_all(model, searches);
  std::vector<Knot> knots;
  for (const Search& search : searches)
    knots.push_back({.place = {search.coordinate(0), search.coordinate(1)},
                     .first = search.classes.first,
                     .second = search.classes.second});
  const Range x = spread(grid.x), y = spread(grid.y);
  const Place size{(x.high - x.low) / static_cast<double>(grid.x.size() - 1),
                   (y.high - y.low) / static_cast<double>(grid.y.size() - 1)};
  return traced(
      net, crossed, std::move(knots),
      [&](const std::array<Index, sides>& triangle, const std::vector<Index>& on,
          const std::vector<Knot>& known) {
        // The corners: both ends of the first side, and the new end of the second.
        const Index a = net.begin_of(triangle[0]), b = net.end_of(triangle[0]);
        const Index c =
            net.end_of(triangle[1]) == b ? net.begin_of(triangle[1]) : net.end_of(triangle[1]);
        Place start;
        for (const Index knot : on) {
          start.x += known[at(knot)].place.x / sides;
          start.y += known[at(knot)].place.y / sides;
        }
        return Meeting(model, {net.label(a), net.label(b), net.label(c)}, size).near(start);
      });
}

std::vector<Curve> trace_level(const Grid& grid, const Vector& field, double level) {
  std::vector<std::int32_t> above;
  for (const double value : field) above.push_back(value >= level ? 1 : 0);
  const Net net(grid, above);
  const std::vector<Index> crossed = net.crossed();
  std::vector<Knot> knots;
  for (const Index side : crossed) {
    const Index a = net.begin_of(side), b = net.end_of(side);
    const Place from = net.place(a), to = net.place(b);
    const double part = (level - field[at(a)]) / (field[at(b)] - field[at(a)]);
    const double kept = std::isfinite(part) ? std::clamp(part, 0.0, 1.0) : 0.5;
    knots.push_back({.place = {from.x + kept * (to.x - from.x), from.y + kept * (to.y - from.y)}});
  }
  return traced(net, crossed, std::move(knots),
                [](const auto&, const auto&, const auto&) { return std::optional<Place>(); });
}

Vector trace_changes(const Shown& model, const Vector& x, const Matrix& scores) {
  const std::vector<std::int32_t> labels = largest(scores);
  std::vector<Search> searches;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const auto row = static_cast<Index>(i);
    if (labels[i] != labels[i + 1])
      searches.push_back(
          search_between({x[i]}, {x[i + 1]}, scores.row(row), scores.row(row + 1), labels[i]));
  }
  search_all(model, searches);
  Vector changes;
  for (const Search& search : searches) changes.push_back(search.coordinate(0));
  return changes;
}

}  // namespace genera::figure
