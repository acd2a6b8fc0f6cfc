#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <string>

/// Time and memory of the process itself.

template <class Work>
double best_time(int repeats, Work&& work) {
  double best = HUGE_VAL;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

inline double peak_megabytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "VmHWM:") continue;
    double kilobytes = 0;
    status >> kilobytes;
    return kilobytes / 1024;
  }
  return 0;
}
