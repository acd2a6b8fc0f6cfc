// Rows that a program makes itself, chunk by chunk: ten million of them are never in memory at
// once.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <vector>

#include <genera/genera.hpp>

namespace {

/// Numbers with mean 0 and variance 1/3: sums of four uniform ones, quick to make.
class Noise {
 public:
  double operator()() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t bits = state_;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    const std::uint64_t sum =
        (bits & 0xffffU) + ((bits >> 16U) & 0xffffU) + ((bits >> 32U) & 0xffffU) + (bits >> 48U);
    return static_cast<double>(sum) / 65536 - 2;
  }

 private:
  std::uint64_t state_ = 1;
};

constexpr genera::Index columns = 3, rows_in_chunk = 8192;
const std::vector<std::string> states{"calm", "storm"};

/// What a sensor has measured, in arrays of the program's own; it counts how many there are.
struct Measured {
  Measured() { max_alive = std::max<int>(max_alive, ++alive); }
  ~Measured() { --alive; }
  Measured(const Measured&) = delete;
  Measured& operator=(const Measured&) = delete;

  std::vector<float> numbers = std::vector<float>(rows_in_chunk * columns);
  std::vector<std::uint8_t> labels = std::vector<std::uint8_t>(rows_in_chunk);
  genera::DataView view;  // of the arrays

  static inline std::atomic<int> alive = 0;
  static inline int max_alive = 0;  // changed by one thread at a time
};

/// Calm: means 0, 0, 0. Storm: means 1, 2, 3, and twice the deviation.
std::shared_ptr<Measured> measure(Noise& noise) {
  auto chunk = std::make_shared<Measured>();
  for (std::size_t i = 0; i < chunk->labels.size(); ++i) {
    const bool storm = i % 4 == 0;
    chunk->labels[i] = storm ? 1 : 0;
    for (std::size_t j = 0; j < columns; ++j)
      chunk->numbers[i * columns + j] =
          static_cast<float>(storm ? static_cast<double>(j + 1) + 2 * noise() : noise());
  }
  return chunk;
}

bool is_near(double a, double b) { return std::abs(a - b) < 0.02; }

bool learns_from_a_flood(genera::Index total) {
  Noise noise;
  genera::Index made = 0;
  genera::CallbackRows flood([&]() -> std::optional<genera::RowChunk> {
    if (made >= total) return std::nullopt;
    made += rows_in_chunk;
    const std::shared_ptr<Measured> chunk = measure(noise);
    chunk->view = genera::labelled_rows({chunk->numbers.data(), rows_in_chunk, columns},
                                        chunk->labels, {.classes = states})
                      .data();
    // The pointer keeps the arrays until the rows have been summed.
    return genera::Rows(std::shared_ptr<const genera::DataView>(chunk, &chunk->view));
  });
  constexpr int threads = 2;
  const genera::Model model = genera::fit(flood, genera::qda(), {}, {.threads = threads}).model;
  const auto& numbers = std::get<genera::GaussianBlock>(model.blocks()[0]);
  bool right = is_near(model.prior().probabilities()[1], 0.25);
  for (genera::Index j = 0; j < columns; ++j)
    right = right && is_near(numbers.parameters().means(0, j), 0) &&
            is_near(numbers.parameters().means(1, j), static_cast<double>(j + 1));
  std::printf("%lld rows; at most %d chunks at a time\n", static_cast<long long>(made),
              Measured::max_alive);
  return right && Measured::alive == 0 && Measured::max_alive <= 2 * threads + 1;
}

/// Every fifth number is missing; the wind follows the pressure.
genera::Table with_gaps(Noise& noise) {
  constexpr genera::Index rows = 2000;
  genera::Matrix numbers(rows, 2);
  std::vector<std::string> labels;
  for (genera::Index i = 0; i < rows; ++i) {
    labels.push_back(states[static_cast<std::size_t>(i % 2)]);
    numbers(i, 0) = static_cast<double>(i % 2) + noise();
    numbers(i, 1) = numbers(i, 0) + noise();
    if (i % 5 == 0) numbers(i, i % 2) = std::numeric_limits<double>::quiet_NaN();
  }
  return genera::make_table({"pressure", "wind"}, numbers, labels);
}

/// EM needs the rows again, so they must be able to start again.
bool learns_from_gaps() {
  constexpr int chunks = 5;
  Noise noise;
  int made = 0;
  // [own]
  const auto next = [&]() -> std::optional<genera::RowChunk> {
    if (made++ == chunks) return std::nullopt;
    return with_gaps(noise);  // a Table, or Rows that view arrays of the program
  };
  const auto restart = [&] {
    made = 0;
    noise = Noise();
  };
  genera::CallbackRows sensor(next, {.restart = restart, .name = "sensor"});
  const auto [model, report] = genera::fit(sensor, genera::lda());
  // [own]
  const genera::Matrix& means =
      std::get<genera::GaussianBlock>(model.blocks()[0]).parameters().means;
  std::printf("EM: %lld missing numbers, %d iterations\n",
              static_cast<long long>(report.missing_numbers),
              report.em ? report.em->iterations : 0);
  return report.missing_numbers == 2000 && report.em && std::abs(means(0, 1)) < 0.05 &&
         std::abs(means(1, 1) - 1) < 0.05;
}

}  // namespace

int main(int count, char** words) {
  const genera::Index total = count > 1 ? std::atoi(words[1]) : 10'000'000;
  return learns_from_a_flood(total) && learns_from_gaps() ? 0 : 1;
}
