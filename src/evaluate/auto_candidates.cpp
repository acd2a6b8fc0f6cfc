#include "evaluate/auto_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "data/densified.hpp"
#include "data/few_values.hpp"
#include "data/number_content.hpp"
#include "kernel/text.hpp"

namespace genera::select_detail {
namespace {

struct NamedRecipe {
  std::string kind, name;
  Recipe recipe;
  std::string family{};  ///< empty: its kind
};

/// Of the numbers that are modelled.
struct Size {
  Index rows = 0, columns = 0;
  bool few = false;  ///< candidates, because each costs much or the rows cannot tell many apart
};

Recipe with_covariance(const Recipe& base, Covariance covariance) {
  Recipe recipe = base;
  recipe.gaussian.covariance = covariance;
  recipe.gaussian.rda.reset();
  return recipe;
}

/// The corners of the square are gnb, dlda, lda and qda.
bool is_corner(double alpha, double gamma) {
  return (alpha == 0 || alpha == 1) && (gamma == 0 || gamma == 1);
}

std::vector<NamedRecipe> rda_recipes(const Recipe& base, bool few) {
  const Vector alphas = few ? Vector{0, 0.5, 1} : Vector{0, 0.1, 0.25, 0.5, 0.75, 0.9, 1};
  const Vector gammas = few ? Vector{0.1, 0.5} : Vector{0, 0.05, 0.1, 0.2, 0.4, 0.7, 1};
  std::vector<NamedRecipe> recipes;
  for (const Candidate& one : rda_grid(base, alphas, gammas)) {
    const Recipe& recipe = std::get<Recipe>(one.recipe);
    const RdaOptions& rda = *recipe.gaussian.rda;
    if (is_corner(rda.alpha, rda.gamma)) continue;
    recipes.push_back(
        {"rda", fmt::format("rda alpha {:.6g} gamma {:.6g}", rda.alpha, rda.gamma), recipe});
  }
  return recipes;
}

std::vector<NamedRecipe> diagonal_recipes(const Recipe& base, const Size&) {
  std::vector<NamedRecipe> recipes{{"dlda", "dlda", with_covariance(base, Covariance::tied_diag)},
                                   {"gnb", "gnb", with_covariance(base, Covariance::diag)}};
  for (const double rows : {1.0, 4.0, 16.0}) {
    Recipe recipe = with_covariance(base, Covariance::diag);
    recipe.gaussian.variance_prior = rows;
    recipes.push_back({"gnb", fmt::format("gnb variance-prior {:.6g}", rows), recipe});
  }
  return recipes;
}

std::vector<NamedRecipe> full_recipes(const Recipe& base, const Size& size) {
  std::vector<NamedRecipe> recipes{{"lda", "lda", with_covariance(base, Covariance::tied)},
                                   {"qda", "qda", with_covariance(base, Covariance::full)}};
  for (NamedRecipe& recipe : rda_recipes(base, size.few)) recipes.push_back(std::move(recipe));
  return recipes;
}

std::vector<NamedRecipe> bayesian_recipes(const Recipe& base, const Size& size) {
  std::vector<NamedRecipe> recipes;
  for (const double each : size.few ? Vector{0.5, 2} : Vector{0.1, 0.5, 2, 8}) {
    for (const double gamma : size.few ? Vector{0.1, 1} : Vector{0.1, 0.4, 1}) {
      Recipe recipe = with_covariance(base, Covariance::full);
      const double rows = std::max(2.0, each * static_cast<double>(size.columns));
      recipe.gaussian.bayesian = {.prior_rows = rows, .prior_gamma = gamma};
      recipes.push_back(
          {"bqda", fmt::format("bqda prior-rows {:.6g} prior-gamma {:.6g}", rows, gamma), recipe});
    }
  }
  return recipes;
}

std::vector<NamedRecipe> kernel_recipes(const Recipe& base, const Size& size) {
  std::vector<NamedRecipe> recipes;
  for (const double bandwidth : size.few ? Vector{0.5} : Vector{0.25, 0.5, 1}) {
    for (const double gamma : {0.1, 1.0}) {
      Recipe recipe = with_covariance(base, Covariance::tied);
      recipe.kernel = {.bandwidth = bandwidth, .gamma = gamma};
      recipes.push_back(
          {"kernel", fmt::format("kernel bandwidth {:.6g} kernel-gamma {:.6g}", bandwidth, gamma),
           recipe});
    }
  }
  return recipes;
}

/// Operations of one candidate, in folds or to predict, in about ten seconds of one core.
constexpr double max_operations_of_one = 2e10;

bool kernels_are_affordable(const Size& size) {
  const auto n = static_cast<double>(size.rows);
  return n * n * static_cast<double>(size.columns) <= max_operations_of_one;
}

/// Models of numbers that resemble each other.
struct Family {
  const char* name;
  bool fast;        ///< its sums, collected once, serve all of its candidates
  bool factors;     ///< it factorises covariances of all columns
  bool keeps_rows;  ///< its models contain training rows, and compare each row with all of them
  std::vector<NamedRecipe> (*recipes)(const Recipe& base, const Size& size);
};
constexpr Family number_families[] = {
    {"diagonal Gaussian", true, false, false, diagonal_recipes},
    {"Gaussian", true, true, false, full_recipes},
    {"Bayesian Gaussian", true, true, false, bayesian_recipes},
    {"kernel", false, true, true, kernel_recipes},
};

/// The recipes of all families that serve.
std::vector<NamedRecipe> number_recipes(const AutoOptions& options, const Size& size,
                                        bool factors) {
  std::vector<NamedRecipe> all;
  for (const Family& family : number_families) {
    if ((options.fast && !family.fast) || (family.factors && !factors)) continue;
    if (family.keeps_rows && (!options.keep_rows || !kernels_are_affordable(size))) continue;
    for (NamedRecipe& one : family.recipes(options.base, size)) {
      one.family = family.name;
      all.push_back(std::move(one));
    }
  }
  return all;
}

Vector smoothings(const AutoOptions& options) {
  if (options.smoothing_given) return {options.base.discrete.smoothing};
  return {1, 0.3, 0.1};
}

/// Counts of terms, or of a sparse matrix.
std::vector<NamedRecipe> count_recipes(const Recipe& base, const AutoOptions& options) {
  std::vector<NamedRecipe> recipes;
  for (const CountModel model : {CountModel::multinomial, CountModel::bernoulli}) {
    for (const double smoothing : smoothings(options)) {
      Recipe recipe = base;
      recipe.discrete.counts = model;
      recipe.discrete.smoothing = smoothing;
      recipes.push_back({std::string(name_of(model)),
                         fmt::format("{} smoothing {:.6g}", name_of(model), smoothing), recipe});
    }
  }
  return recipes;
}

bool has(const Table& table, ColumnType type) {
  return std::ranges::any_of(table.columns, [&](const Column& c) { return c.type == type; });
}

bool is_matrix(const Table& table, SparseKind kind) {
  return table.columns.empty() && !table.sparse.empty() && table.sparse.front().kind == kind;
}

bool is_mostly_zero(const data::NumberContent& content) { return content.nonzero < 0.5; }

/// Whether all cells of `rows` rows take at most 1 GiB.
bool is_small(const data::NumberContent& content, Index rows) {
  constexpr double max_cells = 1 << 27;
  return static_cast<double>(rows) * static_cast<double>(content.columns) <= max_cells;
}

/// Whether qda in ten folds of the sample takes more than about six seconds of one core; the
/// digits of MNIST, 20,000 x 784 in ten classes, take 1.6e11 operations.
bool is_slow(const data::NumberContent& content, const Table& sample) {
  constexpr double max_operations = 2e11, folds = 10;
  const auto d = static_cast<double>(content.columns), rows = static_cast<double>(sample.rows());
  const double of_class = 2 * folds * d * d * d + rows * d * d / 2;
  return of_class * static_cast<double>(sample.classes.size()) > max_operations;
}

class Builder {
 public:
  Builder(const AutoSample& sample, const AutoOptions& options, bool expensive)
      : sample_(sample), options_(options), expensive_(expensive) {}

