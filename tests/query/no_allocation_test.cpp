// A program of its own: it replaces the global operator new to count.
#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include <gtest/gtest.h>

#include <genera/fit.hpp>
#include <genera/predictor.hpp>

#include "support/problems.hpp"

namespace {
std::atomic<long> allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto unit = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(unit, (size + unit - 1) / unit * unit)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace genera {
namespace {

TEST(Predictor, AllocatesNothingOnceMade) {
  const Table table = testing::random_table(300, 20, 5, 1);
  std::vector<double> row(20, 0.5), p(5);
  const std::vector<float> floats(20, 0.5F);
  std::vector<Recipe> recipes = testing::whole_family();
  for (const Family family : {Family::lda, Family::gnb})
    recipes.push_back(mda({.components = {1, 2}, .starts = 1}, family));
  for (const Recipe& recipe : recipes) {
    Predictor predictor(fit(table, recipe));
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

static_assert(noexcept(std::declval<Predictor&>().predict(std::span<const double>{},
                                                          std::span<double>{})));

}  // namespace
}  // namespace genera
