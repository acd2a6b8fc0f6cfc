# `find_package(genera)` for other projects.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(GENERA_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/genera)

install(TARGETS genera genera_core EXPORT generaTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/genera ${PROJECT_BINARY_DIR}/include/genera
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")

install(EXPORT generaTargets NAMESPACE genera:: DESTINATION ${GENERA_CONFIG_DIR})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/generaConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/generaConfig.cmake
                              INSTALL_DESTINATION ${GENERA_CONFIG_DIR})
# Before 1.0 every minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/generaConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/utf8proc.cmake ${PROJECT_BINARY_DIR}/generaConfig.cmake
              ${PROJECT_BINARY_DIR}/generaConfigVersion.cmake
        DESTINATION ${GENERA_CONFIG_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
