#include "options/common.hpp"

#include "values.hpp"

#include <algorithm>
#include <thread>

namespace genera::cli {
namespace {

constexpr const char* json_name = "--json";

OptionText output_text(const std::string& without_output) {
  return {"-o,--output", "FILE",
          "write to FILE, which appears whole or not at all, packed if its name ends in .gz; "
          "default: " +
              without_output};
}

int parse_threads(const std::string& text) {
  constexpr int max_threads = 1024;
  int threads = 0;
  if (read_whole(text, threads) && threads >= 1 && threads <= max_threads) return threads;
  throw Error(Errc::bad_argument,
              "--threads is '" + text + "', expected a whole number from 1 to " +
                  std::to_string(max_threads),
              "leave --threads out to use all processors");
}

int all_processors() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  if (read_whole(text, seed)) return seed;
  throw Error(Errc::bad_argument,
              "--seed is '" + text + "', expected a whole number from 0 to 18446744073709551615",
              "leave --seed out for the usual one");
}

}  // namespace

OptionGroup common_texts(const std::string& without_output) {
  return {"General",
          {output_text(without_output),
           {"--threads", "N", "how many threads (default all processors)"},
           {"--seed", "N", "of whatever is drawn at random (default 1)"},
           {json_name, "", "JSON instead of a text for people"},
           {"--quiet", "", "no messages but errors"},
           {"-h,--help", "", "this text"}}};
}

OptionGroup common_texts_but_json(const std::string& placeholder, const std::string& output) {
  OptionGroup group = common_texts("");
  std::erase_if(group.options, [](const OptionText& option) { return option.names == json_name; });
  group.options.front().value = placeholder;
  group.options.front().text = output;
  return group;
}

OptionText digits_text() {
  return {"--digits", "N",
          "significant digits of probabilities and densities (default: as many as tell the number "
          "from any other)"};
}

std::optional<int> digits_of(const Words& words) {
  const auto text = words.value("--digits");
  if (!text) return std::nullopt;
  constexpr int max = 17;  // no double has more
  int digits = 0;
  if (read_whole(*text, digits) && digits >= 1 && digits <= max) return digits;
  throw Error(Errc::bad_argument,
              "--digits is '" + *text + "', expected a whole number from 1 to 17",
              "leave --digits out for exact numbers");
}

Common common_of(const Words& words) {
  Common common;
  common.output = words.value("--output");
  const auto threads = words.value("--threads");
  common.threads = threads ? parse_threads(*threads) : all_processors();
  if (const auto seed = words.value("--seed")) common.seed = parse_seed(*seed);
  common.json = words.has(json_name);
  common.quiet = words.has("--quiet");
  if (common.output && common.output->empty())
    throw Error(Errc::bad_argument, "--output is empty", "name the file to write");
  if (common.output == "-") common.output = "/dev/stdout";
  return common;
}

}  // namespace genera::cli
