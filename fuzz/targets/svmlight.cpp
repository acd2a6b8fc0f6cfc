// An svmlight text: a table or a refusal, the same however its bytes arrive.
#include "../check.hpp"
#include "../targets.hpp"
#include "same_rows.hpp"

#include <genera/stats.hpp>
#include <genera/stream.hpp>

namespace genera::fuzz {

void svmlight(std::string_view bytes) {
  Input input(bytes);
  Roles roles;
  switch (input.choice(4)) {
    case 1:
      roles.default_type = ColumnType::count;
      break;
    case 2:
      roles.target = Target::none();
      break;
    case 3:
      roles.default_type = ColumnType::numeric;
      break;
    default:
      break;
  }
  const std::size_t piece = 1 + input.choice(9);
  const auto reader = [&](const Source& source) {
    return [&, source] { return read_csv(source, roles); };
  };
  const auto at_once = read_of(reader(Source::text(input.rest(), "in", Source::Format::svmlight)));
  require_same(at_once, read_of(reader(in_pieces(input.rest(), piece, Source::Format::svmlight))));
  if (!at_once.table) return;
  check_table(*at_once.table);
  const std::string refused = refusal([&] {
    (void)collect(*at_once.table, {.scatter = Scatter::diagonal, .missing = Missing::drop});
  });
}

}  // namespace genera::fuzz
