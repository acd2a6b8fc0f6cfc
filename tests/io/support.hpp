#pragma once

#include <genera/error.hpp>
#include <genera/io.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace genera::test {

/// An empty folder that disappears with its content.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "genera-io-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] std::string operator/(const std::string& name) const {
    return (path_ / name).string();
  }
  [[nodiscard]] std::ptrdiff_t entries() const {
    return std::distance(std::filesystem::directory_iterator(path_), {});
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string specimen(const std::string& name) {
  std::string path = GENERA_TESTS "/reference/models/";
  return path.append(name);
}

/// `text` with its only occurrence of `from` replaced.
inline std::string edited(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// What `act` refuses: the sentence, the hint and the kind in one text.
template <class Act>
std::string refusal(Act act) {
  try {
    act();
  } catch (const Error& e) {
    EXPECT_FALSE(e.hint().text.empty()) << e.what();
    const char* kinds[] = {"bad_argument", "bad_data", "bad_model", "stopped"};
    return std::string(kinds[static_cast<int>(e.code())]) + " | " + e.what() + " | " +
           in_words(e.hint());
  }
  return "nothing was refused";
}

inline GaussianParameters small_parameters(Covariance covariance) {
  GaussianParameters p;
  p.structure = covariance;
  p.columns = {"a", "b c"};
  p.means = Matrix(2, 2, Vector{0.1, -0.0, 1e8, -3.5});
  const Matrix second(2, 2, Vector{1e10, 0, 0, 0.1});
  switch (covariance) {
    case Covariance::full:
      p.covariances = {Matrix(2, 2, Vector{2, 1.0 / 3, 1.0 / 3, 0.7}), second};
      break;
    case Covariance::tied:
      p.covariances = {Matrix(2, 2, Vector{2, 1.0 / 3, 1.0 / 3, 0.7})};
      break;
    case Covariance::diag:
    case Covariance::spherical:
      p.variances = Matrix(2, 2, Vector{0.1, 0.2, 1e-300, 3e300});
      break;
    case Covariance::tied_diag:
    case Covariance::tied_spherical:
      p.variances = Matrix(1, 2, Vector{0.1, 0.2});
      break;
  }
  return p;
}

inline Model small_model(const GaussianParameters& parameters) {
  return {{"no", "yes, \"quoted\" \xC3\xA9"},
          Prior({0.1, 0.9}),
          {GaussianBlock(parameters)},
          "answer",
          {"a note"}};
}
inline Model small_model(Covariance covariance) {
  return small_model(small_parameters(covariance));
}

}  // namespace genera::test