  AutoCandidates build(const std::vector<std::string>& given) {
    const Reading& plain = read({.storage = sample_.storage, .table = sample_.table});
    if (is_matrix(*sample_.table, SparseKind::counts)) {
      of_counts(plain);
      return std::move(found_);
    }
    of_columns(plain);
    if (!sample_.wide) of_categories(may_be_categories(given));
    if (sample_.counts && given.empty()) of_counts(counts());
    return std::move(found_);
  }

 private:
  const Reading& read(Reading reading) {
    found_.readings.push_back(std::make_unique<const Reading>(std::move(reading)));
    return *found_.readings.back();
  }

  void of_categories(const std::vector<Column>& few) {
    if (few.empty()) return;
    of_columns(categories(few));
    std::vector<Column> flags;
    std::ranges::copy_if(few, std::back_inserter(flags),
                         [](const Column& c) { return c.type == ColumnType::binary; });
    if (!flags.empty() && flags.size() < few.size()) of_columns(categories(flags));
  }

  void add(const std::vector<NamedRecipe>& recipes, const Reading& reading) {
    for (const NamedRecipe& one : recipes) {
      const std::string suffix = reading.words.empty() ? "" : " (" + reading.words + ")";
      const std::string& family = one.family.empty() ? one.kind : one.family;
      found_.list.push_back({one.name + suffix, one.kind + suffix, family, one.recipe, &reading});
    }
  }

  [[nodiscard]] std::vector<Column> may_be_categories(const std::vector<std::string>& given) const {
    constexpr std::size_t max_values = 10;
    std::vector<Column> few = data::few_valued(*sample_.table, max_values);
    std::erase_if(few, [&](const Column& column) {
      return std::ranges::find(given, column.name) != given.end();
    });
    return few;
  }

  const Reading& categories(const std::vector<Column>& columns) {
    Reading reading{.storage = sample_.storage};
    std::vector<std::string> names;
    for (const Column& column : columns) {
      reading.types.emplace_back(column.name, column.type);
      names.push_back(column.name);
    }
    reading.words = "categories: " + kernel::quoted_list(names);
    reading.table =
        std::make_shared<const Table>(data::table_of(data::as_codes(*sample_.table, columns)));
    return read(std::move(reading));
  }

