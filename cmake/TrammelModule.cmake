include(GoogleTest)

# trammel_module(name [lower modules ...] [PUBLIC libs ...] [PRIVATE libs ...] [EXCLUDE files ...])
#   one static library per folder of src/, with the folders in it; a folder without sources becomes an interface library.
function(trammel_module name)
  cmake_parse_arguments(ARG "" "" "PUBLIC;PRIVATE;EXCLUDE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  foreach(excluded ${ARG_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX "/${excluded}$")
  endforeach()
  set(lower ${ARG_UNPARSED_ARGUMENTS})
  list(TRANSFORM lower PREPEND trammel_)
  if(sources)
    add_library(trammel_${name} STATIC ${sources})
    # The same objects are linked into the program and into libtrammel.so (src/api). With hidden symbols position
    # independent code costs the program nothing that could be measured.
    set_target_properties(trammel_${name} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                          VISIBILITY_INLINES_HIDDEN ON)
    target_include_directories(trammel_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
    target_link_libraries(trammel_${name} PUBLIC ${lower} ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  else()
    add_library(trammel_${name} INTERFACE)
    target_include_directories(trammel_${name} INTERFACE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
    target_link_libraries(trammel_${name} INTERFACE ${lower} ${ARG_PUBLIC} ${ARG_PRIVATE})
  endif()
endfunction()

# trammel_unity(target n): compiles its sources n at a time, as one: headers are read once for all of them. Names in
#   unnamed namespaces must differ within a folder.
function(trammel_unity target batch)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TRAMMEL_UNITY} UNITY_BUILD_BATCH_SIZE ${batch})
endfunction()

# trammel_test(name LIBS libs ... [LABEL label] [SAMPLES])
#   one test program per folder of tests/, registered as one ctest entry per program. With SAMPLES, each case of its
#   suites *Samples is an entry of its own, label samples, so that the summary names those that are skipped where
#   TRAMMEL_SAMPLES names no real files.
function(trammel_test name)
  cmake_parse_arguments(ARG "SAMPLES" "LABEL" "LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    message(FATAL_ERROR "trammel_test(${name}): the folder ${CMAKE_CURRENT_SOURCE_DIR}/${name} has no sources")
  endif()
  add_executable(test_${name} ${sources})
  target_link_libraries(test_${name} PRIVATE ${ARG_LIBS} GTest::gtest GTest::gtest_main)
  target_compile_definitions(test_${name} PRIVATE TRAMMEL_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  # What takes their time is in the libraries; a quarter less to compile.
  target_compile_options(test_${name} PRIVATE "$<$<CONFIG:Release>:-O1>")
  trammel_unity(test_${name} 5)
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
  if(TARGET trammel_plugins)
    add_dependencies(test_${name} trammel_plugins)
  endif()
  add_test(NAME ${name}_gpu COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/pass_fail_or_skip $<TARGET_FILE:test_${name}>
                                    --gtest_filter=*/cuda0*)
  set_tests_properties(${name}_gpu PROPERTIES LABELS gpu SKIP_RETURN_CODE 77)
endfunction()

# trammel_check_test_files(): every source file below this folder belongs to a program, and one with tests to exactly
#   one, so that no test is forgotten and none runs twice. Folders *_fixture hold files that are wrong on purpose.
function(trammel_check_test_files)
  set(used)
  get_property(folders DIRECTORY PROPERTY SUBDIRECTORIES)
  foreach(folder ${CMAKE_CURRENT_SOURCE_DIR} ${folders})
    get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target ${targets})
      get_target_property(sources ${target} SOURCES)
      foreach(source IN LISTS sources)
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
        list(APPEND used ${source})
      endforeach()
    endforeach()
  endforeach()

  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(file ${files})
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE shown)
    if(shown MATCHES "_fixture/")
      continue()
    endif()
    set(of_this ${used})
    list(FILTER of_this INCLUDE REGEX "^${file}$")
    list(LENGTH of_this programs)
    file(STRINGS ${file} tests REGEX "^(TYPED_)?TEST(_[FP])?\\(" LIMIT_COUNT 1)
    if(programs EQUAL 0)
      message(SEND_ERROR "${shown} is in no program")
    elseif(tests AND programs GREATER 1)
      message(SEND_ERROR "${shown} has tests and is in ${programs} programs")
    endif()
  endforeach()
endfunction()

# trammel_page_example(test PAGE [HEADER]): compiles the first C++ block of docs/PAGE into the test program, as it stands
#   there, or makes it a header that the program's sources include as <pages/NAME.h>.
function(trammel_page_example test page)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/docs/${page})
  file(READ ${CMAKE_SOURCE_DIR}/docs/${page} text)
  string(FIND "${text}" "```cpp\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "docs/${page} has no C++ block")
  endif()
  math(EXPR begin "${begin} + 7")
  string(SUBSTRING "${text}" ${begin} -1 text)
  string(FIND "${text}" "```" end)
  string(SUBSTRING "${text}" 0 ${end} text)
  set(suffix cpp)
  if("HEADER" IN_LIST ARGN)
    set(suffix h)
    target_include_directories(test_${test} PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  string(REPLACE ".md" ".${suffix}" name ${page})
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/pages/${name} CONTENT "${text}" @ONLY)
  target_sources(test_${test} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/pages/${name})
endfunction()
