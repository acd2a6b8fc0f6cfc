// A CSV text: whatever it holds, it becomes a table or a refusal with place and cure, and the same
// one however its bytes arrive and however its columns were found.
#include "../check.hpp"
#include "../targets.hpp"
#include "same_rows.hpp"

#include <array>
#include <optional>

#include <genera/stats.hpp>
#include <genera/stream.hpp>

namespace genera::fuzz {
namespace {

CsvOptions some_format(Input& input) {
  CsvOptions csv;
  csv.header = input.choice(8) != 7;
  constexpr std::array<char, 4> delimiters{',', ';', '\t', '|'};
  if (const std::size_t known = input.choice(16); known < delimiters.size())
    csv.delimiter = delimiters[known];
  if (const std::size_t decimal = input.choice(16); decimal < 2)
    csv.decimal = decimal == 0 ? '.' : ',';
  if (input.choice(4) == 3) csv.missing_tokens = {"NA", "?"};
  return csv;
}

Roles some_roles(Input& input) {
  Roles roles;
  constexpr std::array<ColumnType, 5> types{ColumnType::numeric, ColumnType::categorical,
                                            ColumnType::binary, ColumnType::count,
                                            ColumnType::text};
  if (const std::size_t type = input.choice(16); type < types.size())
    roles.default_type = types[type];
  switch (input.choice(8)) {
    case 5:
      roles.target = Target::none();
      break;
    case 6:
      roles.target = Target::if_named();
      break;
    case 7:
      roles.target = "label";
      break;
    default:
      break;
  }
  if (input.choice(8) == 7) roles.weights = "w";
  if (input.choice(8) == 7) roles.text.hash_bits = 4;
  return roles;
}

Kept something_kept(Input& input) {
  switch (input.choice(4)) {
    case 1:
      return KeptCells{};
    case 2:
      return KeptRecords{};
    default:
      return {};
  }
}

}  // namespace

void csv(std::string_view bytes) {
  Input input(bytes);
  const CsvOptions format = some_format(input);
  const Roles roles = some_roles(input);
  const Kept kept = something_kept(input);
  const std::size_t piece = 1 + input.choice(9);

  const auto reader = [&](const Source& source) {
    return [&, source] {
      RowStream stream(source, format, roles, {.kept = kept});
      return read_rows(stream);
    };
  };
  const Read at_once = read_of(reader(Source::text(input.rest(), "in")));
  require_same(at_once, read_of(reader(in_pieces(input.rest(), piece, Source::Format::csv))));
  if (!at_once.table) return;
  check_table(*at_once.table);

  const std::string refused = refusal([&] {
    RowStream stream(Source::text(input.rest(), "in"), format, roles);
    (void)collect(stream, {.missing = Missing::drop});
  });
  if (!at_once.table->columns.empty()) {
    ExpectedRoles expected(at_once.table->columns);
    expected.text = roles.text;
    const std::string other = refusal([&] {
      const Table again = read_csv(Source::text(input.rest(), "in"), expected, format);
      require(same_numbers(again.numbers, at_once.table->numbers),
              "a model that expects the columns finds the same numbers");
    });
    require(other.empty(), "columns that were found once are found again");
  }
}

}  // namespace genera::fuzz
