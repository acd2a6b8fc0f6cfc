# genera_add_tests(name source...): GoogleTest and RapidCheck cases as one program; each case is a
# test of ctest. Sources may include private headers ("kernel/text.hpp") and "support/..." of tests/.
#
# The headers every test needs take longer to compile than most tests, so all programs share them
# precompiled; a program must therefore not change its compile options.
include(GoogleTest)

function(genera_test_settings target)
  target_link_libraries(${target} PRIVATE genera::genera genera_warnings GTest::gtest_main rapidcheck
                                          Eigen3::Eigen fmt::fmt)
  target_compile_options(${target} PRIVATE -O0)  # tests are compiled more often than run
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
                                               ${PROJECT_SOURCE_DIR}/tests)
  target_compile_definitions(${target} PRIVATE GENERA_DATA="${PROJECT_SOURCE_DIR}/data"
                                               GENERA_TESTS="${PROJECT_SOURCE_DIR}/tests")
endfunction()

# What several programs need besides, compiled once with the headers.
function(genera_test_support)
  if(TARGET genera_test_support)
    return()
  endif()
  add_library(genera_test_support OBJECT ${PROJECT_SOURCE_DIR}/tests/support/discrete_tables.cpp
                                         ${PROJECT_SOURCE_DIR}/tests/support/every_model.cpp
                                         ${PROJECT_SOURCE_DIR}/tests/support/problems.cpp)
  genera_test_settings(genera_test_support)
  target_precompile_headers(genera_test_support PRIVATE <gtest/gtest.h> <rapidcheck/gtest.h>
                                                        <genera/genera.hpp>)
endfunction()

# Cases that draw or search many times over what others show once: sanitizers slow them down tenfold and
# find nothing in the repetition.
set(GENERA_SLOW_CASES MixturesWithHoles.HaveTheLikelihoodOfWhatIsObserved
    Cluster.LosesNoLikelihoodWithMoreStarts OutlierTail.OfModelsLearnedByEm*
    CollapsingCovariances.* LeaveOneOut.OfEveryRowOfLargerSetsEqualsRefits)
set(GENERA_CASES "*")
if(GENERA_SANITIZE)
  list(JOIN GENERA_SLOW_CASES ":" GENERA_CASES)
  string(PREPEND GENERA_CASES "-")
endif()

# Several sources are compiled as one: most of a test's time goes into templates that others need, too.
# Each has a namespace of its own.
function(genera_add_tests name)
  genera_test_support()
  add_executable(${name} ${ARGN} $<TARGET_OBJECTS:genera_test_support>)
  genera_test_settings(${name})
  target_precompile_headers(${name} REUSE_FROM genera_test_support)
  if(NOT BUILD_SHARED_LIBS)  # of a template that both instantiate, the library's code is taken: it is optimised
    target_link_options(${name} PRIVATE LINKER:--whole-archive $<TARGET_FILE:genera>
                                        $<TARGET_FILE:genera_core> LINKER:--no-whole-archive)
  endif()
  if(GENERA_MERGE_SOURCES)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST TEST_FILTER "${GENERA_CASES}")
endfunction()
