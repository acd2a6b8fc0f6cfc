#include <genera/io.hpp>

#include "data/bytes/document_start.hpp"
#include "data/bytes/open_bytes.hpp"
#include "io/document.hpp"
#include "kernel/text.hpp"

#include <genera/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace genera {
namespace {

/// limit for devices such as a terminal or /dev/urandom
constexpr std::size_t max_of_a_device = std::size_t{1} << 24U;

/// The names of the files in the folder of a file that does not exist; else none.
std::vector<std::string> names_beside(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  if (std::filesystem::exists(path, error)) return names;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  for (const auto& entry :
       std::filesystem::directory_iterator(folder.empty() ? "." : folder, error))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

[[noreturn]] void refuse_reading(const std::string& path, const std::string& reason) {
  throw Error(
      Errc::bad_model, path + ": cannot be read: " + reason,
      kernel::did_you_mean(std::filesystem::path(path).filename().string(), names_beside(path),
                           "check the name and the permissions of the file"));
}

/// True if a document can begin like this. Other input is not read to its end, which may be far.
bool begins_document(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  const auto first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  return bytes[first] == '{' || static_cast<unsigned char>(bytes.front()) >> 5U == 5;
}

constexpr std::size_t bytes_at_once = std::size_t{1} << 18U;

/// Reads up to `size` bytes, fewer only at the end.
std::string read_part(data::Bytes& from, std::size_t size) {
  std::string part(size, '\0');
  std::size_t got = 0;
  while (got < size) {
    const std::size_t more = from.read(part.data() + got, size - got);
    if (more == 0) break;
    got += more;
  }
  part.resize(got);
  return part;
}

/// Refuses implausible compression: random digits unpack to 2.3 times their size, tables of mostly
/// equal numbers to 20 times, and zeros, of which a large model may have some, to 1,000 times.
void require_plausible(const std::string& path, const data::Bytes& in, std::size_t unpacked) {
  constexpr std::size_t always = std::size_t{1} << 26U, ratio = 20;
  const auto packed = in.packed();
  if (!packed || unpacked <= always + ratio * *packed) return;
  throw Error(Errc::bad_model,
              fmt::format("{}: {} packed bytes unpack to more than {}, which is not a document of "
                          "genera",
                          path, *packed, always + ratio * *packed),
              "unpack the file with gunzip if you trust it, and give the unpacked file");
}

/// Does not open the file: data in a pipe would be lost when its only reader closes it.
bool may_be_read(const std::string& path) {
  return path == "-" || ::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) == 0;
}

/// Opens a file or standard input and decompresses gzip.
std::unique_ptr<data::Bytes> open_document(const std::string& path) {
  if (path.empty())
    throw Error(Errc::bad_model, "the name of a file is empty",
                "give the path of a file, or - for standard input");
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) refuse_reading(path, "it is a folder");
  if (!may_be_read(path)) refuse_reading(path, std::generic_category().message(errno));
  return data::open_bytes(Source::path(path), data::Reread::never);
}

std::string read_whole(const std::string& path) try {
  std::error_code error;
  const bool device = std::filesystem::is_character_file(path, error);
  const auto in = open_document(path);
  std::string bytes;
  while (true) {
    const std::string part = read_part(*in, bytes_at_once);
    const bool first = bytes.empty();
    bytes += part;
    if (part.size() < bytes_at_once || (first && !begins_document(bytes))) return bytes;
    require_plausible(path, *in, bytes.size());
    if (device && bytes.size() > max_of_a_device)
      refuse_reading(path, "it is a device, and does not end");
  }
} catch (const Error& error) {
  if (error.code() != Errc::bad_data) throw;
  throw Error(Errc::bad_model, error.what(), error.hint());
}

std::string_view without_gz(std::string_view path) {
  constexpr std::string_view packed = ".gz";
  if (path.ends_with(packed)) path.remove_suffix(packed.size());
  return path;
}

void save_document(const io::Value& document, const std::string& path) {
  const Format format = without_gz(path).ends_with(".cbor") ? Format::cbor : Format::json;
  write_file(path, [&](std::ostream& out) { io::print(document, format, out); });
}

/// True if the file contains `word`: keys are sorted, so the format may come late.
bool contains(data::Bytes& in, const std::string& word) {
  std::string window;
  while (true) {
    const std::string part = read_part(in, bytes_at_once);
    window += part;
    if (window.find(word) != std::string::npos) return true;
    if (part.size() < bytes_at_once) return false;
    window.erase(0, window.size() - std::min(window.size(), word.size()));
  }
}

/// True also for files truncated before their format, which a reader reports.
bool holds_statistics(data::Bytes& in) {
  const std::string start = read_part(in, 64);
  in.rewind();
  const bool json = data::begins_json_object(start);
  if (!json && !data::begins_cbor_map(start)) return false;
  const auto written = [&](std::string_view format) {
    const char text_head = static_cast<char>(0x60U + format.size());
    return json ? '"' + std::string(format) + '"' : text_head + std::string(format);
  };
  if (contains(in, written(io::statistics_format))) return true;
  in.rewind();
  return data::begins_with_classes(start) && !contains(in, written(io::model_format));
}

}  // namespace

void save(const Model& model, const std::string& path) {
  save_document(io::to_document(model), path);
}

void save(const LinearModel& model, const std::string& path) {
  save_document(io::to_document(model), path);
}

void save(const Committee& committee, const std::string& path) {
  save_document(io::to_document(committee), path);
}

void save(const Classifier& classifier, const std::string& path) {
  save_document(io::to_document(classifier), path);
}

void save(const Statistics& statistics, const std::string& path) {
  save_document(io::to_document(statistics), path);
}

Model load_model(const std::string& path) { return model_from_bytes(read_whole(path), path); }

Classifier load_classifier(const std::string& path) {
  return classifier_from_bytes(read_whole(path), path);
}

Statistics load_statistics(const std::string& path) {
  return statistics_from_bytes(read_whole(path), path);
}

bool looks_like_statistics(const std::string& path) {
  if (path.starts_with("@")) return false;
  std::error_code error;
  const std::string file = path == "-" ? "/dev/stdin" : path;
  if (!std::filesystem::is_regular_file(file, error)) return false;  // a pipe can be read only once
  if (!may_be_read(file)) return false;
  const auto in = data::open_bytes(Source::path(path), data::Reread::never);
  bool found = false;
  try {
    found = holds_statistics(*in);
  } catch (const Error&) {  // the reader of the table will report it
  }
  in->rewind();  // standard input is then read from its original position
  return found;
}

}  // namespace genera
