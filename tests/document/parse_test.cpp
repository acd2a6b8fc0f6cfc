#include "document/value.hpp"

#include "io/support.hpp"

#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <sstream>

namespace genera::document::document_test {
namespace {

using test::refusal;

std::string json(const Value& value) {
  std::ostringstream out;
  print_json(value, out);
  return out.str();
}

std::string cbor(const Value& value) {
  std::ostringstream out;
  print_cbor(value, out);
  return out.str();
}

std::string refusal_of(const std::string& bytes) {
  return refusal([&] { (void)parse(bytes, "f.json"); });
}

std::string bytes_of(std::initializer_list<unsigned> bytes) {
  std::string text;
  for (const unsigned byte : bytes) text += static_cast<char>(byte);
  return text;
}

Value member(const std::string& key, Value value) {
  Members members;
  members[key] = std::move(value);
  return {std::move(members)};
}

std::uint64_t bits_after(const Value& document) {
  return std::bit_cast<std::uint64_t>(
      std::get<Numbers>(std::get<Members>(document.data).at("x").data).at(0));
}

TEST(Document, LayoutIsSortedWithOneRowALine) {
  Members root;
  root["z"] = Value{true};
  root["matrix"] = Value{List{Value{Numbers{1, 0.5}}, Value{Numbers{0.5, 2}}}};
  root["names"] = Value{List{Value{"a"}, Value{"b \"q\"\n"}}};
  root["empty"] = Value{List{}};
  root["none"] = Value{Members{}};
  root["a"] = member("inner", Value{nullptr});
  EXPECT_EQ(json({root}), R"({
  "a": {
    "inner": null
  },
  "empty": [],
  "matrix": [
    [1, 0.5],
    [0.5, 2]
  ],
  "names": ["a", "b \"q\"\n"],
  "none": {},
  "z": true
}
)");
}

TEST(Document, NumbersAreShort) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(number_text(50), "50");
  EXPECT_EQ(number_text(-0.0), "-0.0");
  EXPECT_EQ(number_text(5e-324), "5e-324");
  EXPECT_EQ(number_text(std::numeric_limits<double>::infinity()), "\"inf\"");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::infinity()), "\"-inf\"");
  EXPECT_EQ(number_text(std::nan("")), "\"nan\"");
}

RC_GTEST_PROP(Document, EveryNumberComesBackBitForBit, (std::uint64_t bits)) {
  const auto x = std::bit_cast<double>(bits * 0x9E3779B97F4A7C15U);  // small ones spread out
  RC_PRE(std::isfinite(x));
  const Value document = member("x", Value{Numbers{x}});
  RC_ASSERT(bits_after(parse(json(document), "f")) == std::bit_cast<std::uint64_t>(x));
  RC_ASSERT(bits_after(parse(cbor(document), "f")) == std::bit_cast<std::uint64_t>(x));
}

TEST(Document, SpecialNumbersComeBackBitForBit) {
  for (const double x : {0.0,
                         -0.0,
                         1.0,
                         -1.0,
                         23.0,
                         24.0,
                         -24.0,
                         -25.0,
                         255.0,
                         256.0,
                         65536.0,
                         4294967296.0,
                         9007199254740992.0,
                         -9007199254740992.0,
                         9007199254740994.0,
                         1152921504606846976.0,
                         18446744073709551616.0,
                         1e22,
                         1e23,
                         1.7976931348623157e308,
                         2.2250738585072014e-308,
                         5e-324}) {
    const Value document = member("x", Value{Numbers{x}});
    EXPECT_EQ(bits_after(parse(json(document), "f")), std::bit_cast<std::uint64_t>(x)) << x;
    EXPECT_EQ(bits_after(parse(cbor(document), "f")), std::bit_cast<std::uint64_t>(x)) << x;
  }
}

TEST(Document, CborFollowsTheExamplesOfRfc8949) {
  EXPECT_EQ(cbor({1000.0}), bytes_of({0x19, 0x03, 0xe8}));
  EXPECT_EQ(cbor({1000000000000.0}),
            bytes_of({0x1b, 0x00, 0x00, 0x00, 0xe8, 0xd4, 0xa5, 0x10, 0x00}));
  EXPECT_EQ(cbor({-1000.0}), bytes_of({0x39, 0x03, 0xe7}));
  EXPECT_EQ(cbor({1.1}), bytes_of({0xfb, 0x3f, 0xf1, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a}));
  EXPECT_EQ(cbor({true}), bytes_of({0xf5}));
  EXPECT_EQ(cbor({nullptr}), bytes_of({0xf6}));
  EXPECT_EQ(cbor({"IETF"}), bytes_of({0x64, 0x49, 0x45, 0x54, 0x46}));
  EXPECT_EQ(cbor({List{Value{1.0}, Value{Numbers{2, 3}}, Value{Numbers{4, 5}}}}),
            bytes_of({0x83, 0x01, 0x82, 0x02, 0x03, 0x82, 0x04, 0x05}));
  EXPECT_EQ(cbor(member("a", Value{1.0})), bytes_of({0xa1, 0x61, 0x61, 0x01}));
}

