#include <genera/io.hpp>

#include "io/document.hpp"

#include <sstream>

namespace genera {
namespace {

std::string printed(const io::Value& document, Format format) {
  std::ostringstream out;
  io::print(document, format, out);
  return std::move(out).str();
}

constexpr document::Contents of_model{"model file", "copy it again, or fit the model again"};
constexpr document::Contents of_statistics{"file of statistics",
                                           "copy it again, or make the statistics again"};

}  // namespace

std::string to_bytes(const Model& model, Format format) {
  return printed(io::to_document(model), format);
}

std::string to_bytes(const LinearModel& model, Format format) {
  return printed(io::to_document(model), format);
}

std::string to_bytes(const Classifier& classifier, Format format) {
  return printed(io::to_document(classifier), format);
}

std::string to_bytes(const Statistics& statistics, Format format) {
  return printed(io::to_document(statistics), format);
}

Model model_from_bytes(std::string_view bytes, const std::string& name) {
  return io::to_model(io::parse(bytes, name, of_model), name);
}

Classifier classifier_from_bytes(std::string_view bytes, const std::string& name) {
  return io::to_classifier(io::parse(bytes, name, of_model), name);
}

Statistics statistics_from_bytes(std::string_view bytes, const std::string& name) {
  return io::to_statistics(io::parse(bytes, name, of_statistics), name);
}

}  // namespace genera
