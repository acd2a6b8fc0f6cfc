#include "fit/linear/design.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include <genera/error.hpp>

#include "blocks/places.hpp"
#include "kernel/index.hpp"
#include "kernel/panel.hpp"
#include "kernel/parallel.hpp"
#include "kernel/softmax.hpp"
#include "score/linear/features.hpp"

namespace genera::fit_detail {
namespace {

using kernel::at;
using kernel::panel_rows;

/// A constant, so that sums do not depend on the number of threads.
constexpr Index panels_per_task = 64;

/// Dense columns of one part.
class DenseColumns {
 public:
  DenseColumns(const SoftmaxPart& part, score::NumericFeatures numeric, const DataView& data,
               Index first)
      : columns_(data, data::number_places(data, score::sought_names(part.features))),
        centres_(numeric.centres.begin(), numeric.centres.end()),
        scales_(numeric.scales.begin(), numeric.scales.end()),
        factors_(std::move(numeric.factors)),
        first_(first),
        count_(std::ssize(names_of(part.features))) {
    if (scales_.empty()) scales_ = part.scales;
  }

  [[nodiscard]] Index first() const { return first_; }
  [[nodiscard]] Index count() const { return count_; }

  void write(std::span<const Index> rows, kernel::AlignedVector& scratch, double* panel) const {
    double* to = panel + first_ * panel_rows;
    scratch.resize(at(columns_.count() * panel_rows));
    double* read = factors_.empty() ? to : scratch.data();
    (void)columns_.gather_panel(rows, read);
    for (Index j = 0; j < columns_.count(); ++j) {
      const double centre = centres_.empty() ? 0 : centres_[at(j)];
      const double scale = scales_.empty() ? 1 : scales_[at(j)];
      double* x = read + j * panel_rows;
      for (std::size_t lane = 0; lane < rows.size(); ++lane) x[lane] = (x[lane] - centre) / scale;
    }
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      const double* a = read + factors_[f].first * panel_rows;
      const double* b = read + factors_[f].second * panel_rows;
      double* product = to + static_cast<Index>(f) * panel_rows;
      for (std::size_t lane = 0; lane < rows.size(); ++lane) product[lane] = a[lane] * b[lane];
    }
  }

 private:
  data::NumberColumns columns_;
  Vector centres_, scales_;
  std::vector<std::pair<Index, Index>> factors_;
  Index first_, count_;
};

/// The entries of one part.
struct SparsePart {
  blocks::Places places;
  Vector scales;
  Index first;  // among the sparse columns

  void append(const DataView& data, Index row, SparseDesign& to) const {
    if (!places.sparse) {
      const std::int32_t code = data.codes[at(places.codes.front())](row);
      const std::int32_t level = code < 0 ? -1 : places.levels.front()[at(code)];
      if (level >= 0) push(level, 1, to);
      return;
    }
    const SparseView& entries = data.sparse[*places.sparse];
    if (entries.is_missing(row)) return;
    for (Index e = entries.begin(row); e < entries.begin(row + 1); ++e) {
      const std::int32_t term = places.terms[at(entries.place(e))];
      if (term >= 0 && entries.value(e) != 0) push(term, entries.value(e), to);
    }
  }
  void push(std::int32_t feature, double value, SparseDesign& to) const {
    to.places.push_back(static_cast<std::int32_t>(first) + feature);
    to.values.push_back(scales.empty() ? value : value / scales[at(feature)]);
  }
};

Index task_count(const Design& design) {
  return (design.panel_count() + panels_per_task - 1) / panels_per_task;
}

/// Calls `work` with the panels of each task: [begin, end).
template <class Work>
void each_task(const Design& design, int threads, Work work) {
  kernel::parallel_for(task_count(design), threads, [&](Index task) {
    work(task * panels_per_task, std::min(design.panel_count(), (task + 1) * panels_per_task));
  });
}

class DesignMaker {
 public:
  DesignMaker(const Rows& rows, std::span<const Index> usable, const SoftmaxLayout& layout,
              int threads)
      : rows_(rows), usable_(usable), layout_(layout), threads_(threads) {
    blocks::Finder finder(rows.data());
    Index sparse = 0;
    for (const SoftmaxPart& part : layout.parts) {
      const std::vector<std::string>& names = names_of(part.features);
      if (is_dense(part, layout)) {
        dense_.emplace_back(part, *score::numeric_features(part.features), rows.data(),
                            made_.dense);
        made_.dense += dense_.back().count();
      } else {
        sparse_.push_back(
            {score::locate(part.features, NameSet(names), {}, finder), part.scales, sparse});
        sparse += std::ssize(names);
      }
    }
    made_.sparse.centres.resize(at(sparse));
    made_.means.resize(at(made_.columns() - 1));
    made_.numbers = number_columns(layout);
    made_.rows = std::ssize(usable);
    made_.stride = kernel::round_up(made_.dense, kernel::right_tile);
  }

  Design make() && {
    read_rows();
    fill_panels();
    read_entries();
    transpose_entries();
    return std::move(made_);
  }

 private:
  void read_rows() {
    const CodesView& labels = rows_.data().labels;
    const NameSet known(layout_.classes);
    std::vector<std::int32_t> class_of;
    for (const std::string& name : labels.names) class_of.push_back(known.find(name).value_or(-1));
    made_.classes = std::ssize(layout_.classes);
    const std::size_t lanes = at(made_.panel_count() * panel_rows);
    made_.labels.resize(lanes);
    made_.weights.resize(lanes);
    made_.class_weights.resize(layout_.classes.size());
    for (std::size_t i = 0; i < usable_.size(); ++i) {
      const std::int32_t code = labels(usable_[i]);
      if (class_of[at(code)] < 0) refuse_label(labels.names[at(code)]);
      made_.labels[i] = class_of[at(code)];
      made_.weights[i] = rows_.weight(usable_[i]);
      made_.class_weights[at(made_.labels[i])] += made_.weights[i];
    }
  }

