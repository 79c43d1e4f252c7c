#!/usr/bin/env bash
# What tools/voice lists as missing, and what it spoke while building (skipped, 77, where espeak-ng is not installed).
# usage: voice_test.sh VOICE_FOLDER
set -euo pipefail
spoken=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*" && exit 1; }

all=$(tools/voice --missing "$scratch" ha | wc -l)
[ "$all" -gt "$(wc -l <app/ui/spoken.txt)" ] || fail "of all $all sentences some are not listed"
mkdir -p "$scratch/ha"
touch "$scratch/ha/welcome.title.wav"
missing=$(tools/voice --missing "$scratch" ha)
[ "$(wc -l <<<"$missing")" = $((all - 1)) ] || fail "not every missing sentence is listed: $missing"
grep -q '^digit.7' <<<"$missing" || fail "digit.* does not stand for all digits: $missing"
grep -q $'^welcome.choose\t..' <<<"$missing" || fail "welcome.choose is not listed with its sentence"
! grep -q '^welcome.title' <<<"$missing" || fail "welcome.title is listed, and is there"
! tools/voice --missing "$scratch" klingon 2>/dev/null || fail "a language that is not known is no error"

[ -d "$spoken" ] || exit 77
voices=$(sqlite3 :memory: "select value ->> 'code' from json_each(readfile('app/ui/web/words/languages.json')) where value ->> 'voice' is not null")
[ -n "$voices" ] || fail "no language has a voice"
for language in $voices; do
  missing=$(tools/voice --missing "$spoken" "$language")
  [ -z "$missing" ] || fail "$language lacks $missing"
done
large=$(find "$spoken" -name '*.wav' -size +256k)
[ -z "$large" ] || fail "longer than a quarter of a minute: $large"
# WAVE, 7 (as telephones have it), one channel, 16000 samples a second.
find "$spoken" -name '*.wav' | while read -r file; do
  [ "$(od -An -j20 -N8 -tu2 "$file" | tr -s ' ')" = " 7 1 16000 0" ] || fail "$file: another format"
done
