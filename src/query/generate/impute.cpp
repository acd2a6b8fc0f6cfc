#include <genera/impute.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include <genera/error.hpp>
#include <genera/names.hpp>

#include "data/columns.hpp"
#include "data/densified.hpp"
#include "data/join_tables.hpp"
#include "kernel/index.hpp"
#include "kernel/text.hpp"
#include "query/committee/committee_impute.hpp"
#include "query/generate/draws.hpp"
#include "query/generate/expect.hpp"
#include "score/committee/bound_classifier.hpp"

namespace genera {
namespace {

using kernel::at;

using blocks::Places;
using query::ModelRows;

/// The rows of a table that lack something, laid out as the model is, and the way back.
class CellsToFill {
 public:
  CellsToFill(const Model& model, const Table& table)
      : model_(model), table_(table), bound_(model, table) {
    for (Index i = 0; i < table.rows(); ++i) {
      if (lacks_something(i)) rows_.push_back(i);
    }
    own_ = query::unknown_rows(model, std::ssize(rows_));
    std::size_t text = 0;
    for (std::size_t b = 0; b < bound_.size(); ++b) {
      const Places& places = bound_.places(b);
      copy_cells(places, own_.places[b]);
      if (places.sparse) copy_text(table.sparse[*places.sparse], text++);
    }
  }

  [[nodiscard]] ModelRows& rows() { return own_; }
  [[nodiscard]] Index row(Index i) const { return rows_[at(i)]; }

  /// p(k | what is there) of each of the rows: certain if they have a label.
  [[nodiscard]] Matrix classes(Imputed& report, const Control& control) const {
    const auto count = std::ssize(model_.classes());
    const std::vector<Index> known = find_labels(model_.classes(), table_.classes);
    Matrix classes(std::ssize(rows_), count);
    bool all_known = true;
    for (Index i = 0; i < std::ssize(rows_); ++i) {
      const std::int32_t label = table_.labels.empty() ? -1 : table_.labels[at(rows_[at(i)])];
      const Index k = label < 0 ? -1 : known[at(label)];
      if (k >= 0) classes(i, k) = 1;
      if (label >= 0 && k < 0) ++report.unknown_labels;
      all_known = all_known && k >= 0;
    }
    if (all_known) return classes;
    // The joint distribution as it is, whatever its temperature.
    const Matrix posteriors = model_.temperature() == 1
                                  ? posterior(model_, own_.table, control)
                                  : posterior(model_.with_temperature(1), own_.table, control);
    for (Index i = 0; i < classes.rows(); ++i) {
      const auto row = classes.row(i);
      if (std::ranges::none_of(row, [](double p) { return p > 0; }))
        std::ranges::copy(posteriors.row(i), row.begin());
    }
    return classes;
  }

  /// Puts what was found into the holes of the table.
  void write_back(const std::vector<std::string>& integers, Imputed& to) const {
    std::vector<char> touched(rows_.size());
    const auto filled = [&](Index i) {
      ++to.filled.cells;
      touched[at(i)] = 1;
    };
    for (std::size_t b = 0; b < bound_.size(); ++b) {
      const Places& block = bound_.places(b);
      for (std::size_t j = 0; j < block.numbers.size(); ++j)
        write_number({block.numbers[j], own_.places[b].number + static_cast<Index>(j)}, integers,
                     to, filled);
      for (std::size_t j = 0; j < block.codes.size(); ++j)
        write_code({block.codes[j], own_.places[b].code + static_cast<Index>(j)}, to.table, filled);
      if (!block.sparse) continue;
      for (const std::uint8_t gone : table_.sparse[*block.sparse].missing) to.texts += gone;
    }
    to.filled.rows = std::count(touched.begin(), touched.end(), 1);
  }

 private:
  struct ColumnPair {
    Index theirs, ours;
  };
  using Filled = std::function<void(Index)>;

  [[nodiscard]] bool lacks_something(Index row) const {
    for (std::size_t b = 0; b < bound_.size(); ++b) {
      const Places& block = bound_.places(b);
      const bool lacks =
          std::ranges::any_of(block.numbers,
                              [&](Index j) { return std::isnan(table_.numbers(row, j)); }) ||
          std::ranges::any_of(block.codes, [&](Index j) { return table_.codes(row, j) < 0; });
      if (lacks) return true;
    }
    return false;
  }

