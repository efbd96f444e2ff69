# trammel_step_code(module SOURCES files ...): compiles the code of steps again for x86-64-v3 (AVX2) and x86-64-v4 (AVX-512) and
#   adds it to the module, which chooses when the program runs (src/integrate/step_code.cpp).
#
# Each compilation becomes one object whose only visible function is the way into it, trammel_step_code_NAME(). All else it defines,
# inline functions and templates too, is made local: the linker could otherwise take such a function, compiled with instructions
# that the processor lacks, for one of the same name elsewhere. Instructions that join a product and a sum stay off
# (-ffp-contract=off, as everywhere), and as GCC 12 all the same joins a difference and a sum of products beside each other,
# so do these instructions as a whole (-mno-fma) and, with AVX-512, which has them of its own, vectors of neighbouring
# operations: the bits are those of the first compilation, and an object with such an instruction stops the build. Small structures are copied and cleared
# by loops of registers: `rep stos` and `rep movs`, GCC's choice from 33 bytes on, begin slowly (3 % of a pendulum's step).
option(TRAMMEL_LATER_INSTRUCTIONS "On x86-64, optimized builds: compile the steps for later instruction sets, too" ON)

function(trammel_step_code module)
  cmake_parse_arguments(ARG "" "" "SOURCES" ${ARGN})
  string(FIND "${CMAKE_CXX_FLAGS}" "-fsanitize" sanitized)
  if(NOT TRAMMEL_LATER_INSTRUCTIONS OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" OR NOT CMAKE_OBJCOPY OR NOT CMAKE_OBJDUMP
     OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR CMAKE_BUILD_TYPE STREQUAL "Debug" OR sanitized GREATER -1)
    return()
  endif()
  set(no_joined_v4 -fno-tree-slp-vectorize)
  foreach(level v3 v4)
    set(objects trammel_steps_${level})
    set(joined ${CMAKE_CURRENT_BINARY_DIR}/${objects}.o)
    add_library(${objects} OBJECT ${ARG_SOURCES})
    set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                          VISIBILITY_INLINES_HIDDEN ON)
    trammel_unity(${objects} 6)
    target_compile_options(${objects} PRIVATE -march=x86-64-${level} -mno-fma ${no_joined_${level}} $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>
                           $<$<CXX_COMPILER_ID:GNU>:-mmemset-strategy=unrolled_loop:512:noalign,libcall:-1:noalign>
                           $<$<CXX_COMPILER_ID:GNU>:-mmemcpy-strategy=unrolled_loop:512:noalign,libcall:-1:noalign>)
    target_compile_definitions(${objects} PRIVATE TRAMMEL_INSTRUCTIONS_OF=x86_64_${level}
                               TRAMMEL_INSTRUCTIONS_NAME="x86-64-${level}")
    get_target_property(libraries trammel_${module} LINK_LIBRARIES)
    target_include_directories(${objects} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
    target_link_libraries(${objects} PRIVATE ${libraries})
    add_custom_command(OUTPUT ${joined}
      COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${joined} $<TARGET_OBJECTS:${objects}>
      COMMAND sh -c "! ${CMAKE_OBJDUMP} -d --no-show-raw-insn ${joined} | grep -m 1 -E 'vfn?m(add|sub)'"
      COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=trammel_step_code_x86_64_${level} ${joined}
      DEPENDS ${objects} $<TARGET_OBJECTS:${objects}> COMMAND_EXPAND_LISTS VERBATIM
      COMMENT "Steps for x86-64-${level}")
    set_source_files_properties(${joined} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(trammel_${module} PRIVATE ${joined})
  endforeach()
  set_property(SOURCE ${CMAKE_SOURCE_DIR}/src/integrate/step_code.cpp APPEND PROPERTY COMPILE_DEFINITIONS
               TRAMMEL_LATER_INSTRUCTIONS)
endfunction()
