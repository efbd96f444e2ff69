include(GoogleTest)

# trammel_module(name [lower modules ...] [PUBLIC libs ...] [PRIVATE libs ...] [EXCLUDE files ...])
#   one static library per folder of src/; a folder without sources becomes an interface library.
function(trammel_module name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE;EXCLUDE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  foreach(excluded ${ARG_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX "/${excluded}$")
  endforeach()
  set(lower ${ARG_UNPARSED_ARGUMENTS})
  list(TRANSFORM lower PREPEND trammel_)
  if(sources)
    add_library(trammel_${name} STATIC ${sources})
    target_include_directories(trammel_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
    target_link_libraries(trammel_${name} PUBLIC ${lower} ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  else()
    add_library(trammel_${name} INTERFACE)
    target_include_directories(trammel_${name} INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
    target_link_libraries(trammel_${name} INTERFACE ${lower} ${ARG_PUBLIC} ${ARG_PRIVATE})
  endif()
endfunction()

# trammel_test(name LIBS libs ... [LABEL label] [SAMPLES])
#   one test program per folder of tests/, registered as one ctest entry per program. With SAMPLES, each case of its
#   suites *Samples is an entry of its own, label samples, so that the summary names those that are skipped where
#   TRAMMEL_SAMPLES names no real files.
function(trammel_test name)
  cmake_parse_arguments(ARG "SAMPLES" "LABEL" "LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE ${ARG_LIBS} GTest::gtest GTest::gtest_main)
  target_compile_definitions(test_${name} PRIVATE TRAMMEL_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(ARG_SAMPLES)
    add_test(NAME ${name} COMMAND test_${name} --gtest_filter=-*Samples.*)
    gtest_discover_tests(test_${name} TEST_FILTER *Samples.* TEST_PREFIX ${name}/ DISCOVERY_TIMEOUT 60
                         PROPERTIES LABELS samples)
  else()
    add_test(NAME ${name} COMMAND test_${name})
  endif()
  if(ARG_LABEL)
    set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL})
  endif()
endfunction()

# trammel_device_test(name): the same program again for what it tests on a device (support/each_device.h), label
#   gpu; skipped, with the reason in its output, where there is no device. A case that fails counts before others that
#   are skipped.
function(trammel_device_test name)
  if(NOT TARGET test_${name})
    return()
  endif()
  if(TARGET trammel_plugins)
    add_dependencies(test_${name} trammel_plugins)
  endif()
  add_test(NAME ${name}_gpu COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/pass_fail_or_skip $<TARGET_FILE:test_${name}>
                                    --gtest_filter=*/cuda0*)
  set_tests_properties(${name}_gpu PROPERTIES LABELS gpu SKIP_RETURN_CODE 77)
endfunction()
