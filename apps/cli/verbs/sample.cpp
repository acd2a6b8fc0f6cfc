#include "given.hpp"
#include "lists.hpp"
#include "options/common.hpp"
#include "options/model_file.hpp"
#include "show/csv_output.hpp"
#include "show/json.hpp"
#include "show/output.hpp"
#include "show/report.hpp"
#include "values.hpp"

#include <genera/io.hpp>
#include <genera/sample.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace genera::cli {
namespace {

VerbText sample_text() {
  return {"sample",
          "new rows, drawn from the model",
          "Writes CSV with the model's features, in the order of the table it was fitted to, and "
          "the class in the last column. The class is drawn from the prior and the features from "
          "the density of the class; with --given, from the conditional distribution given these "
          "values. Rows do not depend on --threads, and the first rows are the same for any -n. "
          "Texts are written as the drawn words, in no order. With --json each row is a JSON "
          "object on its own line, and a text has the counts of its terms.",
          {model_argument()},
          {{"Rows",
            {{"-n,--rows", "N", "number of rows"},
             {"--class", "NAME", "only rows of this class"},
             given_option(),
             {"--length", "L",
              "sum of the counts, or number of words, of a row (default: the mean of its class, "
              "rounded)"}}},
           common_texts("standard output")},
          {"genera fit @iris --model qda -o iris.json", "genera sample iris.json -n 5",
           "genera sample iris.json -n 1000 --class setosa --seed 7 -o setosa.csv",
           "genera sample iris.json -n 5 --given petal_length=1.5,species=setosa",
           "genera sample iris.json -n 2 --json"}};
}

struct SampleArguments {
  std::string model;
  Index rows = 0;
  std::optional<std::string> of_class;
  std::vector<std::string> given;  ///< COL=VALUE; the model determines where to split
  std::optional<Index> length;
  Common common;
};

SampleArguments sample_arguments(const Words& words) {
  const auto rows = words.value("--rows");
  if (!rows)
    throw Error(Errc::bad_argument, "'sample' needs -n", "give the number of rows, as in -n 100");
  SampleArguments sample{.model = words.arguments[0],
                         .rows = parse_whole_number("-n", *rows, 0),
                         .of_class = words.value("--class"),
                         .given = split_lists("--given", words.values("--given")),
                         .length = std::nullopt,
                         .common = common_of(words)};
  if (const auto length = words.value("--length"))
    sample.length = parse_whole_number("--length", *length, 0);
  return sample;
}

SampleOptions options_of(const SampleArguments& arguments, const Model& model) {
  return {.of_class = arguments.of_class,
          .given = given_cells(arguments.given, model),
          .length = arguments.length};
}

constexpr std::size_t max_columns = 65536;

/// Whether terms can be written as a text: words can; sequences and hashed terms cannot.
void refuse_terms(const Model& model) {
  for (const Column& column : model.features()) {
    const TextOptions text = model.text_options();
    const bool words = text.words == TextOptions::Lengths{} && !text.chars && text.hash_bits == 0;
    if (column.type != ColumnType::text || words) continue;
    throw Error(Errc::bad_model,
                fmt::format("the terms of '{}' are {}, which do not make a text", column.name,
                            text.hash_bits > 0 ? "hashed"
                            : text.chars       ? "runs of characters"
                                               : "runs of words"),
                "use --json, which writes how often each term was drawn");
  }
}

void refuse_width(const Model& model) {
  if (model.features().size() <= max_columns) return;
  throw Error(Errc::bad_model,
              fmt::format("the model has {} columns, more than the {} that are written as a table",
                          model.features().size(), max_columns),
              "fit it with fewer (--max-terms, --min-count), or draw with the library");
}

/// The index of a column among the numbers, the levels or the texts.
struct CellsOfColumn {
  ColumnType type;
  std::size_t place;
};

/// The columns in the order of the output.
std::vector<CellsOfColumn> written_columns(const Model& model) {
  std::vector<CellsOfColumn> by_feature;
  std::size_t numbers = 0, texts = 0, codes = 0;
  for (const Column& column : model.features()) {
    const bool number = column.type == ColumnType::numeric || column.type == ColumnType::count;
    std::size_t& place = column.type == ColumnType::text ? texts : number ? numbers : codes;
    by_feature.push_back({column.type, place++});
  }
  std::vector<CellsOfColumn> ordered;
  for (const Index feature : model.column_order())
    ordered.push_back(by_feature[static_cast<std::size_t>(feature)]);
  return ordered;
}

/// Calls text(sparse), number(value) or level(column, code) for the cells of a row, in order.
template <class Writer>
void each_cell(const Table& table, Index row, const std::vector<CellsOfColumn>& columns,
               Writer&& cells) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    cells.begin(j);
    const auto [type, place] = columns[j];
    if (type == ColumnType::text)
      cells.text(table.sparse[place], static_cast<std::size_t>(row));
    else if (type == ColumnType::numeric || type == ColumnType::count)
      cells.number(table.numbers(row, static_cast<Index>(place)));
    else
      cells.level(place, table.codes(row, static_cast<Index>(place)));
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
  CsvWriter& rows;
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

/// Writes rows drawn from a model: features in the order of the table that it was fitted to, then
/// the class.
class SampledRows {
 public:
  /// `layout`: a table with the columns of the rows. Throws Error (bad_model) if CSV cannot
  /// represent them: too many columns, or terms that cannot be written as texts.
  SampledRows(const Model& model, const Table& layout, bool json);

  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string lines(const Table& drawn) const;

