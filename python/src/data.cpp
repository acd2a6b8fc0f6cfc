#include "data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <genera/error.hpp>

#include "run.hpp"

namespace genera::python {

ColumnType column_type(const std::string& name) {
  static const std::map<std::string, ColumnType> types{{"numeric", ColumnType::numeric},
                                                       {"categorical", ColumnType::categorical},
                                                       {"binary", ColumnType::binary},
                                                       {"count", ColumnType::count},
                                                       {"text", ColumnType::text}};
  const auto found = types.find(name);
  if (found != types.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [one, type] : types) known.push_back(one);
  throw Error(Errc::bad_argument, "'" + name + "' is not a type of columns",
              suggest(name, known, "use numeric, categorical, binary, count or text"));
}

bool is_number(ColumnType type) { return type == ColumnType::numeric || type == ColumnType::count; }

LabelType label_type(const std::string& name) {
  for (const LabelType type :
       {LabelType::text, LabelType::integer, LabelType::real, LabelType::boolean}) {
    if (name == name_of(type)) return type;
  }
  throw nb::value_error(("'" + name + "' is not a type of labels").c_str());
}

Data::Data(Index rows) : kept_(std::make_shared<Kept>()) { kept_->view.rows = rows; }

void Data::require_rows(Index rows, const std::string& what) const {
  if (rows == kept_->view.rows) return;
  throw Error(Errc::bad_argument,
              what + " has " + std::to_string(rows) + " rows instead of " +
                  std::to_string(kept_->view.rows),
              "give columns, labels and weights of the same length");
}

Array Data::keep(nb::handle array, int dimensions, const char* what) const {
  Array kept = Array::require(array, dimensions, what);
  require_rows(kept.size(0), what);
  return kept;
}

const std::uint8_t* Data::keep_bits(nb::handle valid) {
  if (valid.is_none()) return nullptr;
  kept_->arrays.push_back(Array::require(valid, 1, "the validity bits"));
  const Array& bits = kept_->arrays.back();
  if (bits.type() != Element::u8 || bits.size(0) * 8 < rows() ||
      (bits.size(0) > 1 && bits.stride(0) != 1))
    throw nb::type_error("the validity bits must be bytes, a bit for each row");
  return static_cast<const std::uint8_t*>(bits.data());
}

std::span<const std::string> Data::keep_names(std::vector<std::string> names) {
  kept_->names.push_back(std::make_shared<const std::vector<std::string>>(std::move(names)));
  return *kept_->names.back();
}

void Data::add_numbers(Array array, std::vector<Column> columns) {
  kept_->view.numbers.push_back(array.numbers());
  kept_->arrays.push_back(std::move(array));
  if (kept_->view.columns.empty())
    kept_->view.columns = std::move(columns);
  else
    kept_->view.columns.insert(kept_->view.columns.end(), columns.begin(), columns.end());
}

void Data::add_numbers(nb::handle array, const std::vector<std::string>& names,
                       const std::string& type) {
  Array kept = keep(array, 2, "the array");
  if (kept.size(1) != static_cast<Index>(names.size()))
    throw nb::value_error("there must be a name for each column");
  std::vector<Column> columns;
  columns.reserve(names.size());
  for (const std::string& name : names) columns.push_back({name, column_type(type)});
  add_numbers(std::move(kept), std::move(columns));
}

void Data::add_number(nb::handle array, const std::string& name, const std::string& type,
                      nb::handle valid) {
  Array kept = keep(array, 1, "a column");
  NumbersView view = kept.numbers();
  view.valid = keep_bits(valid);
  kept_->view.numbers.push_back(view);
  kept_->arrays.push_back(std::move(kept));
  kept_->view.columns.push_back({name, column_type(type)});
}

void Data::add_codes(nb::handle array, const std::string& name, std::vector<std::string> levels,
                     const std::string& type, nb::handle valid) {
  Array kept = keep(array, 1, "a column");
  if (kept.is_float()) throw nb::type_error("codes must be whole numbers");
  CodesView view;
  view.data = kept.data();
  view.type = kept.type();
  view.stride = kept.stride(0);
  view.names = keep_names(std::move(levels));
  view.valid = keep_bits(valid);
  kept_->view.codes.push_back(view);
  kept_->arrays.push_back(std::move(kept));
  kept_->view.columns.push_back({name, column_type(type)});
}

void Data::add_code_columns(nb::handle array, const std::vector<std::string>& names,
                            std::vector<std::string> levels, const std::string& type) {
  Array kept = keep(array, 2, "the array");
  if (kept.is_float()) throw nb::type_error("codes must be whole numbers");
  if (kept.size(1) != static_cast<Index>(names.size()))
    throw nb::value_error("there must be a name for each column");
  const std::span<const std::string> shared = keep_names(std::move(levels));
  detail::visit_elements(kept.data(), kept.type(), [&]<class T>(const T* first) {
    if constexpr (std::is_integral_v<T>) {
      for (std::size_t j = 0; j < names.size(); ++j) {
        kept_->view.codes.emplace_back(first + static_cast<Index>(j) * kept.stride(1), shared,
                                       kept.stride(0));
        kept_->view.columns.push_back({names[j], column_type(type)});
      }
    }
  });
  kept_->arrays.push_back(std::move(kept));
}

void Data::add_sparse(std::shared_ptr<const SparseArrays> matrix, std::vector<std::string> names,
                      const std::string& kind) {
  require_rows(matrix->rows(), "the sparse matrix");
  if (matrix->columns() != static_cast<Index>(names.size()))
    throw nb::value_error("there must be a name for each column");
  if (!matrix->is_canonical())
    throw nb::value_error(
        "indices of a row must be in order, each of them once, and data must not hold 0");
  SparseView view = matrix->view();
  view.kind = kind == "counts" ? SparseKind::counts : SparseKind::numbers;
  view.terms = keep_names(std::move(names));
  view.all_columns = true;
  kept_->view.sparse.push_back(view);
  kept_->matrices.push_back(std::move(matrix));
}

void Data::add_texts(const nb::list& texts, const std::string& name, const TextOptions& options) {
  require_rows(static_cast<Index>(texts.size()), "the list of texts");
  std::vector<std::string> strings(texts.size());
  std::vector<std::uint8_t> missing(texts.size());
  bool any = false;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const nb::handle text = texts[i];
    if (text.is_none()) {
      missing[i] = 1;
      any = true;
    } else if (!nb::isinstance<nb::str>(text)) {
      throw nb::type_error(("texts must be strings or None, but element " + std::to_string(i) +
                            " is a " + nb::type_name(text.type()).c_str())
                               .c_str());
    } else {
      strings[i] = nb::cast<std::string>(text);
    }
  }
  const Index bytes =
      std::accumulate(strings.begin(), strings.end(), Index{0},
                      [](Index sum, const std::string& text) { return sum + std::ssize(text); });
  Table table = run(work_of(bytes), 1, nb::none(), [&](const Control& control) {
    return make_text_table(name, strings, {}, options, control);
  });
  SparseColumns& columns = table.sparse.front();
  columns.missing = any ? std::move(missing) : std::vector<std::uint8_t>();
  kept_->texts.push_back(std::make_shared<const SparseColumns>(std::move(columns)));
  kept_->view.sparse.emplace_back(*kept_->texts.back());
  kept_->view.columns.push_back({name, ColumnType::text});
}

