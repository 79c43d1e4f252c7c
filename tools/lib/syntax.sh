#!/usr/bin/env bash
# Lets clang read each source that no unit test is made of, without making code of it: then its thread-safety analysis, whose
# warnings are errors, has seen every source, as it compiles the unit tests for the sanitizers. By the precompiled headers of that
# build, which comes first.
set -euo pipefail
# shellcheck source=tools/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build asan idkiosk_unit_tests

# usage: compilations TARGET   (prints SOURCE COMMAND for each, but for those that the target's build writes)
compilations() {
  ninja -C build/asan -t commands "$1" | sed -nE 's/^(.*) -MD .* -c ([^ ]+\.cc)$/\2 \1 -fsyntax-only \2/p' |
    while read -r source command; do [ ! -f "$source" ] || echo "$source $command"; done | sort -u -k 1,1
}

mapfile -t unread < <(join -v 1 <(compilations all) <(compilations idkiosk_unit_tests) | cut -d' ' -f 2-)
quietly "clang's thread-safety analysis (sources: ${#unread[@]})" build/asan/syntax.log \
  xargs -a <(printf '%s\n' "${unread[@]}") -d '\n' -I '{}' -P "$(nproc)" env -C build/asan bash -c '{}'
