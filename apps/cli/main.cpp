#include "command.hpp"
#include "show/output.hpp"
#include "show/report.hpp"

#include <genera/error.hpp>
#include <genera/io.hpp>

#include <csignal>
#include <exception>
#include <new>
#include <stdexcept>

namespace genera::cli {
namespace {

int out_of_memory() {
  report_error(
      "there is not enough memory for this",
      "use fewer columns, fewer --threads, --hash-bits for text, or a diagonal model such as "
      "--model gnb");
  return 1;
}

int status_of(const std::vector<std::string>& words) {
  try {
    run_command(words);
    return 0;
  } catch (const ClosedPipe&) {
    return 0;
  } catch (const Error& error) {
    report_error(error.what(), error.hint());
    return exit_status(error.code());
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::length_error&) {
    return out_of_memory();
  } catch (const std::exception& error) {
    report_error(std::string("something unforeseen happened: ") + error.what(),
                 "please report it together with the command and, if you can, the data");
    return 1;
  }
}

}  // namespace
}  // namespace genera::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is seen, and ends the program quietly, on writing
  genera::remove_partial_files_on_signal();
  return genera::cli::status_of({argv + (argc > 0 ? 1 : 0), argv + argc});
}
