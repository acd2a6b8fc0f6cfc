#include "run.hpp"

namespace genera::python {
namespace {

const char* name_of(Progress::Task task) {
  switch (task) {
    case Progress::Task::reading:
      return "reading";
    case Progress::Task::answering:
      return "answering";
    case Progress::Task::drawing:
      return "drawing";
    case Progress::Task::iterating:
      return "iterating";
    case Progress::Task::searching:
      return "searching";
    case Progress::Task::fitting:
      break;
  }
  return "fitting";
}

}  // namespace

int threads_of(nb::handle threads) {
  if (threads.is_none())
    return nb::cast<int>(nb::module_::import_("genera._threads").attr("available")());
  int count = 0;
  if (!nb::try_cast(threads, count))
    throw nb::type_error("threads must be a whole number, or None for all");
  if (count < 1) throw nb::value_error("threads must be at least 1, or None for all");
  return count;
}

bool Listener::listen() {
  if (stop_) return false;
  try {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    std::optional<Progress> latest;
    {
      const std::lock_guard lock(mutex_);
      latest = std::exchange(latest_, std::nullopt);
    }
    if (latest && !tell_.is_none())
      tell_(name_of(latest->task), latest->done,
            latest->total ? nb::cast(*latest->total) : nb::none());
  } catch (nb::python_error& error) {
    error_.emplace(std::move(error));
    stop_ = true;
  }
  return !stop_;
}

bool Listener::report(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  latest_ = progress;
  return !stop_;
}

void Listener::rethrow() {
  if (error_) throw std::move(*error_);
}

}  // namespace genera::python
