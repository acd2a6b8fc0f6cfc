// fuzz_files TARGET PATH...: runs one target on files, and on all files of folders, as a plain
// test.
#include "targets.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  if (fs::is_regular_file(path)) return {path};
  std::vector<fs::path> found;
  if (fs::is_directory(path))
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.is_regular_file()) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int count, char** words) {
  const std::string name = count > 1 ? words[1] : "";
  const auto* target =
      std::find_if(genera::fuzz::targets.begin(), genera::fuzz::targets.end(),
                   [&](const genera::fuzz::NamedTarget& known) { return known.name == name; });
  if (target == genera::fuzz::targets.end() || count < 3) {
    std::fputs("usage: fuzz_files TARGET PATH...\n", stderr);
    return 2;
  }
  std::size_t files = 0;
  std::size_t bytes = 0;
  for (int i = 2; i < count; ++i) {
    for (const fs::path& file : files_of(words[i])) {
      // Told before it runs: the last line names the file that crashes.
      std::fprintf(stderr, "%s\n", file.c_str());
      const std::string content = read(file);
      target->run(content);
      ++files;
      bytes += content.size();
    }
  }
  std::printf("%s: %zu files, %zu bytes\n", name.c_str(), files, bytes);
  return files > 0 ? 0 : 1;
}
