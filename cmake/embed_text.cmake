# Writes OUTPUT, a source file that holds the bytes of INPUT as an array named NAME_text.
# Raw literals compile many times faster than lists of numbers; they come in pieces because
# compilers limit the length of one literal.

set(piece_size 15000)

file(SIZE ${INPUT} size)
file(READ ${INPUT} whole)
string(LENGTH "${whole}" read)
if(whole MATCHES "[^\t\n -~]" OR NOT read EQUAL size)
  message(FATAL_ERROR "${INPUT}: only ASCII text with LF line ends can be embedded unchanged")
endif()

set(literals "")
set(offset 0)
while(offset LESS size)
  string(SUBSTRING "${whole}" ${offset} ${piece_size} piece)
  string(APPEND literals "R\"genera(${piece})genera\"\n")
  math(EXPR offset "${offset} + ${piece_size}")
endwhile()

file(WRITE ${OUTPUT} "// From data/${NAME}.csv.
#pragma GCC diagnostic ignored \"-Woverlength-strings\"
namespace genera::data::builtin {
extern const char ${NAME}_text[];
extern const decltype(sizeof(0)) ${NAME}_size;
const char ${NAME}_text[] =
${literals};
const decltype(sizeof(0)) ${NAME}_size = sizeof(${NAME}_text) - 1;
}  // namespace genera::data::builtin
")
