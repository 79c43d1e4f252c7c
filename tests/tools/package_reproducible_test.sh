#!/usr/bin/env bash
# The packages of one build are the same bytes whoever makes them, where and when: of another folder, language, time zone and umask. That
# the programs themselves are, however they are compiled, is for tools/package --test, which takes hours.
# usage: package_reproducible_test.sh BUILD_FOLDER
# Skipped (77), with the reason, where that cannot be.
set -euo pipefail
[ -n "${IDKIOSK_NIGHT-}" ] || { echo "skipped: it takes minutes; tools/test --night runs it" && exit 77; }
for each in dh po2debconf; do
  command -v $each >/dev/null || { echo "skipped: there is no $each: run tools/setup" && exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export IDKIOSK_BUILD=$1

tools/package --built --out "$scratch/first"
(
  umask 027
  export TZ=Pacific/Auckland LC_ALL=C LANGUAGE=fr
  tools/package --built --out "$scratch/second"
)
different=0
for each in "$scratch"/first/*.deb; do
  cmp "$each" "$scratch/second/${each##*/}" || different=$((different + 1))
done
[ $different = 0 ] || { echo "FAILED: $different packages are not the same bytes the second time" && exit 1; }
echo "$(find "$scratch/first" -name '*.deb' | wc -l) packages, the same bytes"
