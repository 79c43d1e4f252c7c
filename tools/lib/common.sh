# What every script in tools/ shares. Source it; it changes into the repository's root.
# shellcheck shell=bash

script=$(realpath "$0")
called_from=$PWD
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$root" || exit 1
deps=${IDKIOSK_DEPS:-$root/.deps}
export IDKIOSK_DEPS=$deps

say() { printf '%s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
}

# usage: as_root COMMAND...
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "this needs root: run ${script#"$root/"} as root, or install sudo"
  fi
}

# Installs what is missing of these Debian packages.
# usage: need_packages PACKAGE...
need_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  # A machine that has just started often installs updates by itself: wait for it.
  quietly "Debian packages (${missing[*]})" "$deps/log/apt-${script##*/}.log" \
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "${missing[@]}"
}

# A file that an argument names, from where the script was called.
as_called() {
  case $1 in
    /*) printf '%s' "$1" ;;
    *) printf '%s/%s' "$called_from" "$1" ;;
  esac
}

# Where --help or -h was asked for: prints the comment that a script begins with, and ends.
# usage: help_from_comment "$@"
help_from_comment() {
  case ${1-} in --help | -h) ;; *) return 0 ;; esac
  sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$script" | grep -v '^shellcheck '
  exit 0
}

# Runs a command quietly, but for how far ninja has come; shows its last lines, and where the rest is, only when it
# fails.
# usage: quietly WHAT LOG COMMAND...
quietly() {
  local what=$1 log=$2
  shift 2
  mkdir -p "$(dirname "$log")"
  local start=$SECONDS
  if (set -o pipefail && ("$@") 2>&1 | tee "$log" | show_steps "$what"); then
    say "  $what: done ($((SECONDS - start)) s)"
  else
    local status=$?
    tail -n 25 "$log" >&2
    die "$what failed (exit $status); the whole log: $log"
  fi
}

# Reads what ninja prints. On a terminal, shows "[n/m]" on one line that it takes away in the end; elsewhere, writes a
# line a minute.
# usage: show_steps WHAT
show_steps() {
  local what=$1 start=$SECONDS next=60 seconds line step='' steps=''
  while IFS= read -r -t 5 line || [ $? -gt 128 ]; do # above 128: nothing came for 5 s
    [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] && step=${BASH_REMATCH[1]} steps=${BASH_REMATCH[2]}
    [ -n "$step" ] || continue
    seconds=$((SECONDS - start))
    if [ -t 2 ]; then
      printf '\r  %s: [%s/%s] %s s\033[K' "$what" "$step" "$steps" "$seconds" >&2
    elif [ $seconds -ge $next ]; then
      say "  $what: $step of $steps steps, $((seconds / 60)) min"
      next=$((seconds / 60 * 60 + 60))
    fi
  done
  [ -z "$step" ] || [ ! -t 2 ] || printf '\r\033[K' >&2
}

# usage: setup_is_current demo|browser   (browser: with what the tests of the pages need)
setup_is_current() {
  local stamp=$deps/stamp.$1
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(setup_fingerprint)" ]
}

setup_fingerprint() {
  cat tools/setup tools/lib/build_sources.sh tools/deps/* tools/cmake/Hardening.cmake tests/web/package-lock.json | sha256sum | cut -d' ' -f1
}

# Configures a preset, from nothing when presets have changed (a cache takes no other compiler), then builds the targets named (all of them if none is).
# usage: build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  local folder
  folder=$(preset_folder "$preset")
  [ "$folder/build.ninja" -nt CMakePresets.json ] || quietly "configure ($preset)" "$folder/configure.log" cmake --fresh --preset "$preset"
  quietly "build ($preset)" "$folder/build.log" cmake --build "$folder" ${1:+--target "$@"}
}

preset_folder() {
  case $1 in
    release) echo build ;;
    *) echo "build/$1" ;;
  esac
}
