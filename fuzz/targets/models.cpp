// A model file: refused with a reason, or a model that survives saving and answers every question.
#include "../check.hpp"
#include "../targets.hpp"

#include <optional>

#include <genera/io.hpp>

namespace genera::fuzz {
namespace {

void load_and_ask(std::string_view bytes) {
  std::optional<Classifier> model;
  const std::string refused = refusal([&] { model = classifier_from_bytes(bytes, "m"); });
  require(refused.empty() || refused.starts_with("m:"), "a refusal names the file");
  if (model) check_model(*model, hash_of(bytes));
}

}  // namespace

void model_json(std::string_view bytes) { load_and_ask(bytes); }
void model_cbor(std::string_view bytes) { load_and_ask(bytes); }

}  // namespace genera::fuzz
