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
constexpr document::Contents of_sums{"sums of an EM step", "send it again, or make it again"};
constexpr document::Contents of_statistics{"file of statistics",
                                           "copy it again, or make the statistics again"};

}  // namespace

std::string to_bytes(const Model& model, Format format) {
  return printed(io::to_document(model), format);
}

std::string to_bytes(const LinearModel& model, Format format) {
  return printed(io::to_document(model), format);
}

std::string to_bytes(const Committee& committee, Format format) {
  return printed(io::to_document(committee), format);
}

std::string to_bytes(const Classifier& classifier, Format format) {
  return printed(io::to_document(classifier), format);
}

std::string to_bytes(const Statistics& statistics, Format format) {
  return printed(io::to_document(statistics), format);
}

std::string to_bytes(const ObservedStatistics& statistics, Format format) {
  return printed(io::to_document(statistics), format);
}

std::string to_bytes(const ExpectedSums& sums, Format format) {
  return printed(io::to_document(sums), format);
}

std::string to_bytes(const PatternSums& sums, Format format) {
  return printed(io::to_document(sums), format);
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

ObservedStatistics observed_from_bytes(std::string_view bytes, const std::string& name) {
  return io::to_observed(io::parse(bytes, name, of_statistics), name);
}

ExpectedSums expected_sums_from_bytes(std::string_view bytes, const EmPlan& plan,
                                      const std::string& name) {
  return io::to_expected_sums(io::parse(bytes, name, of_sums), plan, name);
}

PatternSums pattern_sums_from_bytes(std::string_view bytes, const EmPlan& plan,
                                    const std::string& name) {
  return io::to_pattern_sums(io::parse(bytes, name, of_sums), plan, name);
}

}  // namespace genera
