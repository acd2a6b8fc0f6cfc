#include "query/draws.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <genera/error.hpp>

#include "kernel/aligned.hpp"
#include "kernel/cholesky.hpp"
#include "kernel/panel.hpp"
#include "kernel/parallel.hpp"
#include "query/draw_discrete.hpp"

namespace genera::query {
namespace {

using kernel::panel_rows;

Index draw_class(const Prior& prior, double u) {
  Index last_possible = 0;
  for (std::size_t k = 0; k < prior.probabilities().size(); ++k) {
    const double p = prior.probabilities()[k];
    if (p <= 0) continue;
    if (u < p) return static_cast<Index>(k);
    u -= p;
    last_possible = static_cast<Index>(k);
  }
  return last_possible;
}

/// Normals -> rows of a block: mean_k + (factor of covariance_k) z.
class Colouring {
 public:
  explicit Colouring(const GaussianBlock& block) : block_(block) {
    const auto& covariances = block.parameters().covariances;
    for (const Matrix& covariance : covariances)
      factors_.push_back(kernel::PackedMatrix::lower(kernel::lower_factor(covariance)));
  }

  [[nodiscard]] Index dimension() const { return block_.dimension(); }

  /// `z` and `out` are panels of rows of class k.
  void apply(Index k, const double* z, Index lanes, double* out) const {
    const Index d = block_.dimension();
    if (!factors_.empty()) {
      const auto at = factors_.size() == 1 ? 0 : static_cast<std::size_t>(k);
      kernel::products(factors_[at], z, lanes, out);
    }
    for (Index j = 0; j < d; ++j) {
      const Matrix& variances = block_.parameters().variances;
      const double sd =
          factors_.empty() ? std::sqrt(variances(variances.rows() == 1 ? 0 : k, j)) : 1;
      for (Index lane = 0; lane < lanes; ++lane) {
        double& value = out[j * panel_rows + lane];
        const double spread = factors_.empty() ? sd * z[j * panel_rows + lane] : value;
        value = block_.parameters().means(k, j) + spread;
      }
    }
  }