  [[noreturn]] static void refuse_label(const std::string& label) {
    throw Error(Errc::bad_data, fmt::format("the label '{}' is not a class of the plan", label),
                "merge the statistics of all partitions before the plan is made");
  }

  void fill_panels() {
    const Index size = made_.stride * panel_rows;
    made_.panels.resize(at(made_.panel_count() * size));
    each_task(made_, threads_, [&](Index begin, Index end) {
      kernel::AlignedVector scratch;
      for (Index p = begin; p < end; ++p) {
        double* panel = made_.panels.data() + p * size;
        const Index lanes = std::min(panel_rows, made_.rows - p * panel_rows);
        std::fill_n(panel, lanes, 1.0);
        for (const DenseColumns& part : dense_)
          part.write(usable_.subspan(at(p * panel_rows), at(lanes)), scratch, panel);
      }
    });
  }

  void read_entries() {
    if (sparse_.empty()) return;
    for (const Index row : usable_) {
      for (const SparsePart& part : sparse_) part.append(rows_.data(), row, made_.sparse);
      made_.sparse.begins.push_back(std::ssize(made_.sparse.places));
    }
  }

  void transpose_entries() {
    SparseDesign& s = made_.sparse;
    s.column_begins.assign(at(s.columns() + 1), 0);
    for (const std::int32_t place : s.places) ++s.column_begins[at(place) + 1];
    std::partial_sum(s.column_begins.begin(), s.column_begins.end(), s.column_begins.begin());
    s.column_rows.resize(s.places.size());
    s.column_values.resize(s.places.size());
    std::vector<Index> next = s.column_begins;
    for (Index row = 0; row + 1 < std::ssize(s.begins); ++row) {
      for (Index e = s.begins[at(row)]; e < s.begins[at(row + 1)]; ++e) {
        const Index to = next[at(s.places[at(e)])]++;
        s.column_rows[at(to)] = static_cast<std::int32_t>(row);
        s.column_values[at(to)] = s.values[at(e)];
      }
    }
  }

  const Rows& rows_;
  std::span<const Index> usable_;
  const SoftmaxLayout& layout_;
  int threads_;
  Design made_;
  std::vector<DenseColumns> dense_;
  std::vector<SparsePart> sparse_;
};

/// Sums over the dense columns of one task.
Vector dense_sums(const Design& design, Index task) {
  Vector sums(at(design.dense));
  const Index end = std::min(design.panel_count(), (task + 1) * panels_per_task);
  for (Index p = task * panels_per_task; p < end; ++p) {
    const double* panel = design.panel(p);
    const double* weights = design.weights.data() + p * panel_rows;
    for (Index j = 0; j < design.dense; ++j) {
      for (Index lane = 0; lane < panel_rows; ++lane)
        sums[at(j)] += weights[lane] * panel[j * panel_rows + lane];
    }
  }
  return sums;
}

}  // namespace

double Design::weight() const {
  return std::accumulate(class_weights.begin(), class_weights.end(), 0.0);
}

bool is_dense(const SoftmaxPart& part, const SoftmaxLayout& layout) {
  return score::are_products(part.features) ||
         (!layout.sparse_matrix && score::numeric_features(part.features).has_value());
}

Index number_columns(const SoftmaxLayout& layout) {
  const Index dense = layout.dense_columns();
  const bool all = std::ranges::all_of(layout.parts, [](const SoftmaxPart& part) {
    return score::numeric_features(part.features).has_value();
  });
  return dense == 1 && all ? layout.columns() - 1 : dense - 1;
}

Design make_design(const Rows& rows, std::span<const Index> usable, const SoftmaxLayout& layout,
                   int threads) {
  return DesignMaker(rows, usable, layout, threads).make();
}

Vector column_sums(const Design& design, int threads) {
  Vector sums(at(design.dense));
  std::vector<Vector> parts(at(task_count(design)));
  kernel::parallel_for(
      task_count(design), threads, [&](Index task) { parts[at(task)] = dense_sums(design, task); },
      [&](Index task) {
        for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += parts[at(task)][j];
      });
  const SparseDesign& s = design.sparse;
  const double total = design.weight();
  for (Index j = 0; j < s.columns(); ++j) {
    double sum = 0;
    for (Index e = s.column_begins[at(j)]; e < s.column_begins[at(j + 1)]; ++e)
      sum += design.weights[at(s.column_rows[at(e)])] * s.column_values[at(e)];
    sums.push_back(sum - s.centres[at(j)] * total);
  }
  return sums;
}

void centre(Design& design, Vector means, int threads) {
  design.means = std::move(means);
  each_task(design, threads, [&](Index begin, Index end) {
    for (Index p = begin; p < end; ++p) {
      double* panel = design.panels.data() + p * design.stride * panel_rows;
      const Index lanes = std::min(panel_rows, design.rows - p * panel_rows);
      for (Index j = 1; j < design.dense; ++j) {
        for (Index lane = 0; lane < lanes; ++lane)
          panel[j * panel_rows + lane] -= design.means[at(j - 1)];
      }
    }
  });
  std::copy(design.means.begin() + design.dense - 1, design.means.end(),
            design.sparse.centres.begin());
}

void centre(Design& design, int threads) {
  const Vector sums = column_sums(design, threads);
  const double total = design.weight();
  Vector means;
  for (std::size_t j = 1; j < sums.size(); ++j) means.push_back(sums[j] / total);
  centre(design, std::move(means), threads);
}

}  // namespace genera::fit_detail
