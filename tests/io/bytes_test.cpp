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