void Data::set_labels(nb::handle codes, std::vector<std::string> classes, const std::string& target,
                      const std::string& type) {
  Array kept = keep(codes, 1, "y");
  CodesView view;
  view.data = kept.data();
  view.type = kept.type();
  view.stride = kept.stride(0);
  view.names = keep_names(std::move(classes));
  kept_->view.labels = view;
  kept_->view.label_type = label_type(type);
  kept_->view.target = target;
  kept_->arrays.push_back(std::move(kept));
}

void Data::set_weights(nb::handle weights) {
  Array kept = keep(weights, 1, "sample_weight");
  kept_->view.weights = kept.doubles("sample_weight");
  kept_->arrays.push_back(std::move(kept));
}

std::vector<Column> Data::inputs() const {
  std::vector<Column> columns = this->columns();
  for (const SparseView& sparse : kept_->view.sparse) {
    if (sparse.kind == SparseKind::text) continue;
    const ColumnType type =
        sparse.kind == SparseKind::counts ? ColumnType::count : ColumnType::numeric;
    for (const std::string& name : sparse.terms) columns.push_back({name, type});
  }
  return columns;
}

Vector Data::first_numbers() const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Vector numbers;
  for (const NumbersView& piece : kept_->view.numbers) {
    for (Index j = 0; j < piece.columns; ++j) {
      Index row = 0;
      while (row + 1 < rows() && std::isnan(piece(row, j))) ++row;
      numbers.push_back(rows() > 0 ? piece(row, j) : none);
    }
  }
  Vector first;
  auto next = numbers.begin();
  for (const Column& column : columns())
    first.push_back(next != numbers.end() && is_number(column.type) ? *next++ : none);
  for (const SparseView& sparse : kept_->view.sparse) {
    if (sparse.kind == SparseKind::text) continue;
    const std::size_t before = first.size();
    first.resize(before + sparse.terms.size());
    for (Index e = sparse.begin(0); e < sparse.begin(std::min<Index>(1, rows())); ++e)
      first[before + static_cast<std::size_t>(sparse.place(e))] = sparse.value(e);
  }
  return first;
}

bool Data::lacks_numbers() const {
  for (const NumbersView& piece : kept_->view.numbers) {
    for (Index i = 0; i < rows(); ++i) {
      for (Index j = 0; j < piece.columns; ++j)
        if (std::isnan(piece(i, j))) return true;
    }
  }
  for (const SparseView& sparse : kept_->view.sparse) {
    for (Index e = sparse.begin(0); e < sparse.begin(rows()); ++e)
      if (std::isnan(sparse.value(e))) return true;
  }
  return false;
}

