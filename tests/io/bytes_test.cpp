#include <gtest/gtest.h>

#include <genera/genera.hpp>

#include "io/support.hpp"

namespace genera::bytes_test {
namespace {

using namespace test;

const Table& iris() {
  static const Table table = read_csv("@iris");
  return table;
}

TEST(Bytes, OfModelsAreReadBack) {
  const Table texts = make_text_table("t", {"win cash", "dinner now"}, {"spam", "ham"});
  for (const Model& model : {fit(iris(), qda()).model, fit(texts, multinomial()).model})
    for (const Format format : {Format::json, Format::cbor})
      EXPECT_EQ(model_from_bytes(to_bytes(model, format)), model);
}

TEST(Bytes, OfStatisticsAreReadBack) {
  const Statistics statistics = collect(iris()).statistics;
  for (const Format format : {Format::json, Format::cbor})
    EXPECT_EQ(statistics_from_bytes(to_bytes(statistics, format)), statistics);
}

/// Three rows of a sparse matrix in memory, whose columns may be called anything.
struct NamedMatrix {
  std::vector<Index> begins{0, 1, 3, 4};
  std::vector<std::int32_t> places{0, 1, 2, 0};
  std::vector<double> values{3, 0.1, 1, 4};
  std::vector<std::string> terms{"x0", "a \"name\"", ""}, classes{"ham", "spam"};
  std::vector<int> labels{0, 1, 1};

  [[nodiscard]] Rows rows(SparseKind kind) const {
    SparseView sparse;
    sparse.kind = kind;
    sparse.begins = begins.data();
    sparse.places = places.data();
    sparse.values = values.data();
    sparse.terms = terms;
    DataView view{.rows = 3, .sparse = {sparse}, .target = "class"};
    view.labels = CodesView(labels.data(), classes);
    return Rows(std::move(view));
  }
};

TEST(Bytes, OfStatisticsOfASparseMatrixKeepTheNamesOfItsColumns) {
  const NamedMatrix matrix;
  for (const SparseKind kind : {SparseKind::counts, SparseKind::numbers}) {
    const Statistics statistics =
        collect(matrix.rows(kind), {.scatter = Scatter::diagonal}).statistics;
    EXPECT_EQ(statistics.terms().front().names(), matrix.terms);
    for (const Format format : {Format::json, Format::cbor})
      EXPECT_EQ(statistics_from_bytes(to_bytes(statistics, format)), statistics);
  }
}

TEST(Bytes, AreThoseOfTheFiles) {
  const Model model = fit(iris(), lda()).model;
  const TemporaryFolder folder;
  for (const auto& [name, format] : {std::pair("m.json", Format::json), {"m.cbor", Format::cbor}}) {
    save(model, folder / name);
    EXPECT_EQ(read_text(folder / name), to_bytes(model, format));
  }
  save(collect(iris()).statistics, folder / "s.cbor");
  EXPECT_EQ(read_text(folder / "s.cbor"), to_bytes(collect(iris()).statistics, Format::cbor));
}

TEST(Bytes, ThatAreSomethingElseAreRefusedByName) {
  const std::string model = to_bytes(fit(iris(), lda()).model);
  EXPECT_TRUE(refusal([&] {
                (void)statistics_from_bytes(model, "upload");
              }).starts_with("bad_model | upload: "));
  EXPECT_TRUE(
      refusal([&] { (void)model_from_bytes("", "upload"); }).starts_with("bad_model | upload: "));
  EXPECT_TRUE(refusal([&] {
                (void)model_from_bytes(model.substr(0, 100));
              }).starts_with("bad_model | model"));
}

}  // namespace
}  // namespace genera::bytes_test
