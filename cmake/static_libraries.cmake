# For the Python module: libraries go into it where there is an archive that can be part of a shared
# object. Those of Debian were compiled for programs (-fPIE), which is enough if their symbols are
# hidden (--exclude-libs), as the module has them.
include(CheckCXXSourceCompiles)

# genera_archive(variable name code): the path of lib<name>.a if `code` can be linked with it into a
# shared object.
function(genera_archive variable name code)
  find_library(GENERA_ARCHIVE_${name} lib${name}.a)
  mark_as_advanced(GENERA_ARCHIVE_${name})
  set(${variable} "" PARENT_SCOPE)
  if(NOT GENERA_ARCHIVE_${name})
    return()
  endif()
  set(CMAKE_REQUIRED_FLAGS -fPIC)
  set(CMAKE_REQUIRED_LINK_OPTIONS -shared -Wl,-z,text -Wl,--exclude-libs,ALL)
  set(CMAKE_REQUIRED_LIBRARIES -Wl,--whole-archive ${GENERA_ARCHIVE_${name}} -Wl,--no-whole-archive)
  check_cxx_source_compiles("${code}" GENERA_ARCHIVE_${name}_FITS)
  if(GENERA_ARCHIVE_${name}_FITS)
    set(${variable} ${GENERA_ARCHIVE_${name}} PARENT_SCOPE)
  endif()
endfunction()

genera_archive(archive z "#include <zlib.h>
int f(z_stream* stream) { return inflate(stream, 0); }")
if(archive)
  set(ZLIB_LIBRARY ${archive})
endif()
genera_archive(archive utf8proc "#include <utf8proc.h>
int f(int c) { return utf8proc_category(c); }")
if(archive)
  set(UTF8PROC_LIBRARY ${archive})
endif()
