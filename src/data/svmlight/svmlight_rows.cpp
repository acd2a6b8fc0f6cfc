#include "data/svmlight/svmlight_rows.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <genera/error.hpp>
#include "data/csv/csv_sniff.hpp"
#include "data/svmlight/svmlight.hpp"
#include "data/svmlight/svmlight_features.hpp"
#include "kernel/text.hpp"

namespace genera::data {
namespace {

constexpr std::size_t svmlight_sample_bytes = std::size_t{1} << 20;

/// An option that does not apply to svmlight files, and the reason.
struct Refusal {
  bool given;
  Advice option;
  const char* why;
};

void refuse_options(const RowRequest& request) {
  const Roles roles = request.given() ? *request.given() : Roles{};
  const CsvOptions& options = request.csv;
  const char* const no_names = "the features of an svmlight file have indices, not names";
  const std::array refusals{
      Refusal{roles.target.name().value_or(std::string(svmlight_target)) != svmlight_target,
              OptionUse{"target"}, "the label of an svmlight file is the first value of each line"},
      Refusal{request.weights().has_value(), OptionUse{request.weights_option()},
              "an svmlight file has no column of weights"},
      Refusal{!roles.features.empty(), OptionUse{"features"}, no_names},
      Refusal{!roles.drop.empty(), OptionUse{"drop"}, no_names},
      Refusal{!roles.types.empty(), OptionUse{"type"}, no_names},
      Refusal{roles.default_type == ColumnType::categorical,
              Advice("{} or joint", {{"model", {"categorical"}}}),
              "the columns of an svmlight file are numbers"},
      Refusal{std::holds_alternative<KeptCells>(request.options.kept), OptionUse{"keep"},
              "an svmlight file has no columns to keep"},
      Refusal{options.delimiter.has_value(), OptionUse{"delimiter"},
              "blanks and tabs separate the values of an svmlight file"},
      Refusal{options.decimal.has_value(), OptionUse{"decimal"},
              "the decimal sign of an svmlight file is '.'"},
      Refusal{options.skip > 0, OptionUse{"skip"}, "an svmlight file begins with its rows"},
      Refusal{options.comment.has_value(), OptionUse{"comment"},
              "comments of an svmlight file begin with '#'"},
      Refusal{!options.header, OptionUse{"header", {"false"}},
              "an svmlight file never has a header"},
      Refusal{
          !options.missing_tokens.empty() && options.missing_tokens != CsvOptions{}.missing_tokens,
          OptionUse{"missing_token"},
          "what is left out of an svmlight file is 0, and nothing is missing"},
  };
  const auto refusal = std::find_if(refusals.begin(), refusals.end(),
                                    [](const Refusal& candidate) { return candidate.given; });
  if (refusal == refusals.end()) return;
  throw Error(Errc::bad_argument, request.source.name() + ": " + refusal->why,
              "leave " + refusal->option + " out: it is for tables");
}

SvmlightForm::Labels use_of_labels(const Target& target) {
  using enum SvmlightForm::Labels;
  if (!target.used()) return unused;
  return target.required() ? required : optional;
}

/// True if values must be whole numbers: the user set the type of all features, or the model was
/// learned from counts.
bool holds_counts(const RowRequest& request) {
  if (const Roles* given = request.given()) return given->default_type == ColumnType::count;
  const std::vector<Column>& features = request.expected()->features;
  return std::any_of(features.begin(), features.end(),
                     [](const Column& feature) { return feature.type == ColumnType::count; });
}

std::unordered_set<std::uint32_t> indices_of(const std::vector<Column>& features,
                                             const std::string& source) {
  std::unordered_set<std::uint32_t> indices;
  std::vector<std::string> others;
  for (const Column& feature : features) {
    const auto index = feature_index(feature.name);
    if (index && std::to_string(*index) == feature.name)
      indices.insert(*index);
    else
      others.push_back(feature.name);
  }
  if (others.empty()) return indices;
  throw Error(
      Errc::bad_data,
      source + ": there is no column " + kernel::quoted_list(others) + ", which the model needs",
      "the features of an svmlight file have indices, not names; give a table");
}

class SvmlightRows : public RowReader {
 public:
  explicit SvmlightRows(const RowRequest& request) : RowReader(request) {
    form_.source = request.source.name();
    form_.labels = use_of_labels(request.target());
    form_.counts = holds_counts(request);
    if (const ExpectedRoles* expected = request.expected())
      form_.known = indices_of(expected->features, form_.source);
    if (form_.labels != SvmlightForm::Labels::unused) target_ = svmlight_target;
    const std::string_view start = cutter_.look_ahead(svmlight_sample_bytes, 1);
    check_text(start, form_.source, cutter_.is_pipe());
    mark_ = bom_size(start);
    cutter_.skip(mark_);
    if (!target_.empty() && request.given() && !request.target().name())
      notes_.push_back({"target: the first value of each line"});
  }

  [[nodiscard]] const std::vector<Column>& columns() const override { return columns_; }
  [[nodiscard]] const std::string& target() const override { return target_; }
  [[nodiscard]] std::optional<SparseKind> sparse_matrix() const override {
    return form_.counts ? SparseKind::counts : SparseKind::numbers;
  }
  [[nodiscard]] const std::vector<Note>& notes() const override { return notes_; }

  [[nodiscard]] std::optional<RecordChunk> next() override {
    std::optional<RecordChunk> chunk = cutter_.next(rows_per_chunk(0), plain_lines);
    if (!chunk && !has_rows_)
      throw Error(Errc::bad_data, form_.source + ": there are no rows, only comments",
                  "give lines such as: 1 3:0.5 17:1");
    has_rows_ = true;
    return chunk;
  }

  [[nodiscard]] ReadChunk parse(const RecordChunk& chunk) override {
    SvmlightChunk parsed = parse_svmlight(form_, chunk);
    return {.table = std::move(parsed.table), .remember = [this, query_ids = parsed.query_ids] {
              if (query_ids) note_query_ids();
            }};
  }

  void read_as(const RowRequest& request) override {
    refuse_options(request);
    form_.counts = holds_counts(request);
  }

  void rewind() override {
    cutter_.rewind();
    static_cast<void>(cutter_.look_ahead(mark_, 1));
    cutter_.skip(mark_);
  }

 private:
  void note_query_ids() {
    const Note note{"qid is ignored: rows are classified one by one, whatever their query",
                    Note::Kind::warning};
    if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
  }

  SvmlightForm form_;
  std::size_t mark_ = 0;  // bytes of a byte order mark before the first line
  bool has_rows_ = false;
  std::vector<Column> columns_;  // empty: the features are sparse
  std::string target_;
  std::vector<Note> notes_;
};

}  // namespace

std::unique_ptr<RowReader> open_svmlight(const RowRequest& request) {
  refuse_options(request);
  return std::make_unique<SvmlightRows>(request);
}

}  // namespace genera::data
