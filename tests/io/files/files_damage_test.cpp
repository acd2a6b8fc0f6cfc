#include "io/document.hpp"

#include "io/support.hpp"
#include "support/discrete_tables.hpp"

#include <functional>
#include <random>

/// Whatever happens to a file, loading it gives a valid value or an Error: it never crashes, hangs
/// or lets another exception out. Meant to run under the sanitizers.
namespace genera::damage_test {
namespace {

using namespace test;

using Load = std::function<void(const std::string& bytes)>;

void load_as_model(const std::string& bytes) {
  const Model model = model_from_bytes(bytes, "m");
  EXPECT_EQ(model_from_bytes(to_bytes(model)), model);
}

void expect_error_or_value(const Load& load, const std::string& bytes) {
  try {
    load(bytes);
  } catch (const Error& e) {
    EXPECT_FALSE(e.hint().text.empty()) << e.what();
  }
}

void damage(const std::string& good, const Load& load) {
  load(good);
  for (std::size_t length = 0; length + 1 < good.size(); ++length)  // the newline may be missing
    EXPECT_THROW(load(good.substr(0, length)), Error) << length;

  std::mt19937_64 random(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int trial = 0; trial < 3000; ++trial) {
    std::string bytes = good;
    for (std::size_t flips = 1 + below(3); flips > 0; --flips)
      bytes[below(bytes.size())] = static_cast<char>(below(256));
    expect_error_or_value(load, bytes);
  }
  for (int trial = 0; trial < 1000; ++trial) {  // pieces that move, vanish or double
    std::string bytes = good;
    const std::size_t begin = below(bytes.size());
    const std::string piece = bytes.substr(begin, 1 + below(30));
    if (trial % 2 == 0) bytes.erase(begin, piece.size());
    bytes.insert(below(bytes.size()), piece);
    expect_error_or_value(load, bytes);
  }
}

TEST(Damage, OfAModelInJson) {
  for (const char* name : {"v1_minimal.json", "v1_qda.json", "v1_gnb.json"})
    damage(read_text(specimen(name)), load_as_model);
}

TEST(Damage, OfALinearModel) {
  const Load load = [](const std::string& bytes) {
    const Classifier classifier = io::to_classifier(io::parse(bytes, "m"), "m");
    EXPECT_EQ(io::to_classifier(io::to_document(classifier), "m"), classifier);
  };
  damage(read_text(specimen("v1_complement_counts.json")), load);
  damage(read_text(specimen("v1_complement_text.json")), load);
}

TEST(Damage, OfAModelInCbor) {
  damage(read_text(specimen("v1_qda.cbor")) + '\n', [](const std::string& bytes) {
    // The newline keeps the last cut of `damage` a cut; it is not part of the document.
    load_as_model(bytes.ends_with('\n') ? bytes.substr(0, bytes.size() - 1) : bytes);
  });
}

TEST(Damage, OfStatistics) {
  const Load load = [](const std::string& bytes) {
    const Statistics statistics = io::to_statistics(io::parse(bytes, "s"), "s");
    EXPECT_EQ(io::to_statistics(io::to_document(statistics), "s"), statistics);
  };
  damage(read_text(specimen("v1_statistics_full.json")), load);
  damage(read_text(specimen("v1_statistics_diagonal.json")), load);
}

/// Rows with a missing number and one without a label, of two columns of each kind that EM sums.
Table latent_table() {
  return testing::table_of({{"x", ColumnType::numeric},
                            {"y", ColumnType::numeric},
                            {"colour", ColumnType::categorical},
                            {"words", ColumnType::text}},
                           {{"1", "5", "red", "free money", "a"},
                            {"2", "", "red", "money", "a"},
                            {"4", "3", "", "now", "a"},
                            {"3", "4", "blue", "", "a"},
                            {"7", "2", "blue", "now now", "b"},
                            {"9", "1", "red", "free", "b"},
                            {"8", "4", "blue", "notes", "b"},
                            {"5", "2", "blue", "now", ""}});
}

TEST(Damage, OfWhatPartitionsOfAnEmExchange) {
  const Table table = latent_table();
  const FitOptions options{.unlabelled_weight = 1};
  const ObservedStatistics observed = observe(table, lda(), options);
  EXPECT_EQ(observed_from_bytes(to_bytes(observed)), observed);
  damage(to_bytes(observed), [&](const std::string& bytes) {
    const ObservedStatistics read = observed_from_bytes(bytes);
    EXPECT_EQ(observed_from_bytes(to_bytes(read)), read);
    (void)EmPlan(read, lda(), options);
  });
  ObservedStatistics other_columns = observed;  // labelled and unlabelled rows do not agree
  other_columns.unlabelled = observe(testing::table_of({{"x", ColumnType::numeric},
                                                        {"y", ColumnType::numeric},
                                                        {"z", ColumnType::numeric},
                                                        {"colour", ColumnType::categorical},
                                                        {"words", ColumnType::text}},
                                                       {{"1", "2", "3", "red", "now", ""}}),
                                     lda(), options)
                                 .unlabelled;
  EXPECT_THROW(EmPlan(observed_from_bytes(to_bytes(other_columns)), lda(), options), Error);
  const EmPlan plan(observed, lda(), options);
  const EmRows rows(plan, table);
  damage(to_bytes(rows.expect(plan.start())), [&](const std::string& bytes) {
    const ExpectedSums read = expected_sums_from_bytes(bytes, plan);
    EXPECT_EQ(to_bytes(expected_sums_from_bytes(to_bytes(read), plan)), to_bytes(read));
    Em(plan, rows.complete()).accept(expected_sums_from_bytes(bytes, plan));
  });
  Em em(plan, rows.complete());
  while (!em.done()) em.accept(rows.expect(em.model()));
  damage(to_bytes(rows.patterns(em.model())), [&](const std::string& bytes) {
    const PatternSums read = pattern_sums_from_bytes(bytes, plan);
    EXPECT_EQ(to_bytes(pattern_sums_from_bytes(to_bytes(read), plan)), to_bytes(read));
    (void)em.result(read);
  });
}

TEST(Damage, ClaimedSizesAreNotBelieved) {
  std::string features = "\"f0\"";
  std::string classes = R"({"name": "k0", "mean": 1})";
  for (int i = 1; i < 30000; ++i) {
    features += ", \"f" + std::to_string(i) + "\"";
    classes += R"(, {"name": "k)" + std::to_string(i) + R"(", "mean": 1})";
  }
  EXPECT_TRUE(refusal([&] {
                (void)model_from_bytes(R"({"format": "genera-model", "version": 1, "features": [)" +
                                       features + R"(], "variance": 1, "classes": [)" + classes +
                                       "]}");
              }).starts_with("bad_model | model: 'classes[0].mean' is a number, expected a list"));
}

}  // namespace
}  // namespace genera::damage_test
