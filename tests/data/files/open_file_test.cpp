#include <condition_variable>
#include <mutex>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "data/csv_support.hpp"

namespace genera::csv_sources_test {
namespace {

using genera::testing::caught;
using genera::testing::FedPipe;
using genera::testing::gzip;
using genera::testing::TempFile;

const std::string text = "a,b,y\n1,2,x\n3,,\"z\nz\"\n5,6,x\n";

Table whole(const std::string& path) { return read_csv(path); }

TEST(CsvSource, FilePipeAndGzipAreTheSame) {
  const TempFile file(text);
  const Table expected = whole(file.path());
  testing::expect_same(whole(FedPipe({text}).path()), expected);
  testing::expect_same(whole(TempFile(gzip(text), "named.csv").path()), expected);
  testing::expect_same(whole(FedPipe({gzip(text)}).path()), expected);
}

TEST(CsvSource, StandardInput) {
  const TempFile file(text);
  const Table expected = whole(file.path());
  for (const std::string& bytes : {text, gzip(text)}) {
    FedPipe pipe({bytes});
    const int saved = ::dup(STDIN_FILENO);
    ::dup2(pipe.read_end(), STDIN_FILENO);
    const Table table = whole("-");
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
    testing::expect_same(table, expected);
  }
}

TEST(CsvSource, MessagesSayStandardInput) {
  FedPipe pipe({"a,y\n1\n"});
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(pipe.read_end(), STDIN_FILENO);
  const auto error = caught([] { static_cast<void>(whole("-")); });
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  EXPECT_EQ(error.what, "standard input:2: 1 field, the header has 2");
}

TEST(CsvSource, BuiltIn) {
  const Table iris = whole("@iris");
  EXPECT_EQ(iris.rows(), 150);
  EXPECT_EQ(iris.numbers.columns(), 4);
  EXPECT_EQ(iris.classes.size(), 3U);
}

TEST(CsvSource, ThatCannotBeOpened) {
  const TempFile file(text, "flowers.csv");
  auto error = caught([&] { static_cast<void>(whole(file.folder() + "/flower.csv")); });
  EXPECT_EQ(error.what, file.folder() + "/flower.csv: there is no such file");
  EXPECT_EQ(error.hint, "did you mean 'flowers.csv'?");
  EXPECT_EQ(error.code, Errc::bad_data);
  error = caught([] { static_cast<void>(whole("/nowhere/at/all")); });
  EXPECT_EQ(error.hint,
            "give the path of a file, - for standard input, or a built-in data set such as @iris");
  error = caught([] { static_cast<void>(whole("")); });
  EXPECT_EQ(error.what, "the name of a file is empty");
  EXPECT_EQ(error.hint,
            "give the path of a file, - for standard input, or a built-in data set such as @iris");
  error = caught([&] { static_cast<void>(whole(file.folder())); });
  EXPECT_EQ(error.what, file.folder() + ": is a directory, not a table");
  EXPECT_EQ(error.hint, "give the path of a file in it");
  error = caught([&] { static_cast<void>(whole(file.path() + "/x")); });
  EXPECT_EQ(error.what, file.path() + "/x: cannot be read: Not a directory");
}

TEST(CsvSource, ThatMayNotBeRead) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const TempFile file(text);
  ::chmod(file.path().c_str(), 0);
  EXPECT_EQ(caught([&] { static_cast<void>(whole(file.path())); }).what,
            file.path() + ": cannot be read: Permission denied");
}

TEST(CsvGzip, OfSeveralMembersAndPadding) {
  const TempFile plain(text);
  const std::string members =
      gzip(text.substr(0, 9)) + gzip("") + gzip(text.substr(9)) + std::string(100, '\0');
  testing::expect_same(whole(TempFile(members).path()), whole(plain.path()));
}

TEST(CsvGzip, CutAnywhereIsTruncated) {
  const std::string packed = gzip(text);
  for (std::size_t size = 3; size < packed.size(); ++size) {
    const TempFile file(packed.substr(0, size));
    const auto error = caught([&] { static_cast<void>(whole(file.path())); });
    EXPECT_EQ(error.what, file.path() + ": the gzip data end too early: the file is truncated");
    EXPECT_EQ(error.hint, "fetch or make the file again; gzip -t tests it");
  }
}

TEST(CsvGzip, Damaged) {
  std::string packed = gzip(text);
  packed[packed.size() - 6] ^= 1;
  const TempFile file(packed);
  EXPECT_EQ(caught([&] { static_cast<void>(whole(file.path())); }).what,
            file.path() + ": the gzip data are damaged (incorrect data check)");
  const TempFile more(gzip(text) + "more");
  EXPECT_EQ(caught([&] { static_cast<void>(whole(more.path())); }).what,
            more.path() + ": the gzip data are damaged (incorrect header check)");
}

Index count_rows(RowStream& stream) {
  return stream.reduce(
      Control{.threads = 2}, [] { return Index{0}; }, [](Table&& chunk) { return chunk.rows(); },
      [](Index& total, Index rows) { total += rows; });
}

TEST(CsvPasses, AreAsManyAsOneLikesOfEverySource) {
  const TempFile file(text), packed(gzip(text));
  FedPipe pipe({text}), packed_pipe({gzip(text)});
  for (const std::string& path :
       {file.path(), packed.path(), pipe.path(), packed_pipe.path(), std::string("@iris")}) {
    RowStream stream(path, {}, {});
    const Index rows = count_rows(stream);
    EXPECT_GE(rows, 3);
    for (int again = 0; again < 2; ++again) EXPECT_EQ(count_rows(stream), rows) << path;
  }
}

TEST(CsvPasses, BeginAgainAfterOneThatWasInterrupted) {
  std::string long_text = "a,y\n";
  for (int i = 0; i < 300000; ++i) long_text += std::to_string(i) + ",x\n";
  FedPipe pipe({long_text});
  RowStream stream(pipe.path(), {}, {});
  const auto stop = [](Table&&) -> std::function<void()> {
    throw Error(Errc::bad_data, "enough", "");
  };
  EXPECT_EQ(caught([&] { stream.for_each_chunk({.threads = 1}, stop); }).what, "enough");
  EXPECT_EQ(count_rows(stream), 300000);
}

TEST(CsvPasses, OverAPipeThatIsAnsweredAreOneUnlessItIsCopied) {
  const ExpectedRoles roles({{"a", ColumnType::numeric}});
  FedPipe copied({text});
  RowStream again(copied.path(), {}, roles, {.reread = true});
  EXPECT_EQ(count_rows(again), 3);
  EXPECT_EQ(count_rows(again), 3);
  FedPipe pipe({text});
  RowStream stream(pipe.path(), {}, roles);
  EXPECT_EQ(count_rows(stream), 3);
  const auto error = caught([&] { static_cast<void>(count_rows(stream)); });
  EXPECT_EQ(error.what, pipe.path() + ": a pipe can be read only once here");
  EXPECT_EQ(error.hint, "put the data into a file");
}

/// Answers that arrive one by one.
class Answers {
 public:
  void add(Index rows) {
    const std::lock_guard lock(mutex_);
    rows_ += rows;
    changed_.notify_all();
  }
  bool reach(Index rows) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::minutes(10), [&] { return rows_ >= rows; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Index rows_ = 0;
};

void put(int to, const std::string& bytes) {
  ASSERT_EQ(::write(to, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
}

void answers_line_by_line(int threads, bool header) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Answers answers;
  std::jthread reader([&, from = ends[0]] {
    const std::string name = header ? "a" : "c1";
    RowStream stream("/dev/fd/" + std::to_string(from), {.header = header},
                     ExpectedRoles({{name, ColumnType::numeric}}));
    stream.for_each_chunk({.threads = threads}, [&](Table&& chunk) -> std::function<void()> {
      return [&answers, n = chunk.rows()] { answers.add(n); };
    });
    answers.add(1000);
  });
  if (header) put(ends[1], "a,b\n");
  put(ends[1], "1,2\n");
  EXPECT_TRUE(answers.reach(1));
  put(ends[1], "3,4\n5,");
  EXPECT_TRUE(answers.reach(2));
  put(ends[1], "6\n7,8\n");
  EXPECT_TRUE(answers.reach(4));
  ::close(ends[1]);
  EXPECT_TRUE(answers.reach(1004));
  reader.join();
  ::close(ends[0]);
}

TEST(CsvPause, AnswersLineByLine) {
  answers_line_by_line(1, true);
  answers_line_by_line(2, true);
  answers_line_by_line(1, false);
}

}  // namespace
}  // namespace genera::csv_sources_test
