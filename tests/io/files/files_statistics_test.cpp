#include "io/document.hpp"

#include "io/support.hpp"

#include <rapidcheck/gtest.h>

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <thread>

namespace genera::statistics_file_test {
namespace {

using namespace test;

StatisticsSchema numeric_schema(const std::vector<std::string>& names, const std::string& target,
                                Scatter kind) {
  StatisticsSchema schema{.features = {}, .target = target, .scatter = kind};
  for (const std::string& name : names) schema.features.push_back({name, ColumnType::numeric});
  return schema;
}

Statistics small_statistics(Scatter kind) {
  Statistics statistics(numeric_schema({"a", "b"}, "t", kind));
  for (const std::string name : {"10", "9", "x \"y\""}) {
    ClassStatistics& one = statistics.of_class(name);
    one.rows = 3;
    one.weight = one.moments.weight = 1.0 / 3;
    one.moments.mean = {1e8 + 0.1, -2};
    one.moments.mean_low = {1e-10 / 3, -0.0};
    one.moments.scatter = kind == Scatter::full ? Matrix(2, 2, Vector{1, 1.0 / 7, 1.0 / 7, 0})
                                                : Matrix(1, 2, Vector{1, 1.0 / 7});
  }
  return statistics;
}

TEST(StatisticsFile, IsTheSameAfterSavingAndLoading) {
  const TemporaryFolder folder;
  for (const Scatter kind : {Scatter::full, Scatter::diagonal})
    for (const std::string name : {"s.json", "s.cbor"}) {
      const Statistics statistics = small_statistics(kind);
      save(statistics, folder / name);
      EXPECT_EQ(load_statistics(folder / name), statistics);
      EXPECT_TRUE(looks_like_statistics(folder / name));
    }
}

TEST(StatisticsFile, ThatIsCutOffIsStillOneOfStatistics) {
  const TemporaryFolder folder;
  for (const std::string name : {"s.json", "s.cbor"}) {
    save(small_statistics(Scatter::full), folder / name);
    const std::string whole = read_text(folder / name);
    for (std::size_t size = 12; size + 2 < whole.size(); ++size) {
      write_text(folder / name, whole.substr(0, size));
      ASSERT_TRUE(looks_like_statistics(folder / name)) << size;
      EXPECT_EQ(refusal([&] { (void)load_statistics(folder / name); }),
                "bad_model | " + (folder / name) +
                    ": the file of statistics ends too early | it was cut off: copy it "
                    "again, or make the statistics again");
    }
  }
  save(small_model(Family::lda), folder / "m.json");
  EXPECT_FALSE(looks_like_statistics(folder / "m.json"));
  const std::string model = read_text(folder / "m.json");
  write_text(folder / "m.json", model.substr(0, model.size() / 2));
  EXPECT_FALSE(looks_like_statistics(folder / "m.json"));
  EXPECT_EQ(refusal([&] { (void)load_model(folder / "m.json"); }),
            "bad_model | " + (folder / "m.json") +
                ": the model file ends too early | it was cut off: copy it again, "
                "or fit the model again");
  write_text(folder / "m.json", std::string(5000, '\0'));
  EXPECT_EQ(refusal([&] { (void)load_model(folder / "m.json"); }),
            "bad_model | " + (folder / "m.json") +
                ": the model file holds NUL bytes only | it is damaged: copy it "
                "again, or fit the model again");
}

RC_GTEST_PROP(StatisticsFile, CollectedOnesAreTheSameAndMergeTheSame, (bool diagonal)) {
  const auto cells = *rc::gen::container<Vector>(
      30, rc::gen::map(rc::gen::arbitrary<std::int32_t>(), [](std::int32_t n) { return n / 7.0; }));
  const Table table = make_table({"a", "b", "c"}, Matrix(10, 3, cells),
                                 {"x", "y", "x", "y", "y", "z", "x", "x", "z", "y"});
  Statistics collected(
      numeric_schema({"a", "b", "c"}, table.target, diagonal ? Scatter::diagonal : Scatter::full));
  collected.add(table);
  Statistics loaded = io::to_statistics(io::to_document(collected), "s");
  RC_ASSERT(loaded == collected);
  loaded.merge(collected);
  collected.merge(collected);
  RC_ASSERT(loaded == collected);
}

TEST(StatisticsFile, KeepsTheEmptyOnes) {
  const TemporaryFolder folder;
  for (const Statistics& statistics :
       {Statistics(), Statistics(numeric_schema({"a"}, "t", Scatter::full)),
        Statistics(numeric_schema({}, "", Scatter::diagonal))}) {
    save(statistics, folder / "s");
    EXPECT_EQ(load_statistics(folder / "s"), statistics);
  }
}

TEST(StatisticsFile, SpecimensLoadAndAreWrittenTheSame) {
  const TemporaryFolder folder;
  for (const std::string name : {"v1_statistics_full.json", "v1_statistics_diagonal.json"}) {
    const Statistics statistics = load_statistics(specimen(name));
    save(statistics, folder / "s");
    EXPECT_EQ(read_text(folder / "s"), read_text(specimen(name)));
    EXPECT_EQ(statistics.columns(), (std::vector<std::string>{"sepal_length", "petal_length"}));
    EXPECT_EQ(statistics.classes().at(1).moments.mean, (Vector{5.936, 4.26}));
    EXPECT_TRUE(looks_like_statistics(specimen(name)));
  }
}

TEST(StatisticsFile, SpecimensOfEveryKindOfColumnLoadAndAreWrittenTheSame) {
  const TemporaryFolder folder;
  for (const std::string kind : {"mixed", "joint", "text", "sparse_numbers", "sparse_counts"}) {
    const std::string name = specimen("v1_statistics_" + kind + ".json");
    save(load_statistics(name), folder / "s");
    EXPECT_EQ(read_text(folder / "s"), read_text(name));
  }
}

TEST(StatisticsFile, TheClassHasItsOwnWeight) {
  const Statistics mixed = load_statistics(specimen("v1_statistics_mixed.json"));
  EXPECT_EQ(mixed.classes().at(1).weight, 5.5);
  EXPECT_EQ(mixed.classes().at(1).moments.weight, 5.5);
  const Statistics text = load_statistics(specimen("v1_statistics_text.json"));
  EXPECT_EQ(text.classes().at(0).weight, 3);
  EXPECT_EQ(text.classes().at(0).moments, Moments());
}

TEST(StatisticsFile, KeepsTheWeightOfCountsThatAreThere) {
  Statistics mixed = load_statistics(specimen("v1_statistics_mixed.json"));
  EXPECT_EQ(mixed.classes().at(1).counts, (CountSums{{7, 27}, {5.5, 5.5}}));
  mixed.of_class("b").counts.observed[0] = 2.5;
  EXPECT_EQ(io::to_statistics(io::to_document(mixed), "s"), mixed);
}

TEST(StatisticsFile, KeepsTheWeightBehindTheMoments) {
  Statistics statistics = small_statistics(Scatter::full);
  statistics.of_class("9").moments.weight = 0.25;
  EXPECT_EQ(io::to_statistics(io::to_document(statistics), "s"), statistics);
}

TEST(StatisticsFile, TellsASparseMatrixOfCountsFromOneOfNumbers) {
  const Statistics old = load_statistics(specimen("v1_statistics_sparse_counts.json"));
  EXPECT_EQ(old.schema().sparse_matrix, SparseKind::numbers);  // what it does not tell
  StatisticsSchema schema = old.schema();
  schema.sparse_matrix = SparseKind::counts;
  const Statistics counts(schema);
  EXPECT_EQ(io::to_statistics(io::to_document(counts), "s"), counts);
  Statistics both = counts;
  both.merge(old);
  EXPECT_EQ(both.schema().sparse_matrix, SparseKind::numbers);
  EXPECT_EQ(both.classes(), old.classes());
}

TEST(StatisticsFile, RefusesWhatIsWrong) {
  struct Damage {
    std::string from, to, what;
  };
  const TemporaryFolder folder;
  const std::string good = read_text(specimen("v1_statistics_full.json"));
  for (const Damage& damage : std::vector<Damage>{
           {"\"columns\"", "\"column\"", "'column' is not a known key | did you mean 'columns'?"},
           {"\"format\": \"genera-statistics\"", "\"format\": \"x\"",
            "'format' is 'x', expected 'genera-statistics'"},
           {"\"version\": 1", "\"version\": 3", "'version' is 3: written by a newer genera"},
           {"\"full\"", "\"half\"", "'scatter' is 'half', expected 'full' or 'diagonal'"},
           {"\"full\"", "\"diagonal\"", "'classes[0].scatter[0]' is a list, expected a number"},
           {"\"petal_length\"", "\"sepal_length\"", "'columns' holds 'sepal_length' twice"},
           {"\"petal_length\"", "\"petal_length\", \"z\"", "'classes[0].mean' has 2 entries, exp"},
           {"versicolor", "setosa", "'classes[1].name' is 'setosa', a class that is there already"},
           {"\"rows\": 50", "\"rows\": 5.5", "'classes[0].rows' is 5.5, expected a whole number"},
           {"\"rows\": 50", "\"rows\": -1", "'classes[0].rows' is -1, expected at least 0"},
           {"\"rows\": 50", "\"rows\": 1e300", "'classes[0].rows' is 1e+300, expected a whole"},
           {"\"weight\": 50", "\"weight\": -2", "'classes[0].weight' is -2, expected at least 0"},
           {"\"weight\": 50", "\"weight\": 0",
            "'classes[0].weight' is 0 although there are 50 rows"},
           {"\"weight\": 50", "\"weight\": 50, \"mean_weight\": 0",
            "'classes[0].mean_weight' is 0 although there are 50 rows"},
           {"\"weight\": 50", "\"wait\": 50", "'classes[0].wait' is not a known key"},
           {"[6.0882]", "[-6.0882]",
            "'classes[0].scatter' has -6.0882 on its diagonal (feature 1), expected at least 0"},
           {"[6.0882]", "[6.0882, 1]", "'classes[0].scatter[0]' has 2 entries, expected 1"},
           {"[6.0882],", "", "'classes[0].scatter' has 1 entry, expected 2"},
           {"[5.006, 1.462]", "[5.006]", "'classes[0].mean' has 1 entry, expected 2"},
           {"\"mean_low\"", "\"mean_lo\"", "'classes[0].mean_lo' is not a known key"},
       }) {
    write_text(folder / "s", edited(good, damage.from, damage.to));
    const std::string said = refusal([&] { (void)load_statistics(folder / "s"); });
    EXPECT_TRUE(said.starts_with("bad_model | " + folder / "s" + ": " + damage.what)) << said;
  }
  EXPECT_EQ(refusal([&] { (void)load_statistics(specimen("v1_lda.json")); }),
            "bad_model | " + specimen("v1_lda.json") +
                ": the file holds a model, not statistics | give a file of statistics, which are "
                "collected from rows");
}

TEST(LooksLikeStatistics, OnlyForOurFiles) {
  const TemporaryFolder folder;
  EXPECT_FALSE(looks_like_statistics("-"));
  EXPECT_FALSE(looks_like_statistics("@iris"));
  EXPECT_FALSE(looks_like_statistics(folder / "none"));
  EXPECT_FALSE(looks_like_statistics(folder / ""));
  EXPECT_FALSE(looks_like_statistics(specimen("v1_lda.json")));
  EXPECT_FALSE(looks_like_statistics(specimen("v1_qda.cbor")));
  for (const std::string text :
       {"", "a,b\n1,\"genera-statistics\"\n", "{,b\n1,\"genera-statistics\"\n",
        "[\"genera-statistics\"]", "{\"format\": \"other\"}"}) {
    write_text(folder / "f", text);
    EXPECT_FALSE(looks_like_statistics(folder / "f")) << text;
  }
  write_text(folder / "f", "\xEF\xBB\xBF \n{ \"format\" :\"genera-statistics\"");
  EXPECT_TRUE(looks_like_statistics(folder / "f"));
}

TEST(LooksLikeStatistics, HoweverLargeTheFile) {
  const TemporaryFolder folder;
  Statistics statistics(numeric_schema({"a"}, "t", Scatter::full));
  for (int k = 0; k < 2000; ++k) statistics.of_class("class " + std::to_string(k));
  for (const std::string name : {"s.json", "s.cbor"}) {
    save(statistics, folder / name);
    EXPECT_GT(std::filesystem::file_size(folder / name), 3U << 14U);
    EXPECT_TRUE(looks_like_statistics(folder / name));
  }
}

TEST(LooksLikeStatistics, DoesNotDrinkFromAPipe) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(looks_like_statistics(folder / "pipe"));  // opening it would wait for a writer
}

/// What was written to a pipe is lost when its only reader goes away, and the next one waits.
TEST(LoadModel, OpensAPipeOnce) {
  const TemporaryFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int watch = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(::inotify_add_watch(watch, pipe.c_str(), IN_OPEN | IN_CLOSE_NOWRITE), 0);
  const std::jthread writer(
      [&] { std::ofstream(pipe) << std::ifstream(specimen("v1_lda.json")).rdbuf(); });
  EXPECT_EQ(load_model(pipe), load_model(specimen("v1_lda.json")));
  // Both sides open it, which are alike and one event, and then the reader closes it.
  std::array<inotify_event, 10> events;
  EXPECT_EQ(::read(watch, events.data(), sizeof events), 2 * sizeof(inotify_event));
  ::close(watch);
}

}  // namespace
}  // namespace genera::statistics_file_test
