#include "data/csv/roles.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <unordered_map>

#include <genera/error.hpp>
#include "data/csv/unfit_columns.hpp"
#include "data/join_tables.hpp"
#include "kernel/text.hpp"

namespace genera::data {
namespace {

std::string shown_delimiter(char delimiter) {
  return delimiter == '\t' ? "tabs" : "'" + std::string(1, delimiter) + "'";
}

using Part = FieldUse::Part;

std::string place_of_header(const FileColumns& file) {
  return file.source + (file.header_line > 0 ? ":" + std::to_string(file.header_line) : "");
}

/// Columns by name; a name that occurs twice matters only to who asks for it.
class Finder {
 public:
  explicit Finder(const FileColumns& file) : file_(file) {
    for (std::size_t j = 0; j < file.names.size(); ++j)
      places_[file.names[j]].push_back(static_cast<Index>(j));
  }

  [[nodiscard]] std::optional<Index> find(const std::string& name) const {
    const auto known = places_.find(name);
    if (known == places_.end()) return std::nullopt;
    if (known->second.size() > 1) refuse_twice(name, known->second);
    return known->second.front();
  }

  [[nodiscard]] Index require(const std::string& name, const std::string& option,
                              Errc code = Errc::bad_argument) const {
    const std::optional<Index> place = find(name);
    if (place) return *place;
    throw Error(code, file_.source + ": there is no column '" + name + "' (" + option + ")",
                near(name));
  }

  /// The column of that name, or all that match it as a pattern.
  [[nodiscard]] std::vector<Index> require_all(const std::string& name,
                                               const std::string& option) const {
    if (is_name(name)) return {require(name, option)};
    std::vector<Index> found;
    for (std::size_t j = 0; j < file_.names.size(); ++j)
      if (kernel::matches(file_.names[j], name)) found.push_back(static_cast<Index>(j));
    if (!found.empty()) return found;
    throw Error(Errc::bad_argument,
                file_.source + ": no column matches '" + name + "' (" + option + ")",
                "the columns are " + kernel::quoted_list(file_.names));
  }

  /// Whether it is not a pattern.
  [[nodiscard]] bool is_name(const std::string& name) const {
    return places_.contains(name) || name.find_first_of("*?") == std::string::npos;
  }

  [[nodiscard]] std::string near(const std::string& name) const {
    return kernel::did_you_mean(name, file_.names,
                                "the columns are " + kernel::quoted_list(file_.names));
  }

  void check_names() const {
    for (std::size_t j = 0; j < file_.names.size(); ++j) {
      if (file_.names[j].empty()) refuse_empty(j);
      const auto& places = places_.at(file_.names[j]);
      if (places.size() > 1) refuse_twice(file_.names[j], places);
    }
  }

 private:
  [[nodiscard]] bool header_may_be_data() const {
    double value = 0;
    return std::any_of(file_.names.begin(), file_.names.end(),
                       [&](const std::string& name) { return kernel::parse_whole(name, value); });
  }

  [[noreturn]] void refuse_empty(std::size_t j) const {
    throw Error(
        Errc::bad_data,
        place_of_header(file_) + ": column " + std::to_string(j + 1) + " has no name",
        header_may_be_data()
            ? Advice("give every column a name, or use {} if the first line is data", {no_header()})
            : "give every column a name (a delimiter at the end of the line adds one)");
  }

  [[noreturn]] void refuse_twice(const std::string& name, const std::vector<Index>& places) const {
    throw Error(
        Errc::bad_data,
        place_of_header(file_) + ": columns " + std::to_string(places[0] + 1) + " and " +
            std::to_string(places[1] + 1) + " are both named '" + name + "'",
        header_may_be_data()
            ? Advice("rename one of them, or use {} if the first line is data", {no_header()})
            : "rename one of them");
  }

