# Installs BUILD, then configures, builds and runs the project in SOURCE against the copy.
set(work ${BUILD}/install-test)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# Other instructions, other optimisation and other checks than the library was compiled with.
set(flags "-O0 -D_GLIBCXX_ASSERTIONS")
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo cpu LIMIT_COUNT 1 REGEX "^flags.* avx2 .*")
  file(STRINGS /proc/cpuinfo fma LIMIT_COUNT 1 REGEX "^flags.* fma .*")
  if(cpu AND fma)
    string(APPEND flags " -march=x86-64-v3")
  endif()
endif()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)
if(EXISTS ${work}/prefix/bin/genera)  # with its manual page and the completion of shells
  foreach(page man/man1/genera.1 bash-completion/completions/genera zsh/site-functions/_genera
               fish/vendor_completions.d/genera.fish)
    if(NOT EXISTS ${work}/prefix/share/${page})
      message(FATAL_ERROR "share/${page} is not installed")
    endif()
  endforeach()
endif()
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${work}/build -DCMAKE_BUILD_TYPE=None
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${flags} -DGENERA_VERSION=${VERSION}
    -DCMAKE_PREFIX_PATH=${work}/prefix -DCORE_ALONE=${CORE_ALONE})
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/consumer)
run(${work}/build/core_alone)
