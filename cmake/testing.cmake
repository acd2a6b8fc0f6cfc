# genera_add_tests(name source...): GoogleTest and RapidCheck cases as one program; each case is a
# test of ctest. Sources may include private headers ("kernel/text.hpp") and "support/..." of tests/.
#
# The headers every test needs take longer to compile than most tests, so all programs share them
# precompiled; a program must therefore not change its compile options.
include(GoogleTest)

function(genera_test_settings target)
  target_link_libraries(${target} PRIVATE genera::genera genera_warnings GTest::gtest_main rapidcheck
                                          Eigen3::Eigen)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
                                               ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${target} PRIVATE GENERA_DATA="${PROJECT_SOURCE_DIR}/data"
                                               GENERA_TESTS="${PROJECT_SOURCE_DIR}/tests")
endfunction()

function(genera_add_tests name)
  if(NOT TARGET genera_test_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_headers.cpp CONTENT "")
    add_library(genera_test_headers OBJECT ${PROJECT_BINARY_DIR}/test_headers.cpp)
    genera_test_settings(genera_test_headers)
    target_precompile_headers(genera_test_headers PRIVATE <gtest/gtest.h> <rapidcheck/gtest.h>
                                                          <genera/genera.hpp>)
  endif()
  add_executable(${name} ${ARGN})
  genera_test_settings(${name})
  target_precompile_headers(${name} REUSE_FROM genera_test_headers)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST)
endfunction()
