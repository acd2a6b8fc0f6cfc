#pragma once

#include "tour/runner.hpp"

#include <string>

namespace genera::cli::tour {

/// The page that a text describes, as HTML; its commands run in the working folder.
///
///     # Title                      of the page, or of the part that begins with the next section
///     ## Title {#id}               a section
///     text                         a paragraph, with {expressions} (tour/values.hpp)
///         indented by four         a formula
///     > text                       an aside; ### is its title
///     | a | b |                    a table; a row with [*] is repeated for each item of the array
///     ---                          the footer begins
///
/// A block ```KIND ARGUMENT holds commands; lines directly below it are its caption:
///
///     values NAME                  the last command prints JSON or text, which expressions name
///     figure DESCRIPTION           the last command draws it; adjacent figures share a row
///     table                        the commands that print the numbers of the table below
///     csv FORMAT                   the last command prints CSV, numbers in this format (.2f)
///     output                       what the last command prints
///
/// Commands are shown with the earlier ones that make their files. Throws Error (bad_data).
[[nodiscard]] std::string page_of(const std::string& text, CommandRunner& runner);

}  // namespace genera::cli::tour
