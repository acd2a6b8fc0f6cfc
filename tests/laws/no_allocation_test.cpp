// A program of its own: it replaces the global operator new to count.
#include <atomic>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/predictor.hpp>
#include <genera/query.hpp>

#include "kernel/parallel.hpp"
#include "support/problems.hpp"

namespace {
std::atomic<long> allocations = 0;
std::atomic<std::size_t> live = 0, max_live = 0;  // bytes
std::atomic<bool> nothing_left = false;

void* counted(void* p) {
  ++allocations;
  if (p == nullptr) return p;
  if (nothing_left) {
    std::free(p);
    return nullptr;
  }
  const std::size_t now = live += malloc_usable_size(p);
  for (std::size_t max = max_live; now > max && !max_live.compare_exchange_weak(max, now);) {
  }
  return p;
}
void release(void* p) {
  live -= malloc_usable_size(p);
  std::free(p);
}
}  // namespace

void* operator new(std::size_t size) {
  if (void* p = counted(std::malloc(size))) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  if (void* p = counted(std::aligned_alloc(unit, (size + unit - 1) / unit * unit))) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(std::malloc(size));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }

namespace genera::no_allocation_test {
namespace {

TEST(Predictor, AllocatesNothingOnceMade) {
  const Table table = testing::random_table(300, 20, 5, 1);
  std::vector<double> row(20, 0.5), p(5);
  const std::vector<float> floats(20, 0.5F);
  std::vector<Recipe> recipes = testing::whole_family();
  for (const Family family : {Family::lda, Family::gnb})
    recipes.push_back(mda({.components = {1, 2}, .starts = 1}, family));
  for (const Recipe& recipe : recipes) {
    Predictor predictor(fit(table, recipe).model);
    (void)predictor.predict(row, p);  // the CPU's kernels are chosen at the first call
    const long before = allocations;
    ASSERT_GT(before, 0);
    for (int i = 0; i < 100; ++i) {
      row[3] = i;
      (void)predictor.predict(row, p);
      (void)predictor.predict(row);
      (void)predictor.predict(floats, p);
      (void)predictor.log_density(row);
    }
    row[3] = 1e300;
    (void)predictor.predict(row, p);
    EXPECT_EQ(allocations, before);
  }
}

/// Threads hand in what they have, or that they could not, without asking for memory.
TEST(RunInOrder, TheEndOfMemoryIsAnExceptionLikeAnyOther) {
  for (const int threads : {2, 3, 8}) {
    Index finished = 0, next = 0;
    const auto produce = [&]() -> std::optional<kernel::Task> {
      if (next == 1000) return std::nullopt;
      return [i = next++, &finished]() -> kernel::Finish {
        if (i == 100) nothing_left = true;
        if (nothing_left) throw std::bad_alloc();
        return [&finished] { ++finished; };
      };
    };
    EXPECT_THROW(
        {
          try {
            kernel::run_in_order(threads, produce);
          } catch (...) {
            nothing_left = false;
            throw;
          }
        },
        std::bad_alloc);
    EXPECT_LE(finished, 100);
  }
}

/// Learning from arrays in memory copies none of them, whatever their order and type.
TEST(Rows, FromMemoryAreNotCopied) {
  constexpr Index n = 200'000, d = 10;
  const std::size_t size = static_cast<std::size_t>(n * d) * sizeof(float);
  std::vector<float> columns(static_cast<std::size_t>(n * d));
  std::vector<std::int8_t> labels(static_cast<std::size_t>(n));
  Rng rng(1);
  for (float& x : columns) x = static_cast<float>(rng.normal());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int8_t>(i % 3);
  const std::vector<std::string> classes{"a", "b", "c"};
  for (const Strides strides : {Strides{d, 1}, Strides{1, n}}) {
    const std::size_t before = live;
    max_live = before;
    const Rows rows = labelled_rows({columns.data(), n, d, strides}, labels, {.classes = classes});
    const Model model = fit(rows, qda()).model;
    const std::vector<std::int32_t> predicted = predict(model, rows);
    EXPECT_EQ(predicted.size(), labels.size());
    EXPECT_LT(max_live - before, size / 2) << "less than half a copy of the numbers";
  }
}

static_assert(noexcept(std::declval<Predictor&>().predict(std::span<const double>{},
                                                          std::span<double>{})));

}  // namespace
}  // namespace genera::no_allocation_test