  /// Of a table: each structure of the numbers, with each model of the texts.
  void of_columns(const Reading& reading) {
    const Table& table = *reading.table;
    const bool numbers = has(table, ColumnType::numeric) || is_matrix(table, SparseKind::numbers);
    if (!has(table, ColumnType::text)) {
      if (numbers)
        add(number_recipes(options_, {table.rows(), table.numbers.columns(), is_large(reading)},
                           !has_too_many_columns(reading)),
            reading);
      else
        add({{name_without_numbers(table), name_without_numbers(table), options_.base}}, reading);
      if (!options_.fast && takes_pairs(table)) add({one_dependence()}, reading);
      return;
    }
    for (const NamedRecipe& text : count_recipes(options_.base, options_)) {
      if (!numbers) {
        add({text}, reading);
        continue;
      }
      for (const Covariance covariance :
           {Covariance::tied_diag, Covariance::diag, Covariance::tied, Covariance::full}) {
        if (is_full(covariance) && has_too_many_columns(reading)) continue;
        const Recipe recipe = with_covariance(text.recipe, covariance);
        const std::string_view model = name_of(recipe.gaussian);
        add({{fmt::format("{} and {}", model, text.kind),
              fmt::format("{} and {}", model, text.name), recipe}},
            reading);
      }
    }
  }

  /// Each row has a term of every pair of columns; the model, a count of every pair of levels.
  [[nodiscard]] bool takes_pairs(const Table& table) const {
    constexpr double max_counts = 1 << 24;  // 128 MB
    if (sample_.wide || !table.sparse.empty() || has(table, ColumnType::count)) return false;
    const auto rows = static_cast<double>(table.rows()),
               p = static_cast<double>(table.columns.size());
    const auto classes = static_cast<double>(table.classes.size());
    double levels =
        static_cast<double>(table.numbers.columns()) * std::clamp(std::cbrt(rows), 4.0, 20.0);
    for (const std::vector<std::string>& names : table.levels)
      levels += static_cast<double>(names.size());
    return p > 1 && rows * p * p * classes <= max_operations_of_one &&
           levels * levels * classes <= max_counts;
  }

  [[nodiscard]] NamedRecipe one_dependence() const {
    Recipe recipe = options_.base;
    recipe.discrete.pairs = true;
    return {"aode", "aode", std::move(recipe), "one-dependence"};
  }

  /// So many that factorising their covariances for each fold would take minutes.
  [[nodiscard]] bool has_too_many_columns(const Reading& reading) const {
    constexpr Index max_for_covariances = 2000;
    return sample_.wide || reading.table->numbers.columns() > max_for_covariances;
  }

  [[nodiscard]] static std::string name_without_numbers(const Table& table) {
    if (has(table, ColumnType::count)) return "multinomial";
    return has(table, ColumnType::categorical) ? "categorical" : "bernoulli";
  }

  /// So many columns that factorisations take longer than everything else (more readings than one
  /// multiply them), or so few rows that they cannot tell neighbours of a fine grid apart.
  [[nodiscard]] bool is_large(const Reading& reading) const {
    const Index many_columns = reading.types.empty() ? 150 : 30;
    constexpr Index few_rows = 100;
    return expensive_ || sample_.table->rows() < few_rows ||
           reading.table->numbers.columns() > many_columns;
  }

  const Reading& counts() {
    Reading counts{.storage = Storage::sparse_counts};
    const RowsRef sample(*sample_.table);
    ReadRows rows(*sample);
    rows.read_as(counts, {});
    counts.table = std::make_shared<const Table>(read_rows(rows));
    return read(std::move(counts));
  }

  void of_counts(const Reading& reading) {
    Recipe base = options_.base;
    base.discrete.sparse_counts = true;
    add(count_recipes(base, options_), reading);
  }

  const AutoSample& sample_;
  const AutoOptions& options_;
  bool expensive_;
  AutoCandidates found_;
};

}  // namespace

AutoSample auto_sample(Table&& sample, Index rows) {
  AutoSample found;
  if (const auto content = data::content_of(sample)) {
    const bool zeros = is_mostly_zero(*content);
    found.wide = zeros && (is_slow(*content, sample) || !is_small(*content, rows));
    found.counts = zeros && content->counts && content->nonzero > 0;
    // Missing values are learned from where all cells are there.
    const bool lay_out = !found.wide || (content->missing && is_small(*content, rows));
    if (lay_out && is_matrix(sample, SparseKind::numbers)) {
      const Rows all(sample);
      sample = data::densified(all, column_order(all.data().sparse.front()));
      found.storage = Storage::dense;
    }
  }
  found.table = std::make_shared<const Table>(std::move(sample));
  return found;
}

AutoCandidates auto_candidates(const AutoSample& sample, const std::vector<std::string>& given,
                               const AutoOptions& options, bool expensive) {
  return Builder(sample, options, expensive).build(given);
}

}  // namespace genera::select_detail