 private:
  const GaussianBlock& block_;
  std::vector<kernel::PackedMatrix> factors_;
};

/// A block of numbers made ready for drawing.
struct NumberBlock {
  std::size_t place;            // among the blocks of the model
  const MixtureBlock* mixture;  // null: a Gaussian block
  std::vector<Choice> weights;  // of the components of each class
  Colouring colouring;
};

std::vector<NumberBlock> number_blocks(const Model& model) {
  std::vector<NumberBlock> found;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    if (const auto* gaussian = std::get_if<GaussianBlock>(&model.blocks()[b]))
      found.push_back({b, nullptr, {}, Colouring(*gaussian)});
    const auto* mixture = std::get_if<MixtureBlock>(&model.blocks()[b]);
    if (!mixture) continue;
    std::vector<Choice> weights;
    for (Index k = 0; k < mixture->classes(); ++k) {
      const auto first = static_cast<std::size_t>(mixture->first(k));
      const auto end = static_cast<std::size_t>(mixture->first(k + 1));
      weights.emplace_back(std::span(mixture->parameters().weights).subspan(first, end - first));
    }
    found.push_back({b, mixture, std::move(weights), Colouring(mixture->components())});
  }
  return found;
}

/// Rows that fell to one class, at most a panel of them.
struct SameClass {
  Index k;
  std::vector<Index> rows;
};

std::vector<SameClass> panels_by_class(const Model& model, DrawRange range, const Rng& rng) {
  std::vector<SameClass> open(model.classes().size());
  std::vector<SameClass> full;
  for (Index i = range.begin; i < range.end; ++i) {
    Rng own = rng.split(static_cast<std::uint64_t>(i));
    const Index k = draw_class(model.prior(), own.uniform());
    SameClass& panel = open[static_cast<std::size_t>(k)];
    panel.k = k;
    panel.rows.push_back(i);
    if (static_cast<Index>(panel.rows.size()) == panel_rows)
      full.push_back(std::exchange(panel, {}));
  }
  for (SameClass& panel : open) {
    if (!panel.rows.empty()) full.push_back(std::move(panel));
  }
  return full;
}

/// The table that draws go into, and where the columns of each block are in it.
struct Drawn {
  Table table;
  std::vector<Index> first_number;  // of each block
  std::vector<DrawnCounts> rows;
};

Drawn empty_drawn(const Model& model, Index rows) {
  Drawn drawn;
  Table& table = drawn.table;
  table.columns = model.features();
  table.row_count = rows;
  table.target = model.target();
  table.classes = model.classes();
  table.labels.resize(static_cast<std::size_t>(rows));
  Index numbers = 0;
  for (const Block& block : model.blocks()) {
    drawn.first_number.push_back(numbers);
    if (const auto* gaussian = std::get_if<GaussianBlock>(&block)) numbers += gaussian->dimension();
    if (const auto* mixture = std::get_if<MixtureBlock>(&block)) numbers += mixture->dimension();
    if (const auto* categorical = std::get_if<CategoricalBlock>(&block))
      for (const auto& levels : categorical->parameters().levels) table.levels.push_back(levels);
    if (const auto* joint = std::get_if<JointBlock>(&block))
      for (const auto& levels : joint->parameters().levels) table.levels.push_back(levels);
    const auto* counts = std::get_if<CountBlock>(&block);
    if (counts && counts->parameters().text.empty())
      numbers += std::ssize(counts->parameters().terms);
  }
  table.numbers = Matrix(rows, numbers);
  table.codes = Codes(rows, std::ssize(table.levels));
  drawn.rows.resize(static_cast<std::size_t>(rows));
  return drawn;
}

void place_counts(const Model& model, Drawn& drawn) {
  std::size_t which = 0;
  for (std::size_t b = 0; b < model.blocks().size(); ++b) {
    const auto* counts = std::get_if<CountBlock>(&model.blocks()[b]);
    if (!counts) continue;
    const CountParameters& p = counts->parameters();
    SparseColumns sparse;
    sparse.name = p.text;
    sparse.terms = p.terms;
    for (std::size_t i = 0; i < drawn.rows.size(); ++i) {
      for (const auto& [term, count] : drawn.rows[i].counts[which]) {
        if (p.text.empty())
          drawn.table.numbers(static_cast<Index>(i), drawn.first_number[b] + term) = count;
        sparse.places.push_back(static_cast<std::int32_t>(term));
        sparse.values.push_back(count);
      }
      sparse.begins.push_back(std::ssize(sparse.places));
    }
    if (!p.text.empty()) drawn.table.sparse.push_back(std::move(sparse));
    ++which;
  }
}

void place_codes(Drawn& drawn) {
  for (Index i = 0; i < drawn.table.rows(); ++i) {
    const std::vector<std::int32_t>& codes = drawn.rows[static_cast<std::size_t>(i)].codes;
    for (std::size_t j = 0; j < codes.size(); ++j)
      drawn.table.codes(i, static_cast<Index>(j)) = codes[j];
  }
}

/// The columns of one block for rows of one class; their streams go on.
void draw_numbers(const NumberBlock& block, const SameClass& panel, std::vector<Rng>& streams,
                  const std::function<void(Index lane, Index column, double value)>& put) {
  const Colouring& colouring = block.colouring;
  const Index d = colouring.dimension();
  const auto lanes = static_cast<Index>(panel.rows.size());
  const auto size =
      static_cast<std::size_t>(kernel::round_up(d, kernel::PackedMatrix::tile_rows) * panel_rows);
  kernel::AlignedVector z(size), out(size);
  std::vector<Index> component(panel.rows.size(), panel.k);
  for (Index lane = 0; lane < lanes; ++lane) {
    if (block.mixture)
      component[static_cast<std::size_t>(lane)] =
          block.mixture->first(panel.k) + block.weights[static_cast<std::size_t>(panel.k)].draw(
                                              streams[static_cast<std::size_t>(lane)]);
    for (Index j = 0; j < d; ++j)
      z[static_cast<std::size_t>(j * panel_rows + lane)] =
          streams[static_cast<std::size_t>(lane)].normal();
  }
  std::vector<Index> needed = component;
  std::sort(needed.begin(), needed.end());
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  for (const Index c : needed) {
    colouring.apply(c, z.data(), lanes, out.data());
    for (Index lane = 0; lane < lanes; ++lane) {
      for (Index j = 0; component[static_cast<std::size_t>(lane)] == c && j < d; ++j)
        put(lane, j, out[static_cast<std::size_t>(j * panel_rows + lane)]);
    }
  }
}

}  // namespace

Table draw_rows(const Model& model, DrawRange range, const Rng& rng, int threads) {
  if (!model.is_density())
    throw Error(Errc::bad_model, "complement is a scorer, not a density: nothing can be drawn",
                "use --model multinomial");
  const std::vector<NumberBlock> blocks = number_blocks(model);
  const DiscreteDrawer discrete(model);
  const std::vector<SameClass> panels = panels_by_class(model, range, rng);
  Drawn drawn = empty_drawn(model, range.end - range.begin);
  kernel::parallel_for(static_cast<Index>(panels.size()), threads, [&](Index at) {
    const SameClass& panel = panels[static_cast<std::size_t>(at)];
    std::vector<Rng> streams;
    for (const Index row : panel.rows) {
      streams.push_back(rng.split(static_cast<std::uint64_t>(row)));
      (void)streams.back().uniform();  // the one that chose the class
    }
    for (const NumberBlock& block : blocks) {
      const Index first = drawn.first_number[block.place];
      draw_numbers(block, panel, streams, [&](Index lane, Index j, double value) {
        drawn.table.numbers(panel.rows[static_cast<std::size_t>(lane)] - range.begin, first + j) =
            value;
      });
    }
    for (std::size_t lane = 0; lane < panel.rows.size(); ++lane) {
      const auto row = static_cast<std::size_t>(panel.rows[lane] - range.begin);
      drawn.rows[row] = discrete.draw(panel.k, streams[lane]);
      drawn.table.labels[row] = static_cast<std::int32_t>(panel.k);
    }
  });
  place_codes(drawn);
  place_counts(model, drawn);
  return std::move(drawn.table);
}

}  // namespace genera::query
