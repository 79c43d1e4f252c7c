# The three libraries that Debian 12 lacks in the form we need, taken from Debian 13's source packages.
# shellcheck shell=bash
# shellcheck disable=SC2034  # read by tools/setup and tools/lib/common.sh

# Source package -> the upstream series that this project was written against.
declare -A deps_series=([mbedtls]=3.6 [curl]=8.14 [cpp-httplib]=0.18)
# Raise when the way of building changes, so that a kept build is made anew.
deps_recipe=3
