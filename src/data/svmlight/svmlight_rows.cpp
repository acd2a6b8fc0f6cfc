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

constexpr std::size_t sample_size = std::size_t{1} << 20;

/// An option that means nothing here, and why.
struct Refusal {
  bool given;
  const char* option;
  const char* why;
};

void refuse_options(const std::string& source, const CsvOptions& options, const Roles& roles) {
  const char* const no_names = "the features of an svmlight file have indices, not names";
  const std::array refusals{
      Refusal{roles.target && *roles.target != svmlight_target && !roles.expected, "--target",
              "the label of an svmlight file is the first value of each line"},
      Refusal{roles.weights.has_value(), "--weights", "an svmlight file has no column of weights"},
      Refusal{!roles.features.empty(), "--features", no_names},
      Refusal{!roles.drop.empty(), "--drop", no_names},
      Refusal{!roles.types.empty(), "--type", no_names},
      Refusal{roles.default_type == ColumnType::categorical, "--model categorical or joint",
              "the columns of an svmlight file are numbers"},
      Refusal{roles.keep.has_value(), "--keep", "an svmlight file has no columns to keep"},
      Refusal{options.delimiter.has_value(), "--delimiter",
              "blanks and tabs separate the values of an svmlight file"},
      Refusal{options.decimal.has_value(), "--decimal",
              "the decimal sign of an svmlight file is '.'"},
      Refusal{!options.header, "--no-header", "an svmlight file never has a header"},
      Refusal{!options.missing_tokens.empty(), "--missing-token",
              "what is left out of an svmlight file is 0, and nothing is missing"},
  };
  const auto refusal = std::find_if(refusals.begin(), refusals.end(),
                                    [](const Refusal& candidate) { return candidate.given; });
  if (refusal == refusals.end()) return;
  throw Error(Errc::bad_argument,
              source + ": " + refusal->option + " is for tables: " + refusal->why,
              std::string("leave ") + refusal->option + " out");
}

SvmlightForm::Labels use_of_labels(const Roles& roles) {
  using enum SvmlightForm::Labels;
  const bool only_features = roles.expected && roles.target_optional && !roles.target;
  if (!roles.use_target || only_features) return unused;
  return roles.target_optional ? optional : required;
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

class SvmlightRows : public RowSource {
 public:
  SvmlightRows(const std::string& source, const Roles& roles) : RowSource(source, roles) {
    form_.source = shown_name(source);
    form_.labels = use_of_labels(roles);
    form_.counts = roles.default_type == ColumnType::count;
    if (roles.expected) form_.known = indices_of(*roles.expected, form_.source);
    if (form_.labels != SvmlightForm::Labels::unused) target_ = svmlight_target;
    const std::string_view start = cutter_.look_ahead(sample_size, 1);
    check_text(start, form_.source);
    mark_ = mark_size(start);
    cutter_.skip(mark_);
    if (!target_.empty() && !roles.expected && !roles.target)
      notes_.emplace_back("target: the first value of each line");
  }

  [[nodiscard]] const std::vector<Column>& columns() const override { return columns_; }
  [[nodiscard]] const std::string& target() const override { return target_; }
  [[nodiscard]] const std::vector<std::string>& notes() const override { return notes_; }

  [[nodiscard]] std::optional<Chunk> next() override {
    std::optional<Chunk> chunk = cutter_.next(rows_per_block(0), plain_lines);
    if (!chunk && !has_rows_)
      throw Error(Errc::bad_data, form_.source + ": there are no rows, only comments",
                  "give lines such as: 1 3:0.5 17:1");
    has_rows_ = true;
    return chunk;
  }

  [[nodiscard]] RowBlock parse(const Chunk& chunk) override {
    SvmlightBlock block = parse_svmlight(form_, chunk);
    return {.table = std::move(block.table), .remember = [this, query_ids = block.query_ids] {
              if (query_ids) note_query_ids();
            }};
  }

  [[nodiscard]] bool types_held() override { return true; }

  void rewind() override {
    cutter_.rewind();
    static_cast<void>(cutter_.look_ahead(mark_, 1));
    cutter_.skip(mark_);
  }

 private:
  void note_query_ids() {
    const std::string note =
        "warning: qid is ignored: rows are classified one by one, whatever their query";
    if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
  }

  SvmlightForm form_;
  std::size_t mark_ = 0;  // bytes before the first line
  bool has_rows_ = false;
  std::vector<Column> columns_;  // none: their features are sparse
  std::string target_;
  std::vector<std::string> notes_;
};

}  // namespace

bool is_svmlight(std::string_view source) {
  constexpr std::string_view packed = ".gz";
  if (source.ends_with(packed)) source.remove_suffix(packed.size());
  return source.ends_with(".svm") || source.ends_with(".libsvm") || source.ends_with(".svmlight");
}

std::unique_ptr<RowSource> open_svmlight(const std::string& source, const CsvOptions& options,
                                         const Roles& roles) {
  refuse_options(shown_name(source), options, roles);
  return std::make_unique<SvmlightRows>(source, roles);
}

}  // namespace genera::data