  void copy_cells(const Places& block, const query::FirstColumns& places) {
    Table& own = own_.table;
    for (Index i = 0; i < own.rows(); ++i) {
      for (std::size_t j = 0; j < block.numbers.size(); ++j) {
        const Index place = places.number + static_cast<Index>(j);
        own.numbers(i, place) = table_.numbers(row(i), block.numbers[j]);
        if (std::isinf(own.numbers(i, place))) refuse_infinite(i, place);
      }
      for (std::size_t j = 0; j < block.codes.size(); ++j) {
        const std::int32_t code = table_.codes(row(i), block.codes[j]);
        own.codes(i, places.code + static_cast<Index>(j)) =
            code < 0 ? -1 : block.levels[j][at(code)];
      }
    }
  }

  [[noreturn]] void refuse_infinite(Index i, Index number) const {
    throw Error(Errc::bad_data,
                fmt::format("{}: '{}' is infinite", table_.place(row(i)),
                            own_.table.number_names()[at(number)]),
                "replace the value");
  }

  void copy_text(const SparseColumns& from, std::size_t text) {
    SparseColumns& to = own_.table.sparse[text];
    to.terms = from.terms;
    for (Index i = 0; i < own_.table.rows(); ++i) {
      const auto begin = from.begins[at(row(i))], end = from.begins[at(row(i)) + 1];
      to.places.insert(to.places.end(), from.places.begin() + begin, from.places.begin() + end);
      to.values.insert(to.values.end(), from.values.begin() + begin, from.values.begin() + end);
      to.begins[at(i) + 1] = std::ssize(to.places);
      to.missing[at(i)] = from.missing.empty() ? std::uint8_t{0} : from.missing[at(row(i))];
    }
  }

  void write_number(ColumnPair column, const std::vector<std::string>& integers, Imputed& to,
                    const Filled& filled) const {
    const std::string name = own_.table.number_names()[at(column.ours)];
    const bool rounded = std::ranges::find(integers, name) != integers.end();
    for (Index i = 0; i < std::ssize(rows_); ++i) {
      double& cell = to.table.numbers(row(i), column.theirs);
      if (!std::isnan(cell)) continue;
      const double found = own_.table.numbers(i, column.ours);
      if (std::isfinite(found)) {
        cell = rounded ? std::round(found) + 0.0 : found;
        filled(i);
      } else {
        ++to.beyond;
      }
    }
  }

  void write_code(ColumnPair column, Table& to, const Filled& filled) const {
    std::vector<std::string>& levels = to.levels[at(column.theirs)];
    NameSet names(levels);
    for (Index i = 0; i < std::ssize(rows_); ++i) {
      std::int32_t& cell = to.codes(row(i), column.theirs);
      if (cell >= 0) continue;
      const std::int32_t found = own_.table.codes(i, column.ours);
      cell = names.add(own_.table.levels[at(column.ours)][at(found)]);
      filled(i);
    }
    levels = std::move(names).take_names();
  }

