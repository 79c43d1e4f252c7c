#!/usr/bin/env bash
# How far a build has come is shown on a terminal; a failure shows its last lines and its log's place, on either.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*" && exit 1; }

cat >"$scratch/build" <<'END'
source tools/lib/common.sh
compile() { printf '[1/3] a.o\n[2/3] b.o\n' && [ "$1" = good ] || { echo "b.cc: wrong" && return 4; }; }
quietly "build" "$(dirname "$0")/log" compile "$1"
END

on_terminal=$(script -qec "bash '$scratch/build' good" /dev/null)
grep -qF '[1/3]' <<<"$on_terminal" || fail "no steps on a terminal: $on_terminal"
grep -qF 'build: done' <<<"$on_terminal" || fail "not done on a terminal: $on_terminal"

elsewhere=$(bash "$scratch/build" good 2>&1)
[[ $elsewhere =~ ^'  build: done ('[0-9]' s)'$ ]] || fail "more than the result where there is no terminal: $elsewhere"

! failed=$(bash "$scratch/build" bad 2>&1) || fail "a failure counts as done"
grep -qxF 'b.cc: wrong' <<<"$failed" || fail "the last lines are not shown: $failed"
grep -qF "build failed (exit 4); the whole log: $scratch/log" <<<"$failed" || fail "the log is not named: $failed"
