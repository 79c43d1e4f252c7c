# The four libraries that Debian 12 lacks in the form we need, built from source packages of Debian's newer suites.
# shellcheck shell=bash
# shellcheck disable=SC2034  # read by tools/setup and tools/lib/common.sh

# Source package -> the upstream series that this project was written against. The newest of it is taken that any of
# the suites offers, or Debian 13's security updates. mbedTLS 3.6.7, which does TLS 1.2 with RSA keys (3.6.6 fails every
# such handshake), is in the suites after Debian 13 alone.
declare -A deps_series=([mbedtls]=3.6 [curl]=8.14 [cpp-httplib]=0.18 [tpm2-tss]=4.1)
deps_suites=(trixie trixie-updates forky sid)
# Raise when the way of building changes, so that a kept build is made anew.
deps_recipe=7
