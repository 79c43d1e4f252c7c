# What every script in tools/ shares. Source it; it changes into the repository's root.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root" || exit 1
deps=${IDKIOSK_DEPS:-$root/.deps}
export IDKIOSK_DEPS=$deps

say() { printf '%s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
}

# Runs a command quietly; shows its last lines, and where the rest is, only when it fails.
# usage: quietly WHAT LOG COMMAND...
quietly() {
  local what=$1 log=$2
  shift 2
  mkdir -p "$(dirname "$log")"
  local start=$SECONDS
  if ("$@") >"$log" 2>&1; then
    say "  $what: done ($((SECONDS - start)) s)"
  else
    local status=$?
    tail -n 25 "$log" >&2
    die "$what failed (exit $status); the whole log: $log"
  fi
}

# usage: setup_is_current demo|browser   (browser: with what the tests of the pages need)
setup_is_current() {
  local stamp=$deps/stamp.$1
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(setup_fingerprint)" ]
}

setup_fingerprint() {
  cat tools/setup tools/deps/* tests/web/package-lock.json | sha256sum | cut -d' ' -f1
}

# Configures a preset once, then builds the targets named (all of them if none is).
# usage: build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  local folder
  folder=$(preset_folder "$preset")
  [ -f "$folder/build.ninja" ] || quietly "configure ($preset)" "$folder/configure.log" cmake --preset "$preset"
  quietly "build ($preset)" "$folder/build.log" cmake --build "$folder" ${1:+--target "$@"}
}

preset_folder() {
  case $1 in
    release) echo build ;;
    *) echo "build/$1" ;;
  esac
}
