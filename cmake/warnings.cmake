# Ours alone: neither users nor third-party headers see these.
add_library(genera_warnings INTERFACE)
target_compile_options(genera_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarm on "text" + std::string: https://gcc.gnu.org/PR105651
  target_compile_options(genera_warnings INTERFACE -Wno-restrict)
endif()
# A newer compiler's new warnings must not stop a user's build: only those of Debian 12 are errors.
if(GENERA_WARNINGS_AS_ERRORS AND "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
                                 MATCHES "^(GNU 12|Clang 14)\\.")
  target_compile_options(genera_warnings INTERFACE -Werror)
endif()
