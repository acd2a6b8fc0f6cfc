#pragma once

#include <functional>
#include <iosfwd>
#include <string>

#include <genera/model.hpp>
#include <genera/stats.hpp>

namespace genera {

/// Models and statistics as files: JSON, or CBOR of the same document if the name ends in ".cbor".
/// Saving and loading gives back the same value, bit for bit. The format is docs/file-format.md.
void save(const Model& model, const std::string& path);
void save(const Statistics& statistics, const std::string& path);

/// Throws Error (bad_model) with the reason if the file is damaged, truncated, inconsistent, of
/// another kind or of a newer version.
[[nodiscard]] Model load_model(const std::string& path);
[[nodiscard]] Statistics load_statistics(const std::string& path);

/// Whether the file begins like one of ours that holds statistics (and not like a table).
[[nodiscard]] bool looks_like_statistics(const std::string& path);

/// The same documents as JSON text.
[[nodiscard]] std::string to_json(const Model& model);
[[nodiscard]] Model model_from_json(const std::string& text, const std::string& place = "model");

/// Writes through `write` into a regular file that appears whole or not at all; a device or pipe is
/// written directly. On an exception, or a signal that ends the program, nothing is left behind.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Installs handlers of SIGINT, SIGTERM and SIGHUP that remove what `write_file` has begun and then
/// end the program as the signal would. For programs; the library never calls it.
void remove_partial_files_on_signal();

}  // namespace genera
