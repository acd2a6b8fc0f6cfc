#include "data/bytes/json_lines.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace genera::data {
namespace {

using Json = nlohmann::json;

void append_quoted(std::string_view text, std::string& to) {
  to += '"';
  for (const char c : text)
    if (c == '\n' || c == '\r')
      to += ' ';
    else
      to.append(c == '"' ? 2 : 1, c);
  to += '"';
}

/// Collects the members of one flat object. A callback that returns false ends the parsing.
class Members : public nlohmann::json_sax<Json> {
 public:
  struct Member {
    std::string key, cell;  // the cell as CSV
  };
  std::vector<Member> found;
  std::string problem;

  bool null() override { return add(""); }
  bool boolean(bool value) override { return add(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return add(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return add(std::to_string(value)); }
  bool number_float(number_float_t /*value*/, const string_t& text) override { return add(text); }
  bool string(string_t& text) override {
    std::string cell;
    append_quoted(text, cell);
    return add(text.empty() ? "" : std::move(cell));
  }
  bool binary(binary_t& /*bytes*/) override { return false; }
  bool start_object(std::size_t /*size*/) override {
    if (!inside_) return inside_ = true;
    problem = "the value of '" + key_ + "' is an object";
    return false;
  }
  bool key(string_t& key) override {
    key_ = key;
    return true;
  }
  bool end_object() override { return true; }
  bool start_array(std::size_t /*size*/) override {
    problem = inside_ ? "the value of '" + key_ + "' is an array" : "it is an array";
    return false;
  }
  bool end_array() override { return true; }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    problem = "it is not JSON";
    return false;
  }

 private:
  bool add(std::string cell) {
    if (!inside_) {
      problem = "it is not an object";
      return false;
    }
    found.push_back({key_, std::move(cell)});
    return true;
  }

  bool inside_ = false;
  std::string key_;
};

class JsonLines : public Bytes {
 public:
  JsonLines(std::unique_ptr<Bytes> lines, std::string name)
      : lines_(std::move(lines)), name_(std::move(name)) {
    while (!ended_ && text_.size() < sample_bytes && (text_.find('\n') == text_.npos || ready()))
      read_more();
    find_keys();
    begin();
  }

  std::size_t read(char* to, std::size_t size) override {
    while (at_ == csv_.size()) {
      csv_.clear();
      at_ = 0;
      if (!write_records() && !read_more()) return 0;
    }
    const std::size_t got = csv_.copy(to, size, at_);
    at_ += got;
    return got;
  }

  [[nodiscard]] std::optional<double> share_read() const override { return lines_->share_read(); }
  [[nodiscard]] bool is_pipe() const override { return lines_->is_pipe(); }
  [[nodiscard]] bool ready() const override { return at_ < csv_.size() || lines_->ready(); }
  [[nodiscard]] std::int64_t first_line() const override { return 0; }
  void give_up() noexcept override { lines_->give_up(); }
  void resume() noexcept override { lines_->resume(); }
  void rewind() override {
    lines_->rewind();
    text_.clear();
    ended_ = false;
    begin();
  }

 private:
  static constexpr std::size_t sample_bytes = std::size_t{1} << 20, at_once = std::size_t{1} << 16;

  void begin() {
    line_ = 1;
    at_ = 0;
    csv_.clear();
    for (const std::string& key : keys_) {
      if (!csv_.empty()) csv_ += ',';
      append_quoted(key, csv_);
    }
    csv_ += '\n';
  }

  bool read_more() {
    if (ended_) return false;
    const std::size_t before = text_.size();
    text_.resize(before + at_once);
    const std::size_t got = lines_->read(text_.data() + before, at_once);
    text_.resize(before + got);
    ended_ = got == 0;
    if (ended_ && !text_.empty() && !text_.ends_with('\n')) text_ += '\n';
    return !ended_ || !text_.empty();
  }

  /// From the complete lines at hand.
  void find_keys() {
    std::int64_t line = 0;
    for (std::string_view rest = text_; rest.find('\n') != rest.npos;
         rest.remove_prefix(rest.find('\n') + 1)) {
      ++line;
      for (const Members::Member& member :
           members_of(rest.substr(0, rest.find('\n')), line).value_or(Row{}))
        if (places_.try_emplace(member.key, keys_.size()).second) keys_.push_back(member.key);
    }
    if (keys_.empty())
      throw Error(Errc::bad_data, name_ + ": there is no object with a key",
                  "give one JSON object per line");
  }

  using Row = std::vector<Members::Member>;

  /// Empty for a blank line.
  [[nodiscard]] std::optional<Row> members_of(std::string_view line, std::int64_t number) const {
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.find_first_not_of(" \t\r") == line.npos) return std::nullopt;
    Members members;
    if (!Json::sax_parse(line.begin(), line.end(), &members)) refuse(number, members.problem);
    return std::move(members.found);
  }

  /// The complete lines at hand as CSV; false if there are none.
  bool write_records() {
    std::string_view rest = text_;
    std::vector<std::string> cells(keys_.size());
    for (std::size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      const std::optional<Row> members = members_of(rest.substr(0, end), line_);
      rest.remove_prefix(end + 1);
      if (members) write_record(*members, cells);
      // A line without an object would be a row in a table of one column.
      else if (keys_.size() > 1)
        csv_ += '\n';
      ++line_;
    }
    if (rest.size() == text_.size()) return false;
    text_.erase(0, text_.size() - rest.size());
    return !csv_.empty();
  }

  void write_record(const Row& members, std::vector<std::string>& cells) {
    std::ranges::fill(cells, std::string());
    for (const Members::Member& member : members) {
      const auto place = places_.find(member.key);
      if (place == places_.end())
        refuse(line_, "the key '" + member.key + "' is not in the first lines",
               "add it to the first line, with the value null");
      cells[place->second] = member.cell;
    }
    for (std::size_t j = 0; j < cells.size(); ++j) csv_ += (j > 0 ? "," : "") + cells[j];
    csv_ += '\n';
  }

  [[noreturn]] void refuse(std::int64_t line, const std::string& what,
                           const std::string& hint =
                               "give one flat JSON object per line; values are numbers, texts, "
                               "true, false or null") const {
    throw Error(Errc::bad_data, name_ + ":" + std::to_string(line) + ": " + what, hint);
  }

  std::unique_ptr<Bytes> lines_;
  std::string name_;
  std::vector<std::string> keys_;
  std::unordered_map<std::string, std::size_t> places_;
  std::string text_;  // not yet converted
  std::string csv_;   // not yet handed out, from at_
  std::size_t at_ = 0;
  std::int64_t line_ = 1;  // of text_
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<Bytes> json_lines(std::unique_ptr<Bytes> lines, std::string name) {
  return std::make_unique<JsonLines>(std::move(lines), std::move(name));
}

}  // namespace genera::data
