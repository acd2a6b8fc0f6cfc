# Compiles the data sets listed in data/catalogue.txt into a target. Each CSV file becomes one
# source file of its own, written again only when that file changes.

set(GENERA_CATALOGUE ${PROJECT_SOURCE_DIR}/data/catalogue.txt)

function(genera_embed_datasets target)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${GENERA_CATALOGUE})
  file(STRINGS ${GENERA_CATALOGUE} lines REGEX "^[^#]")
  set(folder ${PROJECT_BINARY_DIR}/builtin)
  set(declarations "")
  set(entries "")
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([a-z0-9_]+) \\| (.+)$")
      message(FATAL_ERROR "${GENERA_CATALOGUE}: expected 'name | description', found '${line}'")
    endif()
    set(name ${CMAKE_MATCH_1})
    set(description "${CMAKE_MATCH_2}")
    set(source ${PROJECT_SOURCE_DIR}/data/${name}.csv)
    add_custom_command(
      OUTPUT ${folder}/${name}.cpp
      COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DINPUT=${source} -DOUTPUT=${folder}/${name}.cpp
              -P ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake
      DEPENDS ${source} ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake
      COMMENT "Embedding ${name}.csv"
      VERBATIM)
    target_sources(${target} PRIVATE ${folder}/${name}.cpp)
    set_source_files_properties(${folder}/${name}.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    string(APPEND declarations
           "extern const char ${name}_text[];\nextern const decltype(sizeof(0)) ${name}_size;\n")
    string(APPEND entries
           "    {\"${name}\", R\"_(${description})_\", {${name}_text, ${name}_size}},\n")
  endforeach()
  set(GENERA_DATASET_DECLARATIONS "${declarations}")
  set(GENERA_DATASET_ENTRIES "${entries}")
  configure_file(${PROJECT_SOURCE_DIR}/cmake/catalogue.cpp.in ${folder}/catalogue.cpp @ONLY)
  target_sources(${target} PRIVATE ${folder}/catalogue.cpp)
endfunction()
