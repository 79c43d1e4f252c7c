#!/usr/bin/env bash
# Builds what tools/setup fetched into $deps/src (mbedTLS, libcurl, tpm2-tss, cpp-httplib) into $deps/prefix. tools/setup runs it, and
# a package's build without a network. For another machine: CMAKE_TOOLCHAIN_FILE names CMake's description of it.
set -euo pipefail
# shellcheck source=tools/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tools/deps/versions.sh
source tools/deps/versions.sh

# The unpacked folder of a source package, e.g. .deps/src/curl-8.14.1.
source_folder() { find "$deps/src" -maxdepth 1 -type d -name "$1-${deps_series[$1]}.*"; }

# usage: build_cmake NAME OPTION...
build_cmake() {
  local name=$1
  shift
  local source build=$deps/build/$name
  source=$(source_folder "$name")
  rm -rf "$build"
  quietly "configure ${source##*/}" "$deps/log/$name-configure.log" \
    cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DCMAKE_PROJECT_INCLUDE="$root/tools/cmake/Hardening.cmake" -DCMAKE_INSTALL_PREFIX="$deps/prefix" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_PREFIX_PATH="$deps/prefix" "$@"
  quietly "build ${source##*/}" "$deps/log/$name-build.log" cmake --build "$build" --target install
}

# Its part for mbedTLS cuts leading zeros off the numbers that both ends of a session take the session's key from, while
# a TPM counts them: one session in a hundred fails, as if the authorization were wrong.
mend_tpm2_tss() {
  local source part
  source=$(source_folder tpm2-tss)
  part=$source/src/tss2-esys/esys_crypto_mbed.c
  cp tools/deps/tpm2-tss.cmake "$source/CMakeLists.txt"
  sed -i -E 's,= mbedtls_mpi_size\(&ecp_(Q\.MBEDTLS_ACCESS\([XY]\)|z)\);,= (ecp_group.pbits + 7) / 8;,' "$part"
  [ "$(grep -c 'ecp_group.pbits' "$part")" = 3 ] ||
    die "tpm2-tss does not write the numbers of a session as it did any more: see mend_tpm2_tss in tools/setup"
}

# Each file that includes cpp-httplib whole compiles all of it, half a minute long. Its author marks what can be compiled
# once, by rows of dashes: that becomes httplib.cc, which our own build compiles, and httplib.h keeps the rest.
split_httplib() {
  mkdir -p "$deps/prefix/src"
  awk -v header="$deps/prefix/include/httplib.h" -v source="$deps/prefix/src/httplib.cc" '
    BEGIN { print "#include <httplib.h>\nnamespace httplib {" >source }
    /^\/\/ -----------------/ { implementation = !implementation; rows++; next }
    implementation { gsub(/inline /, ""); print >source; next }
    { print >header }
    END { print "} // namespace httplib" >source; exit rows != 2 }
  ' "$(source_folder cpp-httplib)/httplib.h" ||
    die "cpp-httplib does not mark its implementation by two rows of dashes any more: see split_httplib in tools/setup"
}

build_sources() {
  # The resolver's, delivery's and main thread share PSA's key store. Set in the header that is installed, so that
  # libcurl and idkiosk are compiled against the very same structures.
  sed -i -E 's,^//(#define MBEDTLS_THREADING_(C|PTHREAD))$,\1,' "$(source_folder mbedtls)/include/mbedtls/mbedtls_config.h"
  # AES-GCM by the compiler's intrinsics instead of mbedTLS's assembly: a third faster (100 kB in 0.25 ms instead of
  # 0.35 ms). They are still used only where the processor says at run time that it has them.
  local flags=${CFLAGS:-}
  [ "${DEB_HOST_GNU_CPU:-$(uname -m)}" != x86_64 ] || flags+=" -maes -mpclmul"
  build_cmake mbedtls -DENABLE_TESTING=OFF -DENABLE_PROGRAMS=OFF -DCMAKE_C_FLAGS="$flags"
  mend_tpm2_tss
  # Curl's configuration puts one question after the other to the compiler; what else waits for mbedTLS takes the other core.
  # Its steps would stand in curl's line of a terminal.
  build_cmake tpm2-tss 2> >(cat >&2) &
  local beside=$!
  # HTTP and HTTPS only, and nothing that would answer for us: no cookies, no .netrc, no HSTS or alt-svc rewriting.
  build_cmake curl -DBUILD_SHARED_LIBS=OFF -DBUILD_STATIC_LIBS=ON -DBUILD_CURL_EXE=OFF -DBUILD_TESTING=OFF \
    -DBUILD_LIBCURL_DOCS=OFF -DBUILD_MISC_DOCS=OFF -DENABLE_CURL_MANUAL=OFF \
    -DCURL_USE_MBEDTLS=ON -DCURL_USE_OPENSSL=OFF -DHTTP_ONLY=ON -DENABLE_THREADED_RESOLVER=ON \
    -DCURL_USE_LIBPSL=OFF -DUSE_LIBIDN2=OFF -DUSE_NGHTTP2=OFF -DCURL_USE_LIBSSH2=OFF \
    -DCURL_ZLIB=OFF -DCURL_BROTLI=OFF -DCURL_ZSTD=OFF \
    -DCURL_DISABLE_NETRC=ON -DCURL_DISABLE_ALTSVC=ON -DCURL_DISABLE_HSTS=ON -DCURL_DISABLE_WEBSOCKETS=ON \
    -DCURL_DISABLE_COOKIES=ON
  wait $beside
  split_httplib
}

build_sources
echo "$deps_recipe" >"$deps/prefix/recipe"
