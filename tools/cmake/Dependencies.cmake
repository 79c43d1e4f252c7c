# Every third-party library, as an imported target. Debian's packages, and the four that
# tools/setup builds from source into IDKIOSK_DEPS.

set(IDKIOSK_DEPS_DEFAULT ${CMAKE_SOURCE_DIR}/.deps)
if(DEFINED ENV{IDKIOSK_DEPS})
  set(IDKIOSK_DEPS_DEFAULT $ENV{IDKIOSK_DEPS})
endif()
set(IDKIOSK_DEPS ${IDKIOSK_DEPS_DEFAULT} CACHE PATH "Where tools/setup put what it built")
set(deps_prefix ${IDKIOSK_DEPS}/prefix)
file(STRINGS ${CMAKE_SOURCE_DIR}/tools/deps/versions.sh recipe REGEX "^deps_recipe=")
set(built "nothing")
if(EXISTS ${deps_prefix}/recipe)
  file(STRINGS ${deps_prefix}/recipe built)
endif()
if(NOT recipe STREQUAL "deps_recipe=${built}")
  message(FATAL_ERROR "${deps_prefix} does not hold the libraries that this version is built with "
    "(${recipe}; there: ${built}): run tools/setup first")
endif()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(cjson REQUIRED IMPORTED_TARGET libcjson)
pkg_check_modules(zxing REQUIRED IMPORTED_TARGET zxing)
pkg_check_modules(seccomp REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(exif REQUIRED IMPORTED_TARGET libexif)
if(IDKIOSK_FLEET)
  find_package(OpenSSL REQUIRED)  # libmosquitto links it
  pkg_check_modules(mosquitto REQUIRED IMPORTED_TARGET libmosquitto)
  pkg_check_modules(libpq REQUIRED IMPORTED_TARGET libpq)
endif()
if(IDKIOSK_SANDBOX)
  find_package(OpenSSL REQUIRED)
  pkg_check_modules(argon2 REQUIRED IMPORTED_TARGET libargon2)
endif()

# OpenCV's own CMake package comes only with all of its modules; these few are enough.
function(add_opencv_module name)
  find_library(OPENCV_${name}_LIBRARY opencv_${name} REQUIRED)
  find_path(OPENCV_INCLUDE_DIR opencv2/core.hpp PATH_SUFFIXES opencv4 REQUIRED)
  add_library(opencv::${name} SHARED IMPORTED)
  set_target_properties(opencv::${name} PROPERTIES
    IMPORTED_LOCATION ${OPENCV_${name}_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${OPENCV_INCLUDE_DIR})
endfunction()
foreach(module core imgproc dnn objdetect videoio)
  add_opencv_module(${module})
endforeach()

foreach(name mbedcrypto mbedx509 mbedtls)
  add_library(deps::${name} STATIC IMPORTED)
  set_target_properties(deps::${name} PROPERTIES
    IMPORTED_LOCATION ${deps_prefix}/lib/lib${name}.a
    INTERFACE_INCLUDE_DIRECTORIES ${deps_prefix}/include)
endforeach()
target_link_libraries(deps::mbedcrypto INTERFACE Threads::Threads)
target_link_libraries(deps::mbedx509 INTERFACE deps::mbedcrypto)
target_link_libraries(deps::mbedtls INTERFACE deps::mbedx509)

# The way to a TPM: ESYS on the same mbedTLS, so that no OpenSSL comes with it.
add_library(deps::tss2 STATIC IMPORTED)
set_target_properties(deps::tss2 PROPERTIES
  IMPORTED_LOCATION ${deps_prefix}/lib/libtss2.a
  INTERFACE_INCLUDE_DIRECTORIES ${deps_prefix}/include
  INTERFACE_LINK_LIBRARIES deps::mbedcrypto)

add_library(deps::curl STATIC IMPORTED)
set_target_properties(deps::curl PROPERTIES
  IMPORTED_LOCATION ${deps_prefix}/lib/libcurl.a
  INTERFACE_INCLUDE_DIRECTORIES ${deps_prefix}/include
  INTERFACE_COMPILE_DEFINITIONS CURL_STATICLIB
  INTERFACE_LINK_LIBRARIES deps::mbedtls)

# cpp-httplib decodes the values of headers as if they were parts of an address: two keys that differ would become one, and
# what we check would not be what a program sent. They are taken as they are.
set(httplib_source ${CMAKE_BINARY_DIR}/httplib.cc)
function(mend_httplib)
  set(decoded "fn(key, decode_url(val, false));")
  file(READ ${deps_prefix}/src/httplib.cc source)
  string(REPLACE "${decoded}" "fn(key, val);" mended "${source}")
  if(mended STREQUAL source)
    message(FATAL_ERROR "cpp-httplib in ${deps_prefix} has no '${decoded}' any more: see how it reads headers now")
  endif()
  if(EXISTS ${httplib_source})
    file(READ ${httplib_source} before)
  endif()
  if(NOT mended STREQUAL "${before}")
    file(WRITE ${httplib_source} "${mended}")
  endif()
endfunction()
mend_httplib()

# add_httplib(NAME DEFINITIONS definition... [LINK target...])
# cpp-httplib, compiled once, as a part of this build so that the sanitizers see into it. Whoever links it gets the same
# definitions: its header and its source must be compiled alike.
function(add_httplib name)
  cmake_parse_arguments(arg "" "" "DEFINITIONS;LINK" ${ARGN})
  add_library(${name} STATIC ${httplib_source})
  target_include_directories(${name} SYSTEM PUBLIC ${deps_prefix}/include)
  target_compile_definitions(${name} PUBLIC ${arg_DEFINITIONS})
  target_compile_options(${name} PRIVATE -O1 -g1 -w)
  target_link_libraries(${name} PUBLIC Threads::Threads ${arg_LINK} PRIVATE idkiosk_sanitizers)
endfunction()

# The product's promises about retries and certificates were checked with mbedTLS; say no to anything else.
function(require_curl_on_mbedtls)
  set(probe ${CMAKE_BINARY_DIR}/curl_backend.c)
  file(WRITE ${probe} [[
    #include <curl/curl.h>
    #include <stdio.h>
    int main(void) { puts(curl_version_info(CURLVERSION_NOW)->ssl_version); return 0; }
  ]])
  try_run(exit_code compiled ${CMAKE_BINARY_DIR}/curl_backend SOURCES ${probe}
    LINK_LIBRARIES deps::curl RUN_OUTPUT_VARIABLE backend COMPILE_OUTPUT_VARIABLE log)
  string(STRIP "${backend}" backend)
  if(NOT compiled OR NOT backend MATCHES "^mbedTLS/3\\.6")
    message(FATAL_ERROR "libcurl in ${deps_prefix} uses '${backend}' for TLS, not mbedTLS 3.6; "
      "remove that folder and run tools/setup again. ${log}")
  endif()
  message(STATUS "libcurl's TLS backend: ${backend}")
endfunction()
if(NOT IDKIOSK_CURL_CHECKED)
  require_curl_on_mbedtls()
  set(IDKIOSK_CURL_CHECKED TRUE CACHE INTERNAL "")
endif()
