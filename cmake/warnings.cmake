# Ours alone: neither users nor third-party headers see these.
add_library(genera_warnings INTERFACE)
target_compile_options(genera_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(GENERA_WARNINGS_AS_ERRORS)
  target_compile_options(genera_warnings INTERFACE -Werror)
endif()
