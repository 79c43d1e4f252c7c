# One way to make a library, a program or a test of our own, so that each gets the same warnings.

set(IDKIOSK_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# The repository is the one include folder: #include "platform/base/error.h".
add_library(idkiosk_include INTERFACE)
target_include_directories(idkiosk_include INTERFACE ${CMAKE_SOURCE_DIR})

add_library(idkiosk_sanitizers INTERFACE)
if(IDKIOSK_SANITIZE)
  target_compile_options(idkiosk_sanitizers INTERFACE -fsanitize=${IDKIOSK_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(idkiosk_sanitizers INTERFACE -fsanitize=${IDKIOSK_SANITIZE})
endif()

add_library(idkiosk_options INTERFACE)
target_compile_options(idkiosk_options INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Werror -fstack-protector-strong
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wthread-safety>
  # GCC 12 warns wrongly about strings and vectors that it has inlined.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds;-Wno-maybe-uninitialized>)
target_link_options(idkiosk_options INTERFACE -Wl,-z,relro,-z,now -Wl,--as-needed)
target_link_libraries(idkiosk_options INTERFACE idkiosk_sanitizers)
if(NOT IDKIOSK_SANITIZE)
  target_compile_definitions(idkiosk_options INTERFACE $<$<CONFIG:RelWithDebInfo>:_FORTIFY_SOURCE=2>)
endif()

# idkiosk_library(NAME SOURCES file... [PUBLIC target...] [PRIVATE target...])
# PUBLIC: libraries of ours whose headers its headers include. Third-party libraries are PRIVATE.
function(idkiosk_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE idkiosk_options ${arg_PRIVATE})
endfunction()

# idkiosk_program(NAME SOURCES file... LINK target...)
function(idkiosk_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE idkiosk_options ${arg_LINK})
endfunction()

add_custom_target(idkiosk_unit_tests)

# test_runs(LABEL file...)
# Says which files decide whether the tests with this label pass, beside the data in config/ and tests/: tools/test
# does not run them again while these are what they were. The list is written to build/test_files.
function(test_runs label)
  set_property(GLOBAL APPEND_STRING PROPERTY IDKIOSK_TEST_FILES "${label};${ARGN}\n")
endfunction()

# idkiosk_test(NAME SOURCES file... LINK target... [UNIT] [TIMEOUT seconds] [ENVIRONMENT NAME=VALUE...]
#              [PROGRAMS target...])
# A GoogleTest program, each of its cases registered with CTest under the label NAME. UNIT: in the release build, the
# same program from the asan build is one more test, `asan.NAME`; tools/test builds both. PROGRAMS: what it starts.
function(idkiosk_test name)
  cmake_parse_arguments(arg "UNIT" "TIMEOUT" "SOURCES;LINK;ENVIRONMENT;PROGRAMS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  idkiosk_program(${name} SOURCES ${arg_SOURCES} LINK ${arg_LINK} GTest::gtest_main GTest::gmock)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS ${name} ENVIRONMENT "${arg_ENVIRONMENT}")
  set(files $<TARGET_FILE:${name}>)
  foreach(program ${arg_PROGRAMS})
    add_dependencies(${name} ${program})
    list(APPEND files $<TARGET_FILE:${program}>)
  endforeach()
  test_runs(${name} ${files})
  if(arg_UNIT)
    add_dependencies(idkiosk_unit_tests ${name})
    if(CMAKE_BINARY_DIR STREQUAL ${CMAKE_SOURCE_DIR}/build)
      set(sanitized ${CMAKE_SOURCE_DIR}/build/asan/tests/${name})
      add_test(NAME asan.${name} COMMAND ${sanitized} --gtest_brief=1 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
      set_tests_properties(asan.${name} PROPERTIES TIMEOUT 1800 LABELS asan.${name})
      test_runs(asan.${name} ${sanitized})
    endif()
  endif()
endfunction()
