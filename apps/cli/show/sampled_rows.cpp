#include "sampled_rows.hpp"

#include "csv_output.hpp"
#include "json_output.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

namespace genera::cli {
namespace {

constexpr std::size_t most_columns = 65536;

/// Words make a text again; runs of words or characters and hashed terms do not.
void refuse_terms(const Model& model) {
  for (const Column& column : model.features()) {
    const TextOptions cut = model.text_options();
    const bool words = cut.words == TextOptions::Lengths{} && !cut.chars && cut.hash_bits == 0;
    if (column.type != ColumnType::text || words) continue;
    throw Error(Errc::bad_model,
                fmt::format("the terms of '{}' are {}, which do not make a text", column.name,
                            cut.hash_bits > 0 ? "hashed"
                            : cut.chars       ? "runs of characters"
                                              : "runs of words"),
                "use --json, which writes how often each term was drawn");
  }
}

void refuse_width(const Model& model) {
  if (model.features().size() <= most_columns) return;
  throw Error(Errc::bad_model,
              fmt::format("the model has {} columns, more than the {} that are written as a table",
                          model.features().size(), most_columns),
              "fit it with fewer (--max-terms, --min-count), or draw with the library");
}

/// Calls text(sparse), number(value) or level(column, code) for the cells of a row, in order.
template <class Cells>
void each_cell(const Table& table, Index row, Cells&& cells) {
  Index number = 0;
  std::size_t text = 0, code = 0;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    cells.begin(j);
    const ColumnType type = table.columns[j].type;
    if (type == ColumnType::text) {
      cells.text(table.sparse[text++], static_cast<std::size_t>(row));
    } else if (type == ColumnType::numeric || type == ColumnType::count) {
      cells.number(table.numbers(row, number++));
    } else {
      cells.level(code, table.codes(row, static_cast<Index>(code)));
      ++code;
    }
  }
}

/// Calls visit(term, count) for the terms of a text.
template <class Visit>
void each_term(const SparseColumns& sparse, std::size_t row, Visit visit) {
  for (auto e = static_cast<std::size_t>(sparse.begins[row]);
       e < static_cast<std::size_t>(sparse.begins[row + 1]); ++e)
    visit(sparse.terms[static_cast<std::size_t>(sparse.places[e])], sparse.values[e]);
}

using Levels = std::vector<std::vector<std::string>>;

struct CsvCells {
  CsvRows& rows;
  const Levels& levels;

  void begin(std::size_t) {}
  void number(double value) { rows.cell(value); }
  void level(std::size_t column, std::int32_t code) {
    rows.cell(levels[column][static_cast<std::size_t>(code)]);
  }
  void text(const SparseColumns& sparse, std::size_t row) {
    std::string words;
    each_term(sparse, row, [&](const std::string& word, double count) {
      for (double i = 0; i < count; ++i) words += (words.empty() ? "" : " ") + word;
    });
    rows.cell(csv_cell(words));
  }
};

struct JsonCells {
  std::string& out;
  const std::vector<std::string>& names;
  const Levels& levels;

  void begin(std::size_t column) { out += (column > 0 ? ", " : "") + names[column] + ": "; }
  void number(double value) { append_json_number(out, value); }
  void level(std::size_t column, std::int32_t code) {
    out += levels[column][static_cast<std::size_t>(code)];
  }
  void text(const SparseColumns& sparse, std::size_t row) {
    const char* separator = "{";
    each_term(sparse, row, [&](const std::string& term, double count) {
      out += separator + json_string(term) + ": ";
      append_json_number(out, count);
      separator = ", ";
    });
    out += *separator == '{' ? "{}" : "}";
  }
};

}  // namespace

SampledRows::SampledRows(const Model& model, bool json) : json_(json) {
  const auto written = [&](const std::string& text) {
    return json ? json_string(text) : csv_cell(text);
  };
  if (!json) refuse_terms(model);
  if (!json) refuse_width(model);
  for (const Column& column : model.features()) names_.push_back(written(column.name));
  names_.push_back(written(model.target().empty() ? "class" : model.target()));
  for (const std::string& label : model.classes()) labels_.push_back(written(label));
  for (const Block& block : model.blocks()) {
    const auto add = [&](const Levels& levels) {
      for (const auto& column : levels) {
        auto& to = levels_.emplace_back();
        for (const std::string& level : column) to.push_back(written(level));
      }
    };
    if (const auto* naive = std::get_if<CategoricalBlock>(&block)) add(naive->parameters().levels);
    if (const auto* joint = std::get_if<JointBlock>(&block)) add(joint->parameters().levels);
  }
}

std::string SampledRows::header() const { return json_ ? "" : csv_header({}, names_); }

std::string SampledRows::lines(const Table& drawn) const {
  return json_ ? json_lines(drawn) : csv_lines(drawn);
}

std::string SampledRows::csv_lines(const Table& drawn) const {
  CsvRows rows;
  for (Index i = 0; i < drawn.rows(); ++i) {
    rows.begin(drawn, i);
    each_cell(drawn, i, CsvCells{rows, levels_});
    rows.cell(labels_[static_cast<std::size_t>(drawn.labels[static_cast<std::size_t>(i)])]);
    rows.end();
  }
  return rows.take();
}

std::string SampledRows::json_lines(const Table& drawn) const {
  std::string text;
  for (Index i = 0; i < drawn.rows(); ++i) {
    text += '{';
    each_cell(drawn, i, JsonCells{text, names_, levels_});
    text += ", " + names_.back() + ": " +
            labels_[static_cast<std::size_t>(drawn.labels[static_cast<std::size_t>(i)])] + "}\n";
  }
  return text;
}

}  // namespace genera::cli
