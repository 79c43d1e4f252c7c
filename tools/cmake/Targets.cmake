# One way to make a library, a program or a test of our own, so that each gets the same warnings.

set(IDKIOSK_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")

# Programs are linked as what CMAKE_POSITION_INDEPENDENT_CODE compiles them for.
include(CheckPIESupported)
check_pie_supported()

find_program(CCACHE ccache)
if(CCACHE)
  # A clone in another folder finds what the first one has compiled: neither of their paths is in it.
  set(CMAKE_C_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${CCACHE})
  # What ccache asks for before it keeps what was compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
    CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
add_compile_options(-fdebug-prefix-map=${CMAKE_SOURCE_DIR}=.)

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
  -fPIC  # programs too: one precompiled header serves them and the libraries
  -Wall -Wextra -Wconversion -Wshadow -Werror
  # Clang's -Wconversion has more in it than GCC's for C++, and it hears of what libstdc++ itself calls that is deprecated.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wthread-safety;-Wno-sign-conversion;-Wno-deprecated-declarations>
  # Or a precompiled header out of ccache is taken for older than the header that CMake has written anew.
  "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>"
  # GCC 12 warns wrongly about strings and vectors that it has inlined.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread;-Wno-array-bounds;-Wno-maybe-uninitialized>)
target_link_libraries(idkiosk_options INTERFACE idkiosk_sanitizers fmt::fmt)

# precompiled_headers(NAME <header>...)
# Compiles these headers once for all libraries and programs that are added after this and whose options are the same:
# those of this folder and below. The preset `clang` does without, so that no file can rely on them instead of its own
# includes.
function(precompiled_headers name)
  file(CONFIGURE OUTPUT ${name}.cc CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cc)
  target_link_libraries(${name} PRIVATE idkiosk_options)
  target_precompile_headers(${name} PRIVATE ${ARGN})
  set(IDKIOSK_HEADERS ${name} PARENT_SCOPE)
endfunction()

# A third of what the compiler did for a file was to read these again.
set(IDKIOSK_COMMON_HEADERS
  <algorithm> <array> <atomic> <chrono> <condition_variable> <cstdint> <deque> <expected> <filesystem> <functional> <map>
  <memory> <mutex> <optional> <set> <span> <string> <string_view> <thread> <unordered_map> <utility> <variant> <vector>
  <fmt/format.h>)
precompiled_headers(idkiosk_headers ${IDKIOSK_COMMON_HEADERS})

# compiled_together(VARIABLE NAME source...)
# Sets VARIABLE to what NAME is to be compiled from: files that include twelve of the sources each. More than half of what the
# compiler did for a source it did again for the next: its headers, and the templates that both make. Where IDKIOSK_EACH_ALONE is
# set (clang, by which clang-tidy reads what changed, and at night all) they do without, so no source relies on what another one
# includes or names. Not CMake's own unity build, which names the sources by whole paths, so that ccache would find nothing of
# another clone.
option(IDKIOSK_EACH_ALONE "Compile each source of a library or program alone" OFF)
function(compiled_together variable name)
  set(files)
  set(batch)
  foreach(source IN LISTS ARGN)
    get_source_file_property(definitions ${source} COMPILE_DEFINITIONS)
    get_source_file_property(is_generated ${source} GENERATED)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE OUTPUT_VARIABLE path)
    if(definitions OR is_generated OR NOT source MATCHES "[.]cc$")
      list(APPEND files ${source})
    else()
      list(APPEND batch ${path})
    endif()
  endforeach()
  list(LENGTH batch count)
  if(count LESS 2)
    set(${variable} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  # What a file's names hide is another file's; and no class of a source is another source's.
  set(begin "#pragma GCC diagnostic ignored \"-Wshadow\"\n")
  string(APPEND begin "#ifndef __clang__\n#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"\n#endif\n")
  set(first 0)
  set(left ${count})
  while(left GREATER 0)
    set(length 12)
    if(left LESS_EQUAL 14)  # two that are left over would read all headers again for themselves
      set(length ${left})
    endif()
    list(SUBLIST batch ${first} ${length} some)
    set(text ${begin})
    foreach(path IN LISTS some)
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${CMAKE_SOURCE_DIR})
      string(APPEND text "#include \"${path}\"\n")
    endforeach()
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}_${first}.cc)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    list(APPEND files ${file})
    math(EXPR first "${first} + ${length}")
    math(EXPR left "${left} - ${length}")
  endwhile()
  set(${variable} ${files} PARENT_SCOPE)
endfunction()

# idkiosk_library(NAME SOURCES file... [PUBLIC target...] [PRIVATE target...])
# PUBLIC: libraries of ours whose headers its headers include. Third-party libraries are PRIVATE.
function(idkiosk_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  if(NOT IDKIOSK_EACH_ALONE)
    compiled_together(arg_SOURCES ${name} ${arg_SOURCES})
  endif()
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC ${arg_PUBLIC} PRIVATE idkiosk_options ${arg_PRIVATE})
  target_precompile_headers(${name} REUSE_FROM ${IDKIOSK_HEADERS})
endfunction()

# idkiosk_program(NAME SOURCES file... LINK target...)
function(idkiosk_program name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  if(NOT IDKIOSK_EACH_ALONE)
    compiled_together(arg_SOURCES ${name} ${arg_SOURCES})
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE idkiosk_options ${arg_LINK})
  target_precompile_headers(${name} REUSE_FROM ${IDKIOSK_HEADERS})
