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

/// Models and statistics as bytes. There and back gives the same value, bit for bit. The format is
/// docs/file-format.md.
[[nodiscard]] std::string to_bytes(const Model& model, Format format = Format::json);
[[nodiscard]] std::string to_bytes(const LinearModel& model, Format format = Format::json);
[[nodiscard]] std::string to_bytes(const Classifier& classifier, Format format = Format::json);
[[nodiscard]] std::string to_bytes(const Statistics& statistics, Format format = Format::json);

/// What travels between the partitions of an EM (genera/em.hpp).
[[nodiscard]] std::string to_bytes(const ObservedStatistics& statistics,
                                   Format format = Format::json);
[[nodiscard]] std::string to_bytes(const ExpectedSums& sums, Format format = Format::json);
[[nodiscard]] std::string to_bytes(const PatternSums& sums, Format format = Format::json);

/// Throws Error (bad_model) with the reason, which begins with `name`, if the bytes are damaged,
/// truncated, inconsistent, of another kind or of a newer version. A linear model is a classifier,
/// but not a Model.
[[nodiscard]] Classifier classifier_from_bytes(std::string_view bytes,
                                               const std::string& name = "model");
[[nodiscard]] Model model_from_bytes(std::string_view bytes, const std::string& name = "model");
[[nodiscard]] Statistics statistics_from_bytes(std::string_view bytes,
                                               const std::string& name = "statistics");

/// What the driver and the partitions of softmax regression send each other. Readers check formats,
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
/// Sums of another plan are refused, too.
[[nodiscard]] ExpectedSums expected_sums_from_bytes(std::string_view bytes, const EmPlan& plan,
                                                    const std::string& name = "expected sums");
[[nodiscard]] PatternSums pattern_sums_from_bytes(std::string_view bytes, const EmPlan& plan,
                                                  const std::string& name = "pattern sums");

/// Models and statistics as files: JSON, or CBOR if the name ends in ".cbor"; packed by gzip if
/// ".gz" follows.
void save(const Model& model, const std::string& path);
void save(const LinearModel& model, const std::string& path);
void save(const Classifier& classifier, const std::string& path);
void save(const Statistics& statistics, const std::string& path);

/// From a file, or "-" for standard input; gzip is recognised. Throws Error (bad_model), also if it
/// cannot be read.
[[nodiscard]] Classifier load_classifier(const std::string& path);
[[nodiscard]] Model load_model(const std::string& path);
[[nodiscard]] Statistics load_statistics(const std::string& path);

/// Whether the file, or standard input if it is a file, begins like one of ours that holds
/// statistics (and not like a table), even if it is cut off. Never of a pipe, which can be read
/// only once.
[[nodiscard]] bool looks_like_statistics(const std::string& path);

/// Writes through `write` into a regular file that appears whole or not at all; a device or pipe is
/// written directly. If the name ends in ".gz", the bytes are packed by gzip. On an exception, or a
/// signal that ends the program, nothing is left behind; where the file system has files without a
/// name, not even after SIGKILL.
void write_file(const std::string& path, const std::function<void(std::ostream&)>& write);

/// Installs handlers of the signals that end a program (SIGINT, SIGTERM, SIGXCPU, SIGABRT, …; not
/// of those that are ignored or have a handler already) that remove what `write_file` has begun and
/// then end the program as the signal would. For programs; the library never calls it.
void remove_partial_files_on_signal();
/// Removes files that are being written. Safe in a signal handler.
void remove_partial_files() noexcept;

/// While it lives, such a signal removes the file `path` as well, or the folder with the files in
/// it. Beyond eight at a time they stay.
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
