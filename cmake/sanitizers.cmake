# -DGENERA_SANITIZE=address,undefined (or thread): everything of ours is instrumented.
set(GENERA_SANITIZE "" CACHE STRING "Sanitizers to compile with, separated by commas")
if(GENERA_SANITIZE)
  add_compile_options(-fsanitize=${GENERA_SANITIZE} -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${GENERA_SANITIZE})
endif()
# Fuzzers follow which branches are taken; their programs alone link libFuzzer (fuzz/).
if(GENERA_BUILD_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
