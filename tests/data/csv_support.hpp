#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <genera/error.hpp>
#include <genera/stream.hpp>

namespace genera::testing {

/// A file that lives as long as the object.
class TempFile {
 public:
  explicit TempFile(const std::string& content, const std::string& name = "table.csv") {
    static std::atomic<int> count = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("genera-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directory(folder_);
    path_ = (folder_ / name).string();
    std::ofstream(path_, std::ios::binary) << content;
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  ~TempFile() { std::filesystem::remove_all(folder_); }

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string folder() const { return folder_.string(); }

 private:
  std::filesystem::path folder_;
  std::string path_;
};

/// A pipe fed by a thread with `pieces`, one after the other.
class FedPipe {
 public:
  explicit FedPipe(std::vector<std::string> pieces) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
    read_end_ = ends[0];
    feeder_ = std::jthread([pieces = std::move(pieces), to = ends[1]] {
      for (const std::string& piece : pieces) {
        if (::write(to, piece.data(), piece.size()) < 0) break;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      }
      ::close(to);
    });
  }
  FedPipe(const FedPipe&) = delete;
  FedPipe& operator=(const FedPipe&) = delete;
  ~FedPipe() { ::close(read_end_); }

  [[nodiscard]] std::string path() const { return "/dev/fd/" + std::to_string(read_end_); }
  [[nodiscard]] int read_end() const { return read_end_; }

 private:
  int read_end_ = -1;
  std::jthread feeder_;
};

[[nodiscard]] inline std::string gzip(const std::string& text) {
  std::string packed(compressBound(static_cast<uLong>(text.size())) + 64, '\0');
  z_stream stream{};
  if (deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("no zlib");
  std::string copy = text;
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// What an action throws, as text: "what" and "hint".
struct Caught {
  std::string what = "(nothing was thrown)";
  std::string hint;
  Errc code = Errc::bad_model;
};

template <class Action>
[[nodiscard]] Caught caught(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return {error.what(), in_words(error.hint()), error.code()};
  }
  return {};
}

/// The table that `text` holds as a file.
[[nodiscard]] inline Table parse(const std::string& text, const Roles& roles = {},
                                 const CsvOptions& options = {}, int threads = 1) {
  const TempFile file(text);
  return read_csv(file.path(), roles, options, {.threads = threads});
}
[[nodiscard]] inline Table parse(const std::string& text, const ExpectedRoles& roles) {
  const TempFile file(text);
  return read_csv(file.path(), roles);
}

/// The table in the file, with some of its input beside it.
template <class SomeRoles>
[[nodiscard]] Table read_keeping(const std::string& path, const SomeRoles& roles, Kept kept,
                                 const CsvOptions& options = {}) {
  RowStream stream(path, options, roles, {.kept = std::move(kept)});
  return read_rows(stream);
}
template <class SomeRoles>
[[nodiscard]] Table parse_keeping(const std::string& text, const SomeRoles& roles, Kept kept) {
  const TempFile file(text);
  return read_keeping(file.path(), roles, std::move(kept));
}

/// The error that `read` gives for `text` in a file, with the file's path taken out of it.
template <class Read>
[[nodiscard]] Caught refused_by(const Read& read, const std::string& text,
                                const std::string& name = "t.csv") {
  const TempFile file(text, name);
  Caught error = caught([&] { static_cast<void>(read(file.path())); });
  for (std::size_t at = error.what.find(file.path()); at != std::string::npos;
       at = error.what.find(file.path()))
    error.what.replace(at, file.path().size(), name);
  return error;
}
[[nodiscard]] inline Caught refused(const std::string& text, const Roles& roles = {},
                                    const CsvOptions& options = {}) {
  return refused_by([&](const std::string& path) { return read_csv(path, roles, options); }, text);
}
[[nodiscard]] inline Caught refused(const std::string& text, const ExpectedRoles& roles,
                                    const CsvOptions& options = {}) {
  return refused_by([&](const std::string& path) { return read_csv(path, roles, options); }, text);
}

[[nodiscard]] inline std::vector<std::string> words_of(const std::vector<Note>& notes) {
  std::vector<std::string> words;
  for (const Note& note : notes) words.push_back(in_words(note));
  return words;
}

[[nodiscard]] inline std::vector<std::string> notes_of(const std::string& text,
                                                       const Roles& roles = {},
                                                       const CsvOptions& options = {}) {
  const TempFile file(text);
  return words_of(RowStream(file.path(), options, roles).notes());
}

[[nodiscard]] inline std::vector<std::string> labels_of(const Table& table) {
  std::vector<std::string> labels;
  for (const auto code : table.labels)
    labels.push_back(code < 0 ? "(missing)" : table.classes[static_cast<std::size_t>(code)]);
  return labels;
}

[[nodiscard]] inline std::vector<std::string> level_texts(const Table& table, Index column) {
  std::vector<std::string> texts;
  for (Index i = 0; i < table.rows(); ++i) {
    const auto code = table.codes(i, column);
    texts.push_back(
        code < 0 ? "(missing)"
                 : table.levels[static_cast<std::size_t>(column)][static_cast<std::size_t>(code)]);
  }
  return texts;
}

/// Column `j` of the numbers; missing cells as -77 so that they compare.
[[nodiscard]] inline std::vector<double> numbers_of(const Table& table, Index j) {
  std::vector<double> values;
  for (Index i = 0; i < table.rows(); ++i)
    values.push_back(std::isnan(table.numbers(i, j)) ? -77 : table.numbers(i, j));
  return values;
}

inline void expect_same(const Table& a, const Table& b) {
  EXPECT_EQ(a.columns, b.columns);
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.numbers.columns(), b.numbers.columns());
  for (Index j = 0; j < a.numbers.columns(); ++j) EXPECT_EQ(numbers_of(a, j), numbers_of(b, j));
  EXPECT_EQ(a.codes, b.codes);
  EXPECT_EQ(a.levels, b.levels);
  EXPECT_EQ(a.target, b.target);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.kept_header, b.kept_header);
  EXPECT_EQ(a.kept, b.kept);
  EXPECT_EQ(a.lines, b.lines);
}

}  // namespace genera::testing