  const Model& model_;
  const Table& table_;
  score::BoundModel bound_;
  std::vector<Index> rows_;  // that lack something
  ModelRows own_;
};

void check(const Model& model, const ImputeOptions& options) {
  std::vector<std::string> names;
  for (const Column& column : model.features()) {
    if (data::kept_as_number(column.type)) names.push_back(column.name);
  }
  for (const std::string& name : options.integers) {
    if (std::ranges::find(names, name) == names.end())
      throw Error(Errc::bad_argument,
                  fmt::format("'{}' is to be rounded, but is not a numeric feature", name),
                  kernel::did_you_mean(name, names,
                                       "the model's numbers are " + kernel::quoted_list(names)));
  }
}

/// Rows without names of columns are numbers in the order of the model.
Table owned(ClassifierRef model, const Rows& rows) {
  Table table = data::table_of(rows);
  if (!rows.data().by_position) return table;
  const score::BoundClassifier fits(model, rows);  // refuses rows of another width
  for (const Column& column : model.features()) {
    if (!data::kept_as_number(column.type))
      throw Error(
          Errc::bad_argument,
          fmt::format("'{}' is not a number, and the rows have no names of columns", column.name),
          "give a table, whose columns have names");
  }
  table.columns = model.features();
  return table;
}

template <class Fill>
Imputed filled_table(const Model& model, const Table& table, const ImputeOptions& options,
                     const Control& control, Fill fill) {
  check(model, options);
  if (const Rows rows(table), coded = score::with_codes(model, rows); &coded.data() != &rows.data())
    return filled_table(model, data::table_of(coded), options, control, fill);
  Imputed imputed{.table = table};
  if (data::sparse_features(Rows(table).data())) return imputed;  // what is left out there is zero
  CellsToFill missing(model, table);
  const Matrix classes = missing.classes(imputed, control);
  fill(missing, classes);
  missing.write_back(options.integers, imputed);
  return imputed;
}

/// What is drawn for a row depends on its id alone.
template <class Id>
Imputed drawn_table(const Model& model, const Table& table, const Rng& rng,
                    const ImputeOptions& options, const Control& control, Id id) {
  return filled_table(model, table, options, control,
                      [&](CellsToFill& missing, const Matrix& classes) {
                        const auto stream = [&](Index i) {
                          return rng.split(static_cast<std::uint64_t>(id(missing.row(i))));
                        };
                        query::RowDrawer(model, {.in_proportion = true, .texts = false})
                            .complete(missing.rows(), {classes, stream}, control);
                      });
}

Imputed expected_table(const Model& model, const Table& table, const ImputeOptions& options,
                       const Control& control) {
  return filled_table(model, table, options, control,
                      [&](CellsToFill& missing, const Matrix& classes) {
                        query::expect_missing(model, missing.rows(), classes, control);
                      });
}

/// The table as the members of a committee read it, which all have the same columns.
Table as_members_read(const Committee& committee, const Table& table) {
  const Rows rows(table), coded = score::with_codes(*committee.leading_model(), rows);
  return &coded.data() == &rows.data() ? table : data::table_of(coded);
}

template <class Id>
Imputed drawn_by_any(JointRef model, const Table& given, const Rng& rng,
                     const ImputeOptions& options, const Control& control, Id id) {
  const Committee* committee = model.committee();
  if (!committee) return drawn_table(*model.model(), given, rng, options, control, id);
  const Table table = as_members_read(*committee, given);
  const auto stream = [&](Index i) { return rng.split(static_cast<std::uint64_t>(id(i))); };
  // The members draw from other streams than the choice among them.
  const Rng of_members = rng.split(~std::uint64_t{0});
  return query::impute_by_member(
      *committee, table,
      [&](const Model& member) {
        return drawn_table(member, table, of_members, options, control, id);
      },
      stream, control);
}

}  // namespace

Imputed impute(JointRef model, const Table& given, const ImputeOptions& options,
               const Control& control) {
  const Committee* committee = model.committee();
  if (!committee) return expected_table(*model.model(), given, options, control);
  const Table table = as_members_read(*committee, given);
  const auto fill = [&](const Model& member) {
    return expected_table(member, table, options, control);
  };
  return query::impute_by_mixture(*committee, table, fill, options, control);
}

Imputed impute(JointRef model, const Rows& rows, const ImputeOptions& options,
               const Control& control) {
  return impute(model, owned(model, rows), options, control);
}

Imputed impute_by_draw(JointRef model, const Rows& rows, const Rng& rng,
                       const ImputeOptions& options, const Control& control) {
  return drawn_by_any(model, owned(model, rows), rng, options, control,
                      [&](Index i) { return rows.id(rows.row(i)); });
}

Imputed impute_by_draw(JointRef model, const Table& table, const Rng& rng,
                       const ImputeOptions& options, const Control& control) {
  return drawn_by_any(model, table, rng, options, control,
                      [rows = Rows(table)](Index i) { return rows.id(i); });
}

}  // namespace genera
