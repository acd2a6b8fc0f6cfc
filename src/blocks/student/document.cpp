#include <fmt/format.h>

#include "blocks/documents.hpp"
#include "blocks/gaussian/document.hpp"
#include "blocks/student/kind.hpp"
#include "kernel/cholesky.hpp"

namespace genera::blocks {
namespace {

void refuse_singular(const StudentParameters& p, const DocumentClasses& classes) {
  for (std::size_t k = 0; k < p.scales.covariances.size(); ++k) {
    if (!kernel::is_regular(p.scales.covariances[k]))
      throw Error(
          Errc::bad_model,
          fmt::format("the scale matrix of class '{}' is not positive definite", classes.names[k]),
          "give a symmetric matrix with positive eigenvalues");
  }
}

}  // namespace

Members StudentKind::to_document(const Block& student) {
  const StudentParameters& p = student.parameters();
  Members block;
  block["type"] = Value{"student"};
  block["model"] = Value{"bqda"};
  block["features"] = texts(p.scales.columns);
  block["degrees"] = Value{p.degrees};
  put_means(p.scales, block);
  List scales;
  for (const Matrix& scale : p.scales.covariances) scales.push_back(rows_of(scale));
  block["scales"] = Value{std::move(scales)};
  if (p.prior_rows > 0) {
    block["prior_rows"] = Value{p.prior_rows};
    block["prior_gamma"] = Value{p.prior_gamma};
  }
  return block;
}

bool StudentKind::reads(const Field& block) { return has_type(block, types); }

StudentBlock StudentKind::from_document(const Field& block, const DocumentClasses& classes) {
  block.allow_only({"type", "model", "features", "degrees", "means", "means_low", "scales",
                    "prior_rows", "prior_gamma", "counts"});
  if (block.has("model") && block["model"].text() != "bqda")
    block["model"].refuse(fmt::format("is '{}', expected 'bqda'", block["model"].text()),
                          "leave it out");
  StudentParameters p;
  p.scales.columns = block["features"].distinct_texts();
  p.degrees = block["degrees"].numbers(classes.size());
  read_means(block, classes.size(), p.scales);
  for (const Field& scale : block["scales"].elements("a list", classes.size()))
    p.scales.covariances.push_back(
        symmetric_matrix(scale, static_cast<Index>(p.scales.columns.size())));
  if (block.has("prior_rows")) p.prior_rows = block["prior_rows"].number_at_least(0);
  if (block.has("prior_gamma")) p.prior_gamma = block["prior_gamma"].fraction();
  p.counts = read_counts(block, classes);
  return at_place(place_of(block), [&] {
    refuse_singular(p, classes);
    return StudentBlock(p);
  });
}

}  // namespace genera::blocks