std::vector<std::pair<std::string, double>> Data::fractional_counts() const {
  const auto is_fraction = [](double value) {
    return std::isfinite(value) && value != std::rint(value);
  };
  std::vector<std::string> names;  // of the columns of all pieces
  for (const Column& column : columns())
    if (is_number(column.type))
      names.push_back(column.type == ColumnType::count ? column.name : "");
  std::vector<std::pair<std::string, double>> found;
  std::size_t at = 0;
  for (const NumbersView& piece : kept_->view.numbers) {
    for (Index j = 0; j < piece.columns; ++j, ++at) {
      if (names[at].empty()) continue;
      Index row = 0;
      while (row < rows() && !is_fraction(piece(row, j))) ++row;
      if (row < rows()) found.emplace_back(names[at], piece(row, j));
    }
  }
  for (const SparseView& sparse : kept_->view.sparse) {
    if (sparse.kind != SparseKind::counts) continue;
    std::map<Index, double> fractions;
    for (Index e = sparse.begin(0); e < sparse.begin(rows()); ++e)
      if (is_fraction(sparse.value(e))) fractions.emplace(sparse.place(e), sparse.value(e));
    for (const auto& [place, value] : fractions)
      found.emplace_back(sparse.terms[static_cast<std::size_t>(place)], value);
  }
  return found;
}

std::vector<std::string> Data::crowded_flags() const {
  std::vector<std::string> found;
  std::size_t at = 0;
  for (const Column& column : columns()) {
    if (column.type != ColumnType::binary && column.type != ColumnType::categorical) continue;
    if (kept_->view.codes[at++].names.size() > 2 && column.type == ColumnType::binary)
      found.push_back(column.name);
  }
  return found;
}

Index Data::cells() const {
  const DataView& view = kept_->view;
  Index columns = 1;
  for (const NumbersView& piece : view.numbers) columns += piece.columns;
  Index entries = 0;
  for (const SparseView& sparse : view.sparse) entries += sparse.begin(view.rows);
  return view.rows * (columns + static_cast<Index>(view.codes.size())) + entries;
}

Rows Data::view() const { return Rows(std::shared_ptr<const DataView>(kept_, &kept_->view)); }

void bind_data(nb::module_& module) {
  nb::class_<Data>(module, "Data")
      .def(nb::init<Index>(), nb::arg("rows"))
      .def("add_numbers",
           nb::overload_cast<nb::handle, const std::vector<std::string>&, const std::string&>(
               &Data::add_numbers),
           nb::arg("array"), nb::arg("names"), nb::arg("type") = "numeric")
      .def("add_number", &Data::add_number, nb::arg("array"), nb::arg("name"),
           nb::arg("type") = "numeric", nb::arg("valid") = nb::none())
      .def("add_codes", &Data::add_codes, nb::arg("array"), nb::arg("name"), nb::arg("levels"),
           nb::arg("type") = "categorical", nb::arg("valid") = nb::none())
      .def("add_code_columns", &Data::add_code_columns, nb::arg("array"), nb::arg("names"),
           nb::arg("levels"), nb::arg("type") = "categorical")
      .def("add_sparse", &Data::add_sparse, nb::arg("matrix"), nb::arg("names"), nb::arg("kind"))
      .def(
          "add_texts",
          [](Data& data, const nb::list& texts, const std::string& name, std::pair<int, int> words,
             std::optional<std::pair<int, int>> chars, int hash_bits) {
            TextOptions options{.words = {words.first, words.second}, .hash_bits = hash_bits};
            if (chars) options.chars = {chars->first, chars->second};
            data.add_texts(texts, name, options);
          },
          nb::arg("texts"), nb::arg("name"), nb::arg("ngrams") = std::pair(1, 1),
          nb::arg("chars") = nb::none(), nb::arg("hash_bits") = 0)
      .def("set_labels", &Data::set_labels, nb::arg("codes"), nb::arg("classes"),
           nb::arg("target") = "class", nb::arg("type") = "text")
      .def("set_weights", &Data::set_weights, nb::arg("weights"))
      .def("first_numbers", [](const Data& data) { return array_of(data.first_numbers()); })
      .def("fractional_counts", &Data::fractional_counts)
      .def("crowded_flags", &Data::crowded_flags)
      .def_prop_ro("lacks_numbers", &Data::lacks_numbers)
      .def_prop_ro("rows", &Data::rows)
      .def_prop_ro("columns", [](const Data& data) {
        nb::list columns;
        for (const Column& column : data.columns())
          columns.append(nb::make_tuple(column.name, std::string(name_of(column.type))));
        return columns;
      });
}

}  // namespace genera::python
