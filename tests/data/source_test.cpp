// Rows from memory and from callbacks: the same tables as from files.
#include <algorithm>

#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "data/csv_support.hpp"

namespace genera::memory_test {
namespace {

using testing::caught;
using testing::gzip;
using testing::TempFile;

const std::string flowers = "width,kind,species\n1.5,u,a\n2,v,b\n,u,a\n";

/// Gives `text` in pieces of `piece` bytes.
Source::Read reader_of(const std::string& text, std::size_t piece) {
  return [&text, piece, at = std::size_t{0}](char* to, std::size_t size) mutable {
    const std::size_t got = text.copy(to, std::min(size, piece), at);
    at += got;
    return got;
  };
}

/// What is the same wherever rows come from.
void expect_same_rows(const Table& a, const Table& b) { testing::expect_same(a, b); }

TEST(SourceText, IsReadAsAFileIs) {
  const TempFile file(flowers);
  const Table expected = read_csv(file.path());
  const Table table = read_csv(Source::text(flowers, "flowers.csv"));
  expect_same_rows(table, expected);
  EXPECT_EQ(table.place(1), "flowers.csv:3");
  expect_same_rows(read_csv(Source::text(gzip(flowers))), expected);
  EXPECT_EQ(read_csv(Source::text(flowers), {.target = "kind"}).target, "kind");
}

TEST(SourceText, StaysWhereItIs) {
  std::string text = flowers;
  const Source source = Source::text(text);
  EXPECT_EQ(std::get<std::string_view>(source.bytes()).data(), text.data());
  text[text.find("1.5")] = '7';
  EXPECT_EQ(read_csv(source).numbers(0, 0), 7.5);
}

TEST(SourceCallback, IsReadAsAFileIsWhateverItsPieces) {
  const TempFile file(flowers);
  const Table expected = read_csv(file.path());
  for (std::size_t piece = 1; piece <= flowers.size() + 1; ++piece)
    expect_same_rows(read_csv(Source::callback(reader_of(flowers, piece))), expected);
  const std::string packed = gzip(flowers);
  expect_same_rows(read_csv(Source::callback(reader_of(packed, 7))), expected);
}

TEST(SourceCallback, IsCopiedWhereRowsAreNeededAgain) {
  const std::string iris(builtin_dataset("iris"));
  RowStream rows(Source::callback(reader_of(iris, 1000)), {}, {});
  const Model model = fit(rows, lda()).model;
  EXPECT_EQ(model, fit(read_csv("@iris"), lda()).model.with_notes(model.notes()));
  EXPECT_EQ(read_rows(rows).rows(), 150);
  RowStream once(Source::callback(reader_of(iris, 1000), "sensor"), {}, roles_for(model));
  EXPECT_EQ(read_rows(once).rows(), 150);
  const auto error = caught([&] { static_cast<void>(read_rows(once)); });
  EXPECT_EQ(error.what, "sensor: a callback can be read only once here");
  EXPECT_EQ(error.hint, "put the data into a file");
  RowStream again(Source::callback(reader_of(iris, 1000)), {}, roles_for(model), {.reread = true});
  EXPECT_EQ(read_rows(again).rows(), 150);
  EXPECT_EQ(read_rows(again).rows(), 150);
}

TEST(SourceCallback, WhatItThrowsComesOut) {
  int calls = 0;
  const auto broken = [&](char* to, std::size_t size) -> std::size_t {
    if (++calls > 2) throw Error(Errc::bad_data, "the line is dead", "dial again");
    return flowers.copy(to, std::min<std::size_t>(size, 30));
  };
  EXPECT_EQ(caught([&] { static_cast<void>(read_csv(Source::callback(broken))); }).what,
            "the line is dead");
}

TEST(SourceCallback, IsNeverAskedAgainAfterTheEnd) {
  int ends = 0;
  const auto read = [&, at = std::size_t{0}](char* to, std::size_t size) mutable -> std::size_t {
    const std::size_t count = flowers.copy(to, size, at);
    at += count;
    ends += count == 0 ? 1 : 0;
    return count;
  };
  EXPECT_EQ(read_csv(Source::callback(read)).rows(), 3);
  EXPECT_EQ(ends, 1);
}

TEST(SourceCallback, ThatCannotBeIsRefused) {
  auto error = caught([] { static_cast<void>(Source::callback(nullptr, "nothing")); });
  EXPECT_EQ(error.what, "nothing: there is no function to read with");
  EXPECT_EQ(error.code, Errc::bad_argument);
  const auto liar = [](char*, std::size_t size) { return size + 1; };
  error = caught([&] { static_cast<void>(read_csv(Source::callback(liar, "liar"))); });
  EXPECT_EQ(error.what, "liar: the function says that it has read more bytes than fit");
  EXPECT_EQ(error.hint, "return how many bytes were put there, 0 at the end");
}

TEST(SourceFormat, IsToldOrRecognisedByTheName) {
  using enum Source::Format;
  EXPECT_EQ(Source("a.csv").format(), csv);
  EXPECT_EQ(Source("a.svm.gz").format(), svmlight);
  EXPECT_EQ(Source::text("", "a.libsvm").format(), svmlight);
  EXPECT_EQ(Source::text("", "a.libsvm", csv).format(), csv);
  EXPECT_EQ(
      Source::callback([](char*, std::size_t) { return std::size_t{0}; }, "a.svmlight").format(),
      svmlight);
  const std::string mails = "spam 1:2 2:1\nham 2:3\n";
  const TempFile file(mails, "mails.svm");
  expect_same_rows(read_csv(Source::text(mails, "mails", svmlight)), read_csv(file.path()));
  RowStream rows(Source::callback(reader_of(mails, 3), "mails.svm"), {}, {});
  EXPECT_TRUE(rows.sparse_matrix().has_value());
  EXPECT_EQ(rows.name(), "mails.svm");
  EXPECT_EQ(read_rows(rows).sparse.at(0).terms, (std::vector<std::string>{"1", "2"}));
}

TEST(SourceName, BeginsTheMessages) {
  EXPECT_EQ(Source("-").name(), "standard input");
  EXPECT_EQ(Source::path("@iris").name(), "@iris");
  EXPECT_EQ(Source(std::filesystem::path("a") / "b.csv").name(), "a/b.csv");
  EXPECT_EQ(caught([] { static_cast<void>(read_csv(Source::text("a,y\n1\n", "posted"))); }).what,
            "posted:2: 1 field, the header has 2");
}

}  // namespace
}  // namespace genera::memory_test
