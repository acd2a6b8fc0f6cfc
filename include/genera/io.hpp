#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include <genera/classifier.hpp>
#include <genera/em.hpp>
#include <genera/format.hpp>
#include <genera/softmax.hpp>
#include <genera/stats.hpp>

namespace genera {

/// Models and statistics as bytes. A round trip preserves every bit. docs/file-format.md describes
/// the format.
[[nodiscard]] std::string to_bytes(const Model& model, Format format = Format::json);
[[nodiscard]] std::string to_bytes(const LinearModel& model, Format format = Format::json);
[[nodiscard]] std::string to_bytes(const Committee& committee, Format format = Format::json);
[[nodiscard]] std::string to_bytes(const Classifier& classifier, Format format = Format::json);
[[nodiscard]] std::string to_bytes(const Statistics& statistics, Format format = Format::json);

/// Messages between the partitions of an EM (genera/em.hpp).
[[nodiscard]] std::string to_bytes(const ObservedStatistics& statistics,
                                   Format format = Format::json);
[[nodiscard]] std::string to_bytes(const ExpectedSums& sums, Format format = Format::json);
[[nodiscard]] std::string to_bytes(const PatternSums& sums, Format format = Format::json);

/// Throws Error (bad_model) with the reason, which begins with `name`, if the bytes are damaged,
/// truncated, inconsistent, of another kind or of a newer version. Linear models and committees
/// are classifiers but not a Model.
[[nodiscard]] Classifier classifier_from_bytes(std::string_view bytes,
                                               const std::string& name = "model");
[[nodiscard]] Model model_from_bytes(std::string_view bytes, const std::string& name = "model");
[[nodiscard]] Statistics statistics_from_bytes(std::string_view bytes,
                                               const std::string& name = "statistics");

/// Messages between the driver and the partitions of softmax regression. Readers check formats,
/// kinds and sizes as above.
[[nodiscard]] std::string to_bytes(const SoftmaxStatistics& statistics,
                                   Format format = Format::cbor);
[[nodiscard]] std::string to_bytes(const SoftmaxLayout& layout, Format format = Format::cbor);
[[nodiscard]] std::string to_bytes(const SoftmaxRequest& request, Format format = Format::cbor);
[[nodiscard]] std::string to_bytes(const SoftmaxSums& sums, Format format = Format::cbor);
[[nodiscard]] SoftmaxStatistics softmax_statistics_from_bytes(
    std::string_view bytes, const std::string& name = "softmax statistics");
[[nodiscard]] SoftmaxLayout softmax_layout_from_bytes(std::string_view bytes,
                                                      const std::string& name = "softmax layout");
[[nodiscard]] SoftmaxRequest softmax_request_from_bytes(
    std::string_view bytes, const std::string& name = "softmax request");
[[nodiscard]] SoftmaxSums softmax_sums_from_bytes(std::string_view bytes,
                                                  const std::string& name = "softmax sums");

[[nodiscard]] ObservedStatistics observed_from_bytes(std::string_view bytes,
                                                     const std::string& name = "statistics");
/// Also refuses sums of another plan.
[[nodiscard]] ExpectedSums expected_sums_from_bytes(std::string_view bytes, const EmPlan& plan,
                                                    const std::string& name = "expected sums");
[[nodiscard]] PatternSums pattern_sums_from_bytes(std::string_view bytes, const EmPlan& plan,
                                                  const std::string& name = "pattern sums");

/// Models and statistics as files: JSON, or CBOR if the name ends in ".cbor"; compressed by gzip if
/// ".gz" follows.
void save(const Model& model, const std::string& path);
void save(const LinearModel& model, const std::string& path);
void save(const Committee& committee, const std::string& path);
void save(const Classifier& classifier, const std::string& path);
void save(const Statistics& statistics, const std::string& path);

/// Reads a file, or standard input ("-"); gzip is detected. Throws Error (bad_model), also if it
/// cannot be read.
[[nodiscard]] Classifier load_classifier(const std::string& path);
[[nodiscard]] Model load_model(const std::string& path);
[[nodiscard]] Statistics load_statistics(const std::string& path);

/// True if the file, or standard input if it is a regular file, begins like a file of statistics
/// (and not like a table), even if it is truncated. Always false for pipes, which can be read only
/// once.
[[nodiscard]] bool looks_like_statistics(const std::string& path);

/// Writes a regular file atomically through `write`; devices and pipes are written directly. If the
/// name ends in ".gz", the bytes are compressed by gzip. An exception or a signal that ends the
/// program leaves no partial file; on file systems with unnamed files, nor does SIGKILL.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Installs handlers for the signals that end a program (SIGINT, SIGTERM, SIGXCPU, SIGABRT, …;
/// except those that are ignored or already handled). They remove the partial files of `write_file`
/// and then end the program with the same signal. For programs; the library never calls it.
void remove_partial_files_on_signal();
/// Removes the files that are being written. Safe in a signal handler.
void remove_partial_files() noexcept;

/// While it exists, such signals also remove the file `path`, or the directory and the files in it.
/// At most eight at a time.
class RemovedOnSignal {
 public:
  explicit RemovedOnSignal(const std::string& path) noexcept;
  RemovedOnSignal(const RemovedOnSignal&) = delete;
  RemovedOnSignal& operator=(const RemovedOnSignal&) = delete;
  ~RemovedOnSignal();

 private:
  int slot_;
};

}  // namespace genera
