#pragma once

#include <array>
#include <string_view>

/// What is fuzzed. Each target takes any bytes, and returns unless a promise is broken.
namespace genera::fuzz {

void csv(std::string_view bytes);         ///< a CSV text, at once and in small pieces
void records(std::string_view bytes);     ///< the cutting into records, with tiny buffers
void svmlight(std::string_view bytes);    ///< an svmlight text, at once and in small pieces
void gzip(std::string_view bytes);        ///< packed against plain, and damaged packings
void model_json(std::string_view bytes);  ///< a model file, then every query
void model_cbor(std::string_view bytes);  ///< the same in CBOR
void statistics(std::string_view bytes);  ///< statistics files: merge, subtract, estimate
void text(std::string_view bytes);        ///< texts as terms, then a model of them
void costs(std::string_view bytes);       ///< a matrix of costs, then decisions
void pipeline(std::string_view bytes);    ///< CSV, fit, every query

struct NamedTarget {
  std::string_view name;
  void (*run)(std::string_view bytes);
};

inline constexpr std::array<NamedTarget, 10> targets{{{"csv", csv},
                                                      {"records", records},
                                                      {"svmlight", svmlight},
                                                      {"gzip", gzip},
                                                      {"model_json", model_json},
                                                      {"model_cbor", model_cbor},
                                                      {"statistics", statistics},
                                                      {"text", text},
                                                      {"costs", costs},
                                                      {"pipeline", pipeline}}};

}  // namespace genera::fuzz
