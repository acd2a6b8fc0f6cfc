#pragma once

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

/// Arrays that Python has written with ndarray.tofile.

/// The first `count` values of a file.
template <class T, class Count>
void read_array(const std::string& path, T* values, Count count) {
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(values),
            static_cast<std::streamsize>(count) * static_cast<std::streamsize>(sizeof(T)));
  if (!file) throw std::runtime_error("cannot read " + path);
}

/// All of them.
template <class T>
std::vector<T> read_array(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<T> values(static_cast<std::size_t>(file.tellg()) / sizeof(T));
  read_array(path, values.data(), values.size());
  return values;
}