 private:
  [[nodiscard]] std::string csv_lines(const Table& drawn) const;
  [[nodiscard]] std::string json_lines(const Table& drawn) const;

  bool json_;
  std::vector<CellsOfColumn> columns_;
  std::vector<std::string> names_;                // of the columns, the class last, as written
  std::vector<std::string> labels_;               // as written
  std::vector<std::vector<std::string>> levels_;  // as written
};

SampledRows::SampledRows(const Model& model, const Table& layout, bool json)
    : json_(json), columns_(written_columns(model)) {
  const auto written = [&](const std::string& text) {
    return json ? json_string(text) : csv_cell(text);
  };
  if (!json) refuse_terms(model);
  if (!json) refuse_width(model);
  for (const Index feature : model.column_order())
    names_.push_back(written(model.features()[static_cast<std::size_t>(feature)].name));
  names_.push_back(written(model.target().empty() ? "class" : model.target()));
  for (const std::string& label : model.classes()) labels_.push_back(written(label));
  for (const auto& column : layout.levels) {
    auto& to = levels_.emplace_back();
    for (const std::string& level : column) to.push_back(written(level));
  }
}

std::string SampledRows::header() const { return json_ ? "" : csv_header({}, names_); }

std::string SampledRows::lines(const Table& drawn) const {
  return json_ ? json_lines(drawn) : csv_lines(drawn);
}

std::string SampledRows::csv_lines(const Table& drawn) const {
  CsvWriter rows;
  for (Index i = 0; i < drawn.rows(); ++i) {
    rows.begin(drawn, i);
    each_cell(drawn, i, columns_, CsvCells{rows, levels_});
    rows.cell(labels_[static_cast<std::size_t>(drawn.labels[static_cast<std::size_t>(i)])]);
    rows.end();
  }
  return rows.take();
}

std::string SampledRows::json_lines(const Table& drawn) const {
  std::string text;
  for (Index i = 0; i < drawn.rows(); ++i) {
    text += '{';
    each_cell(drawn, i, columns_, JsonCells{text, names_, levels_});
    text += ", " + names_.back() + ": " +
            labels_[static_cast<std::size_t>(drawn.labels[static_cast<std::size_t>(i)])] + "}\n";
  }
  return text;
}

void run_sample(const Words& words) {
  const SampleArguments arguments = sample_arguments(words);
  const Common& common = arguments.common;
  refuse_output_onto(common, {arguments.model});
  const Classifier classifier =
      with_density(load_classifier(arguments.model), arguments.model, "nothing can be drawn");
  const JointRef joint = *JointRef::of(classifier);
  const Model& model = joint.model() ? *joint.model() : *joint.committee()->leading_model();
  const Sampler sampler(joint, options_of(arguments, model));
  const SampledRows written(model, sampler.draw(0, Rng(common.seed)), common.json);
  write_output(common, [&](std::ostream& out) {
    ProgressLine progress(common.quiet || goes_to_terminal(common));
    out << written.header();
    sampler.for_each_chunk(arguments.rows, Rng(common.seed), progress.control(common.threads),
                           [&](Table&& drawn) -> std::function<void()> {
                             return [&, lines = written.lines(drawn)] { out << lines; };
                           });
  });
}

}  // namespace

Verb sample_verb() { return {sample_text(), run_sample}; }

}  // namespace genera::cli
