// A classifier inside a control loop: samples come as floats from a driver's buffer, one at a time;
// answers must cost microseconds and no memory.
#include <chrono>
#include <cstdio>
#include <vector>

#include <genera/genera.hpp>

namespace {

/// What a driver gives us: a raw pointer to frames of four channels.
struct Device {
  const float* frames;
  std::size_t count;
};

int classify(const Device& device, genera::Predictor& predictor) {
  double posterior[3];
  int sure = 0;
  for (std::size_t i = 0; i < device.count; ++i) {
    const std::span<const float> frame(device.frames + 4 * i, 4);
    const genera::Index k = predictor.predict(frame, posterior);  // noexcept, no allocation
    if (k >= 0 && posterior[k] > 0.95) ++sure;
  }
  return sure;
}

}  // namespace

int main() {
  const genera::Table iris = genera::read_csv("@iris");
  genera::Predictor predictor(genera::fit(iris, genera::lda()).model);

  std::vector<float> buffer;
  for (genera::Index i = 0; i < iris.rows(); ++i) {
    for (const double value : iris.numbers.row(i)) buffer.push_back(static_cast<float>(value));
  }
  const Device device{buffer.data(), static_cast<std::size_t>(iris.rows())};

  const auto start = std::chrono::steady_clock::now();
  const int sure = classify(device, predictor);
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
  std::printf("%d of %zu frames are sure (> 0.95), %.2f microseconds a frame\n", sure, device.count,
              time.count() / static_cast<double>(device.count));
  return sure > 120 && sure < 150 ? 0 : 1;
}
