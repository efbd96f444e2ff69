# libtrammel.so: the modules' own objects, of which it shows the C interface alone; installed with headers and what
# find_package(trammel) needs. Target: trammel::trammel
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(trammel_shared SHARED $<TARGET_OBJECTS:trammel_api>)
add_library(trammel::trammel ALIAS trammel_shared)
target_link_libraries(trammel_shared PRIVATE trammel_study)
target_include_directories(trammel_shared INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include>
                                                    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_link_options(trammel_shared PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/src/api/exports.map)
set_target_properties(trammel_shared PROPERTIES
                      OUTPUT_NAME trammel
                      EXPORT_NAME trammel
                      VERSION ${PROJECT_VERSION}
                      SOVERSION ${PROJECT_VERSION_MAJOR}
                      LINKER_LANGUAGE CXX
                      LINK_DEPENDS ${CMAKE_SOURCE_DIR}/src/api/exports.map)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/trammel)
file(WRITE ${CMAKE_BINARY_DIR}/package/trammelConfig.cmake
     "include(\${CMAKE_CURRENT_LIST_DIR}/trammelTargets.cmake)\n")
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/trammelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(TARGETS trammel_shared EXPORT trammel LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/trammel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT library)
install(EXPORT trammel FILE trammelTargets.cmake NAMESPACE trammel:: DESTINATION ${package} COMPONENT library)
install(FILES ${CMAKE_BINARY_DIR}/package/trammelConfig.cmake ${CMAKE_BINARY_DIR}/package/trammelConfigVersion.cmake
        DESTINATION ${package} COMPONENT library)