  const FileColumns& file_;
  std::unordered_map<std::string_view, std::vector<Index>> places_;
};

bool is_target_name(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name == "label" || name == "class" || name == "target" || name == "y";
}

// Columns that play another part cannot be the target unless the user says so.
bool may_be_target(const std::string& name, const RowRequest& request) {
  const auto same = [&](const Column& column) { return column.name == name; };
  const ExpectedRoles* const expected = request.expected();
  const bool feature =
      expected && std::any_of(expected->features.begin(), expected->features.end(), same);
  return !feature && request.weights() != name;
}

}  // namespace

std::optional<Index> only_target_name(const FileColumns& file, const RowRequest& request) {
  std::optional<Index> found;
  for (std::size_t j = 0; j < file.names.size(); ++j) {
    if (!is_target_name(file.names[j]) || !may_be_target(file.names[j], request)) continue;
    if (found) return std::nullopt;
    found = static_cast<Index>(j);
  }
  return found;
}

namespace {

/// Builds a layout column by column.
class Assignment {
 public:
  Assignment(const FileColumns& file, const RowRequest& request)
      : file_(file), request_(request), finder_(file) {
    layout_.source = file.source;
    layout_.header = file.header_line > 0;
    layout_.format = file.format;
    layout_.names = file.names;
    layout_.uses.resize(file.names.size());
    layout_.text = request.text();
  }

  RecordLayout run() {
    if (const Roles* given = request_.given()) {
      finder_.check_names();
      given_ = given_types(*given);
    }
    assign_weights();
    assign_target();
    if (const Roles* given = request_.given()) assign_features(*given);
    if (const ExpectedRoles* expected = request_.expected()) assign_expected(*expected);
    std::visit([this](const auto& kept) { keep(kept); }, request_.options.kept);
    return std::move(layout_);
  }

 private:
  FieldUse& use(Index j) { return layout_.uses[static_cast<std::size_t>(j)]; }
  [[nodiscard]] const std::string& name(Index j) const {
    return file_.names[static_cast<std::size_t>(j)];
  }

  void assign_weights() {
    if (!request_.weights()) return;
    use(finder_.require(*request_.weights(), request_.weights_option())).part = Part::weight;
    layout_.weighted = true;
    layout_.frequencies = request_.frequencies();
  }

  void assign_target() {
    const std::optional<Index> target = choose_target();
    if (!target) return;
    if (use(*target).part == Part::weight)
      throw Error(Errc::bad_argument,
                  file_.source + ": column '" + name(*target) +
                      "' cannot be both the target and the " + request_.weights_option(),
                  {"name another column with {} or {}", {{"target"}, {request_.weights_option()}}});
    refuse_type_of_target(name(*target));
    use(*target).part = Part::label;
    layout_.target = name(*target);
    layout_.target_edges = request_.target_edges();
    if (!layout_.target_edges.empty()) layout_.bins = names_of_bins(layout_.target_edges);
  }

  /// Labels are names, whatever they look like.
  void refuse_type_of_target(const std::string& target) const {
    const Roles* given = request_.given();
    if (given == nullptr) return;
    for (const auto& [column, type] : given->types) {
      if (column != target || type == ColumnType::categorical || type == ColumnType::binary)
        continue;
      throw Error(Errc::bad_argument,
                  file_.source + ": column '" + target + "' cannot be " +
                      std::string(name_of(type)) + ": it is the target",
                  {"take it out of {}, or name another column with {}", {{"type"}, {"target"}}});
    }
  }

  [[nodiscard]] std::optional<Index> choose_target() const {
    const Target& asked = request_.target();
    if (!asked.used()) return std::nullopt;
    if (!asked.required()) return asked.name() ? finder_.find(*asked.name()) : label_by_name();
    if (asked.name())
      return finder_.require(*asked.name(), "target",
                             request_.expected() ? Errc::bad_data : Errc::bad_argument);
    const std::optional<Index> target = guess_target();
    if (!target && file_.names.size() == 1) refuse_one_column();
    if (!target)
      throw Error(Errc::bad_data, file_.source + ": no column can be the target",
                  {"name the label column with {}", {{"target"}}});
    return target;
  }

