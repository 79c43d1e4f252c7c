#!/usr/bin/env bash
# Plants each fault of tests/faults/mutants/list in the source, one at a time, builds idkiosk and the rows, some of which hold its
# parts themselves, and lets the row or the test program run that is named there: it must find the fault. The sources must have no changes that are not
# committed, and are put back in the end. tools/check says when a fault changes nothing in its file any more.
#   tools/lib/mutants.sh [NAME...]   these alone
set -euo pipefail
# shellcheck source=tools/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

git diff --quiet HEAD -- app drivers platform || die "app, drivers or platform have changes that are not committed: a mutant would mix with them"
build release idkiosk idkiosk-sandbox idkiosk-faults
bin=$(mktemp -d)
file=
put_back() {
  [ -z "$file" ] || git checkout -q -- "$file"
  rm -rf "$bin"
}
trap put_back EXIT

missed=()
while read -r name row file expression <&3; do
  [[ $name != \#* ]] || continue
  [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
  sed -i "$expression" "$file"
  ! git diff --quiet -- "$file" || die "mutant $name changes nothing in $file any more: see tests/faults/mutants/list"
  compiles=yes
  tests=idkiosk-faults run=(--row "$row") finding=VIOLATED
  [[ $row != *_test ]] || tests=$row run=() finding=FAILED
  (build release idkiosk "$tests") || compiles=no
  git checkout -q -- "$file"
  if [ $compiles = no ]; then
    missed+=("$name")
    say "  mutant $name: does not compile"
    continue
  fi
  cp -a build/bin/. "build/tests/$tests" "$bin"
  if IDKIOSK_BIN=$bin "$bin/$tests" "${run[@]}" >"$bin/log" 2>&1; then
    missed+=("$name")
    say "  mutant $name: ${row/#[0-9]/row &} MISSED it"
  elif grep -q "$finding" "$bin/log"; then
    say "  mutant $name: ${row/#[0-9]/row &} found it"
  else
    cat "$bin/log" >&2
    missed+=("$name")
    say "  mutant $name: ${row/#[0-9]/row &} shows nothing"
  fi
done 3<tests/faults/mutants/list
file=
build release idkiosk idkiosk-faults
[ ${#missed[@]} = 0 ] || die "mutants that nothing found: ${missed[*]}"