endfunction()

# ships(NAME)
# This program or module is installed on a board: without the functions that nothing calls, and with what a debugger
# needs in a file beside it, NAME.debug.
function(ships name)
  target_link_options(${name} PRIVATE -Wl,--gc-sections)
  if(CMAKE_BUILD_TYPE STREQUAL RelWithDebInfo)
    set(file $<TARGET_FILE:${name}>)
    add_custom_command(TARGET ${name} POST_BUILD
      COMMAND ${CMAKE_OBJCOPY} --only-keep-debug ${file} ${file}.debug
      COMMAND ${CMAKE_OBJCOPY} --strip-unneeded --add-gnu-debuglink=${file}.debug ${file}
      VERBATIM)
  endif()
endfunction()

add_custom_target(idkiosk_unit_tests)

# test_runs(LABEL file...)
# Says which files decide whether the tests with this label pass, beside the data in config/ and tests/: tools/test
# does not run them again while these are what they were. The list is written to build/test_files.
function(test_runs label)
  set_property(GLOBAL APPEND_STRING PROPERTY IDKIOSK_TEST_FILES "${label};${ARGN}\n")
endfunction()

# sanitized_test(LABEL PROGRAM [CONFIGURATIONS Night])
# Makes a test program of another preset one test of the release build; `ctest -C Night` runs those of the night too, in the
# form of the day: more rounds show no other races. tools/test says how long a test may take, as the sanitizer and a busy
# machine slow it down without a bound.
function(sanitized_test label program)
  add_test(NAME ${label} COMMAND ${program} --gtest_brief=1 WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} ${ARGN})
  set_tests_properties(${label} PROPERTIES LABELS ${label})
  if(ARGN)
    set_tests_properties(${label} PROPERTIES ENVIRONMENT IDKIOSK_NIGHT=0)
  else()
    test_runs(${label} ${program})
  endif()
endfunction()

# idkiosk_test(NAME SOURCES file... LINK target... [UNIT] [TIMEOUT seconds] [ENVIRONMENT NAME=VALUE...]
#              [PROGRAMS target...] [PROCESSORS count] [WAITING case...])
# A GoogleTest program, each of its cases registered with CTest under the label NAME. UNIT: in the release build, the
# same program from the asan build is one more test, `asan.NAME`, and at night that from the tsan build, `tsan.NAME`;
# tools/test builds them. PROGRAMS: what it starts.
# PROCESSORS: as many run beside each other as have that many each; for what draws people in real time, or runs several
# programs. WAITING: cases that wait for half a minute and more, and do little: they start right after the first of the browser's,
# each beside whatever runs, as the last one alone would hold everybody up. TIMEOUT ends what hangs, on a busy machine too: no
# test waits for less. With IDKIOSK_NIGHT=1 it is 12 hours.
function(idkiosk_test name)
  cmake_parse_arguments(arg "UNIT" "TIMEOUT;PROCESSORS" "SOURCES;LINK;ENVIRONMENT;PROGRAMS;WAITING" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  if(IDKIOSK_SANITIZE STREQUAL thread)
    list(APPEND arg_SOURCES ${CMAKE_SOURCE_DIR}/tests/threads/tsan_options.cc)
  endif()
  idkiosk_program(${name} SOURCES ${arg_SOURCES} LINK ${arg_LINK} GTest::gtest_main GTest::gmock)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
    PROPERTIES TIMEOUT ${arg_TIMEOUT} PROCESSORS ${arg_PROCESSORS} LABELS ${name} ENVIRONMENT "${arg_ENVIRONMENT}")
  set(files $<TARGET_FILE:${name}>)
  foreach(program ${arg_PROGRAMS})
    add_dependencies(${name} ${program})
    list(APPEND files $<TARGET_FILE:${program}>)
  endforeach()
  test_runs(${name} ${files})
  if(arg_UNIT)
    add_dependencies(idkiosk_unit_tests ${name})
    if(CMAKE_BINARY_DIR STREQUAL ${CMAKE_SOURCE_DIR}/build)
      sanitized_test(asan.${name} ${CMAKE_SOURCE_DIR}/build/asan/tests/${name})
      sanitized_test(tsan.${name} ${CMAKE_SOURCE_DIR}/build/tsan/tests/${name} CONFIGURATIONS Night)
    endif()
  endif()
  # CTest reads this when it runs, after the list of cases, which is empty where the program is not built.
  set(cases ${CMAKE_CURRENT_BINARY_DIR}/${name}_cases.cmake)
  file(CONFIGURE OUTPUT ${cases} @ONLY CONTENT [[
foreach(test IN ITEMS @arg_WAITING@)
  list(FIND @name@_TESTS ${test} found)
  if(NOT found EQUAL -1)
    set_tests_properties(${test} PROPERTIES COST 900 PROCESSORS 1)
  elseif(DEFINED @name@_TESTS)
    message(SEND_ERROR "@name@ has no case ${test}: after WAITING in its CMakeLists.txt, name it as it is now, or no more")
  endif()
endforeach()
if("$ENV{IDKIOSK_NIGHT}" STREQUAL "1")
  foreach(test IN LISTS @name@_TESTS)
    set_tests_properties(${test} PROPERTIES TIMEOUT 43200)
  endforeach()
endif()
]])
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${cases})
endfunction()