  [[nodiscard]] bool is_given_feature(Index j) const {
    const Roles* given = request_.given();
    return given != nullptr &&
           std::ranges::any_of(given->features, [&](const std::string& feature) {
             return feature == name(j) ||
                    (!finder_.is_name(feature) && kernel::matches(name(j), feature));
           });
  }

  /// Numbers named y may be a coordinate beside x.
  [[nodiscard]] std::optional<Index> label_by_name() const {
    const std::optional<Index> named = only_target_name(file_, request_);
    const bool coordinate =
        named && name(*named).size() == 1 && !file_.guesses.empty() &&
        file_.guesses[static_cast<std::size_t>(*named)].type == ColumnType::numeric;
    return coordinate || (named && is_given_feature(*named)) ? std::nullopt : named;
  }

  [[nodiscard]] std::optional<Index> guess_target() const {
    if (const auto named = only_target_name(file_, request_)) return named;
    for (Index j = static_cast<Index>(file_.names.size()) - 1; j >= (file_.row_names ? 1 : 0); --j)
      if (may_be_target(name(j), request_) && !is_text(j)) return j;
    return std::nullopt;
  }
  [[nodiscard]] bool is_text(Index j) const {
    if (!given_.empty() && given_[static_cast<std::size_t>(j)])
      return given_[static_cast<std::size_t>(j)] == ColumnType::text;
    return !file_.guesses.empty() &&
           file_.guesses[static_cast<std::size_t>(j)].type == ColumnType::text;
  }

  /// Of each column: by its name, else by the last pattern that it matches.
  [[nodiscard]] std::vector<std::optional<ColumnType>> given_types(const Roles& roles) const {
    std::vector<std::optional<ColumnType>> given(file_.names.size());
    for (const bool names : {false, true}) {
      for (const auto& [column, type] : roles.types) {
        if (finder_.is_name(column) != names) continue;
        for (const Index j : finder_.require_all(column, "type"))
          given[static_cast<std::size_t>(j)] = type;
      }
    }
    return given;
  }

  void assign_features(const Roles& roles) {
    const std::vector<bool> wanted = wanted_columns(roles);
    std::vector<bool> not_given;  // of the features
    for (std::size_t j = 0; j < file_.names.size(); ++j) {
      if (!wanted[j] || layout_.uses[j].part != Part::skip) continue;
      const ColumnType type = given_[j] ? *given_[j] : default_type(file_.guesses[j].type, roles);
      const bool guessed = !given_[j] && !roles.default_type;
      add_feature(static_cast<Index>(j), {file_.names[j], type}, !guessed);
      not_given.push_back(!given_[j]);
    }
    if (roles.default_type) refuse_unfit_columns(file_, layout_, *roles.default_type, not_given);
    if (layout_.columns.empty() && file_.names.size() == 1) refuse_one_column();
    if (layout_.columns.empty())
      throw Error(Errc::bad_data, file_.source + ": no column is left for the features",
                  "leave more columns in; the target and the weights are not features");
  }

  [[nodiscard]] static ColumnType default_type(ColumnType guess, const Roles& roles) {
    const bool words = guess != ColumnType::numeric;
    const bool cut_asked_for = !(roles.text == TextOptions{});
    if (!roles.default_type)
      return guess == ColumnType::categorical && cut_asked_for ? ColumnType::text : guess;
    if (roles.default_type == ColumnType::count && words) return ColumnType::text;
    const bool stays_text =
        guess == ColumnType::text && roles.default_type != ColumnType::categorical;
    return stays_text ? guess : *roles.default_type;
  }

  [[nodiscard]] std::vector<bool> wanted_columns(const Roles& roles) const {
    std::vector<bool> wanted(file_.names.size(), roles.features.empty());
    const auto& types = roles.types;
    const auto names_first = [&](const auto& type) { return type.first == file_.names.front(); };
    if (file_.row_names && std::ranges::none_of(types, names_first)) wanted.front() = false;
    for (const std::string& column : roles.features) {
      const bool named = finder_.is_name(column);
      for (const Index j : finder_.require_all(column, "features")) {
        if (named) refuse_part(j, "cannot be both a feature and the ", "features");
        wanted[static_cast<std::size_t>(j)] = true;
      }
    }
    for (const std::string& column : roles.drop) {
      const bool named = finder_.is_name(column);
      for (const Index j : finder_.require_all(column, "drop")) {
        if (named) refuse_part(j, "cannot be dropped: it is the ", "drop");
        wanted[static_cast<std::size_t>(j)] = false;
      }
    }
    return wanted;
  }

