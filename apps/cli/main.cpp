#include "command.hpp"
#include "show/output.hpp"
#include "show/report.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>

namespace genera::cli {
namespace {

/// If standard output or error is closed, a file opened later would get its descriptor and its
/// bytes. Closed descriptors are therefore opened in the unused direction, so that their use still
/// fails.
void hold_closed_descriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(number, F_GETFD) < 0 && errno == EBADF)
      (void)::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);  // the lowest one
}

int out_of_memory() {
  report_error(
      "there is not enough memory for this",
      "use fewer columns, fewer --threads, --hash-bits for text, or a diagonal model such as "
      "--model gnb");
  return 1;
}

bool is_about_memory(const std::exception_ptr& error) noexcept {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
  }
  return false;
}

/// If memory is too short to throw an exception, the runtime terminates the program. This handler
/// reports the reason without allocating. Other causes terminate as usual.
[[noreturn]] void end_without_memory() noexcept {
  constexpr std::size_t enough_to_throw = 65536;
  void* some = is_about_memory(std::current_exception()) ? nullptr : std::malloc(enough_to_throw);
  if (some) {
    std::free(some);
    std::abort();
  }
  constexpr std::string_view text =
      "genera: error: there is not enough memory for this\n"
      "hint: use fewer columns, fewer --threads, --hash-bits for text, or a diagonal model such as "
      "--model gnb\n";
  remove_partial_files();
  (void)!::write(STDERR_FILENO, text.data(), text.size());
  ::_exit(1);
}

/// Runs before objects of static storage are constructed, which needs memory.
[[gnu::constructor(101)]] void handle_termination() noexcept {
  std::set_terminate(end_without_memory);
}

int status_of(int argc, char** argv) {
  try {
    run_command({argv + (argc > 0 ? 1 : 0), argv + argc});
    return 0;
  } catch (const ClosedPipe&) {
    return 0;
  } catch (const Error& error) {
    report_error(error.problem(), error.hint());
    return exit_status(error.code());
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::length_error&) {
    return out_of_memory();
  } catch (const std::exception& error) {
    report_error(std::string("unexpected error: ") + error.what(),
                 "please report it together with the command and, if you can, the data");
    return 1;
  }
}

}  // namespace
}  // namespace genera::cli

int main(int argc, char** argv) {
  genera::cli::hold_closed_descriptors();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is seen, and ends the program quietly, on writing
  std::signal(SIGXFSZ, SIG_IGN);  // so is a limit of file sizes, which is an error with words
  genera::remove_partial_files_on_signal();
  return genera::cli::status_of(argc, argv);
}
