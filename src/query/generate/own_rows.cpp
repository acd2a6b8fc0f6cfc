#include "query/generate/own_rows.hpp"

#include <limits>

namespace genera::query {
namespace {

using LevelLists = std::vector<std::vector<std::string>>;

/// Lays out block after block.
class Layout {
 public:
  void add(const GaussianBlock& block) { numbers_ += block.dimension(); }
  void add(const MixtureBlock& block) { numbers_ += block.dimension(); }
  void add(const CategoricalBlock& block) { add(block.parameters().levels); }
  void add(const JointBlock& block) { add(block.parameters().levels); }
  void add(const CountBlock& block) {
    if (block.parameters().text.empty())
      numbers_ += std::ssize(block.parameters().terms);
    else
      texts_.push_back(block.parameters().text);
  }

  [[nodiscard]] OwnPlaces next() const { return {numbers_, std::ssize(levels_)}; }
  [[nodiscard]] Index numbers() const { return numbers_; }
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
  [[nodiscard]] LevelLists take_levels() && { return std::move(levels_); }

 private:
  void add(const LevelLists& levels) {
    levels_.insert(levels_.end(), levels.begin(), levels.end());
  }

  Index numbers_ = 0;
  LevelLists levels_;
  std::vector<std::string> texts_;
};

}  // namespace

OwnRows unknown_rows(const Model& model, Index rows) {
  OwnRows own;
  Layout layout;
  for (const Block& block : model.blocks()) {
    own.places.push_back(layout.next());
    std::visit([&](const auto& b) { layout.add(b); }, block);
  }
  Table& table = own.table;
  table.columns = model.features();
  table.row_count = rows;
  table.target = model.target();
  table.classes = model.classes();
  table.labels.assign(static_cast<std::size_t>(rows), -1);
  table.numbers = Matrix(rows, layout.numbers(), std::numeric_limits<double>::quiet_NaN());
  for (const std::string& text : layout.texts()) {
    SparseColumns& sparse = table.sparse.emplace_back();
    sparse.name = text;
    sparse.begins.assign(static_cast<std::size_t>(rows) + 1, 0);
    sparse.missing.assign(static_cast<std::size_t>(rows), 1);
  }
  table.levels = std::move(layout).take_levels();
  table.codes = Codes(rows, std::ssize(table.levels));
  return own;
}

std::vector<Index> gaussian_columns(const Model& model, const OwnRows& rows) {
  std::vector<Index> columns;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const auto* gaussian = std::get_if<GaussianBlock>(&model.blocks()[b]);
    const auto* mixture = std::get_if<MixtureBlock>(&model.blocks()[b]);
    const Index dimension = gaussian ? gaussian->dimension() : mixture ? mixture->dimension() : 0;
    for (Index j = 0; j < dimension; ++j) columns.push_back(rows.places[b].number + j);
  }
  return columns;
}

}  // namespace genera::query