  void refuse_part(Index j, const std::string& why, const std::string& option) const {
    const Part part = layout_.uses[static_cast<std::size_t>(j)].part;
    if (part == Part::skip) return;
    const bool label = part == Part::label;
    const std::string role = label ? "target" : request_.weights_option();
    throw Error(Errc::bad_argument, file_.source + ": column '" + name(j) + "' " + why + role,
                {label ? "take it out of {}, or name another column with {}"
                       : "take it out of {}, or leave out {}",
                 {{option}, {role}}});
  }

  void assign_expected(const ExpectedRoles& roles) {
    std::vector<std::string> missing;
    for (const Column& column : roles.features) {
      const std::optional<Index> j = finder_.find(column.name);
      if (j)
        add_feature(*j, column, true);
      else
        missing.push_back(column.name);
    }
    if (missing.empty()) return;
    throw Error(Errc::bad_data,
                file_.source + ": there is no column " + kernel::quoted_list(missing) +
                    ", which the model needs",
                finder_.near(missing.front()));
  }

  void add_feature(Index j, Column column, bool strict) {
    FieldUse& here = use(j);
    if (here.part != Part::skip)
      throw Error(Errc::bad_data,
                  file_.source + ": column '" + name(j) + "' is a feature of the model",
                  "name another column as the target or the weights");
    const bool number = kept_as_number(column.type);
    const bool text = column.type == ColumnType::text;
    Index& places = number ? layout_.numbers : text ? layout_.texts : layout_.codes;
    here = {.part = number ? Part::number
                    : text ? Part::text
                           : Part::code,
            .strict = strict,
            .count = column.type == ColumnType::count,
            .place = places++,
            .feature = static_cast<Index>(layout_.columns.size())};
    layout_.columns.push_back(std::move(column));
  }

  [[noreturn]] void refuse_one_column() const {
    if (file_.names.front().starts_with('#'))
      throw Error(Errc::bad_data,
                  file_.source + ": the header is " + quoted(file_.names.front()) +
                      ", which looks like a comment",
                  {"use {} if such lines are comments", {{"comment", {"#"}}}});
    throw Error(
        Errc::bad_data,
        file_.source + ": there is only one column, " + quoted(file_.names.front()) +
            ", when lines are split at " + shown_delimiter(file_.format.delimiter),
        {"name what separates the cells with {}; an svmlight file must be named .svm or .libsvm, "
         "and models and statistics are not tables",
         {{"delimiter"}}});
  }

  void keep(std::monostate /*nothing*/) {}

  void keep(KeptRecords /*whole*/) {
    layout_.records = true;
    layout_.kept_header = file_.header;
  }

  void keep(const KeptCells& cells) {
    layout_.keep = true;
    for (const std::string& column : cells.columns)
      layout_.kept.push_back(finder_.require(column, "keep"));
    if (cells.columns.empty())
      for (std::size_t j = 0; j < file_.names.size(); ++j)
        layout_.kept.push_back(static_cast<Index>(j));
    for (std::size_t i = 0; i < layout_.kept.size(); ++i) {
      if (i > 0) layout_.kept_header += ',';
      const bool unnamed = layout_.kept[i] == 0 && file_.first_unnamed;
      append_as_csv(unnamed ? "" : name(layout_.kept[i]), layout_.kept_header);
    }
  }

  const FileColumns& file_;
  const RowRequest& request_;
  Finder finder_;
  std::vector<std::optional<ColumnType>> given_;  // of each column, if anything is told
  RecordLayout layout_;
};

}  // namespace

RecordLayout assign_roles(const FileColumns& file, const RowRequest& request) {
  return Assignment(file, request).run();
}

}  // namespace genera::data