TEST(Document, CborOfOtherWritersIsRead) {
  // {"x": [1.0 as half, 100000.0 as single, ...]} of indefinite length: RFC 8949, appendix A.
  const Value read = parse(bytes_of({0xbf, 0x61, 0x78, 0x9f, 0xf9, 0x3c, 0x00, 0xfa, 0x47, 0xc3,
                                     0x50, 0x00, 0xff, 0xff}),
                           "f");
  EXPECT_EQ(std::get<Numbers>(std::get<Members>(read.data).at("x").data), (Numbers{1, 100000}));
}

TEST(Document, SyntaxErrorsHaveLineAndColumn) {
  EXPECT_EQ(refusal_of("{\n  \"a\": 1,\n  b\": 2\n}"),
            "bad_model | f.json:3:3: not JSON: syntax error while parsing object key - invalid "
            "literal; expected string literal | fix the place, or give a file that genera wrote");
  EXPECT_EQ(refusal_of("a,b,class\n1,2,x\n"),
            "bad_model | f.json:1:1: not JSON: syntax error while parsing value - invalid literal "
            "| fix the place, or give a file that genera wrote");
  EXPECT_TRUE(refusal_of("{\"a\": 1} x").starts_with("bad_model | f.json:1:10: not JSON: "));
  EXPECT_TRUE(refusal_of("{\"a\": \"\xFF\"}")
                  .starts_with("bad_model | f.json:1:8: not JSON: syntax error while parsing value "
                               "- invalid string: ill-formed UTF-8 byte"));
  EXPECT_TRUE(refusal_of("{\"a\": 1e400}").find("number overflow") != std::string::npos);
}

TEST(Document, TruncationIsNamed) {
  const std::string cut =
      "bad_model | f.json: the file ends too early | it was cut off: write or copy it again";
  EXPECT_EQ(refusal_of("{\"a\": [1, 2"), cut);
  EXPECT_EQ(refusal_of("{\"a\": \"te"), cut);
  EXPECT_EQ(refusal_of(bytes_of({0xa1, 0x61, 0x61, 0x82, 0x01})), cut);
  EXPECT_EQ(refusal_of(bytes_of(
                {0xa1, 0x61, 0x61, 0x7b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})),
            cut);
  EXPECT_EQ(refusal_of(""), "bad_model | f.json: the file is empty | write or copy it again");
}

TEST(Document, NestingIsLimited) {
  const std::string deep = "is nested deeper than 32 levels";
  for (const std::size_t depth : {33UL, 1000UL, 1000000UL}) {
    EXPECT_NE(refusal_of(std::string(depth, '[')).find(deep), std::string::npos);
    std::string objects;
    for (std::size_t i = 0; i < depth; ++i) objects += "{\"a\":";
    EXPECT_NE(refusal_of(objects).find(deep), std::string::npos);
    EXPECT_NE(refusal_of("\xa1" + std::string("\x61\x61") + std::string(depth, '\x81')).find(deep),
              std::string::npos);
  }
}

TEST(Document, StringsWithoutLengthAreRefusedHoweverDeep) {
  const std::string begin = bytes_of({0xa1, 0x61, 0x61});
  std::string interleaved = begin;
  for (int i = 0; i < 1000000; ++i) interleaved += "\x7f\x60";
  for (const std::string& bytes :
       {begin + std::string(1000000, '\x7f'), begin + std::string(1000000, '\x5f'), interleaved})
    EXPECT_EQ(refusal_of(bytes),
              "bad_model | f.json: not CBOR: a string without a length | give a file that genera "
              "wrote, or its JSON form");
}

TEST(Document, OtherCborIsRefused) {
  EXPECT_TRUE(refusal_of(bytes_of({0xa1, 0x61, 0x61, 0xc1, 0x01}))  // a tag
                  .starts_with("bad_model | f.json: byte 4: not CBOR: "));
  EXPECT_TRUE(refusal_of(bytes_of({0xa1, 0x01, 0x01}))  // a key that is no text
                  .starts_with("bad_model | f.json: byte 2: not CBOR: "));
  EXPECT_TRUE(refusal_of(bytes_of({0xa1, 0x61, 0x61, 0x41, 0x01}))
                  .starts_with("bad_model | f.json: holds bytes, which no field has"));
  for (const auto& bytes :
       {bytes_of({0xa1, 0x61, 0x61, 0x61, 0xff}), bytes_of({0xa1, 0x61, 0xff, 0x01})})
    EXPECT_TRUE(
        refusal_of(bytes).starts_with("bad_model | f.json: holds text that is not valid UTF-8"));
}

TEST(Document, AKeyMayNotBeThereTwice) {
  EXPECT_TRUE(refusal_of("{\"a\": [{\"b\": 1, \"c\": 2}, {\"b\": 1, \"b\": 2}]}")
                  .starts_with("bad_model | f.json: the key 'a[1].b' is there twice"));
  EXPECT_TRUE(refusal_of(bytes_of({0xa2, 0x61, 0x61, 0x01, 0x61, 0x61, 0x01}))
                  .starts_with("bad_model | f.json: the key 'a' is there twice"));
}

TEST(Document, NamesThatAreNotUtf8AreNotWritten) {
  const std::string message =
      "bad_data | the name '\xE9t\xE9' is not valid UTF-8 and cannot be written to a file | "
      "convert "
      "the data first, for instance with iconv -f latin1 -t utf-8";
  EXPECT_EQ(refusal([] { (void)json({"\xE9t\xE9"}); }), message);
  EXPECT_EQ(refusal([] { (void)cbor({"\xE9t\xE9"}); }), message);
}

}  // namespace
}  // namespace genera::document::document_test
