# How our sources are compiled, in whatever target they are.
option(GENERA_PRECOMPILE "Compile the headers that most sources include once per target" ON)

# genera_cold(target): code that runs once per call. It is compiled more often than it matters, and
# -O1 takes half the time of -O3. GCC then follows values less far and takes some for uninitialised.
function(genera_cold target)
  target_compile_options(${target} PRIVATE
    $<$<CONFIG:Release>:-O1 $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>>)
endfunction()

# genera_precompile(target): sources still include what they use, so that they compile without.
# GCC crashes if headers precompiled with one -O are used with another: one set per target.
function(genera_precompile target)
  if(GENERA_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <numeric> <optional>
      <span> <string> <string_view> <utility> <variant> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()
