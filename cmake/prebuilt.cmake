# The library as it was built in the folder GENERA_PREBUILT, position-independent, so that the Python
# module need not compile it again.
foreach(part genera_core genera)
  add_library(${part} STATIC IMPORTED GLOBAL)
  set(file ${GENERA_PREBUILT}/src/lib${part}.a)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "GENERA_PREBUILT: there is no ${file}")
  endif()
  set_target_properties(${part} PROPERTIES IMPORTED_LOCATION ${file})
  target_include_directories(${part} INTERFACE ${PROJECT_SOURCE_DIR}/include
                             ${GENERA_PREBUILT}/include)
  target_compile_features(${part} INTERFACE cxx_std_20)
endforeach()
target_link_libraries(genera_core INTERFACE Threads::Threads hwy::hwy fmt::fmt utf8proc::utf8proc)
target_link_libraries(genera INTERFACE genera_core fmt::fmt ZLIB::ZLIB)
