#!/usr/bin/env bash
# What `tools/package --test` runs, for hours: the packages are built twice, in two folders, by two people as it were (another language,
# time zone and umask, once without ccache), and must be the same bytes. Then they are installed, upgraded and purged in a clean
# Debian. For another architecture, the unit tests that start no program run too, all of it by qemu-user.
# usage: package_night.sh ARCH
set -euo pipefail
# shellcheck source=tools/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tools/lib/debian_root.sh
source tools/lib/debian_root.sh
arch=$1
scratch=$root/build/package-test-$arch
rm -rf "$scratch"
mkdir -p "$scratch"

tools/package --arch "$arch" --out "$scratch/first"
(umask 027 && IDKIOSK_PACKAGE_ELSEWHERE=yes tools/package --arch "$arch" --out "$scratch/second")
different=0
for each in "$scratch"/first/*.deb; do
  cmp "$each" "$scratch/second/${each##*/}" || different=$((different + 1))
done
[ $different = 0 ] || die "$different packages are not the same bytes the second time; see $scratch (diffoscope shows where)"
say "  reproducible: $(find "$scratch/first" -name '*.deb' | wc -l) packages, the same bytes in another folder"

board=$(board_root "$arch" "$scratch/first")
# The voices and the screen are for all architectures: built with the native packages.
[ -n "$(find "$scratch/first" -name '*_all.deb')" ] || tools/package --out "$scratch/native"
[ ! -d "$scratch/native" ] || cp "$scratch"/native/*_all.deb "$scratch/first"
as_root tests/tools/package_test.sh --in "$board" "$scratch/first" "$arch"
say "  installed, upgraded, removed and purged in a clean Debian"
[ "$arch" = "$(dpkg --print-architecture)" ] || tools/package --arch "$arch" --unit-tests
