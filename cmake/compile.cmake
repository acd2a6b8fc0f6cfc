# How our sources are compiled, in whatever target they are.
option(GENERA_PRECOMPILE "Compile the headers that most sources include once per target" ON)

# GCC looks for memory that it can use again while it has little; with a gigabyte it need not, and takes
# a tenth less time.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND PROJECT_IS_TOP_LEVEL)
  add_compile_options("SHELL:--param ggc-min-expand=1000" "SHELL:--param ggc-min-heapsize=1000000")
endif()

# genera_position_independent(target): so that the Python module can link it, too. Its functions are
# still inlined within a source: nobody replaces them at run time.
function(genera_position_independent target)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
endfunction()

# genera_precompile(target): sources still include what they use, so that they compile without.
function(genera_precompile target)
  if(GENERA_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE
      <algorithm> <array> <cmath> <cstdint> <functional> <limits> <map> <memory> <numeric> <optional>
      <span> <string> <string_view> <utility> <variant> <vector> <fmt/format.h> ${ARGN})
  endif()
endfunction()

# genera_cold_options(target): code that runs once per call. It is compiled more often than it matters,
# and GCC takes a quarter less time for -Og than for -O1, half of what it takes for -O3. It then follows
# values less far and takes some for uninitialised.
function(genera_cold_options target)
  target_compile_options(${target} PRIVATE -ffp-contract=off
    $<$<CONFIG:Release>:-Og $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>>
    $<$<AND:$<CONFIG:Debug>,$<NOT:$<BOOL:${GENERA_BUILD_FUZZERS}>>>:-O0>)
  genera_position_independent(${target})
endfunction()

# What all cold targets share: headers precompiled with other options than a source's make GCC crash.
file(WRITE ${PROJECT_BINARY_DIR}/cold_headers.cpp "")
add_library(genera_cold_headers OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/cold_headers.cpp)
target_link_libraries(genera_cold_headers PRIVATE genera_warnings fmt::fmt)
genera_cold_options(genera_cold_headers)
genera_precompile(genera_cold_headers)

# genera_cold(target): with these options and headers; it links fmt::fmt, as they do.
function(genera_cold target)
  genera_cold_options(${target})
  if(GENERA_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM genera_cold_headers)
  endif()
endfunction()

option(GENERA_MERGE_SOURCES "Compile the sources of a folder as one: the whole build takes half the time" OFF)

# genera_merge_sources(target): by folder, so that what is compiled together belongs together. Sources
# still include what they use and share no unnamed namespace's names within a folder.
function(genera_merge_sources target)
  if(NOT GENERA_MERGE_SOURCES)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source IN LISTS sources)
    if(source MATCHES "(_simd\\.cpp|TARGET_OBJECTS.*)$" OR NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    string(REGEX MATCH "^.*/" folder ${source})
    string(REGEX REPLACE "/.*" "" folder "${folder}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${target}_${folder}")
  endforeach()
endfunction()
