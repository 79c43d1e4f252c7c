#!/usr/bin/env bash
# Fails on an include against the arrows: a folder includes only what the table below allows, and a third-party
# header only where it has its home.
# usage: check_includes.sh [FOLDER]   (the tree to check; default: this repository)
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

# folder -> the folders right below it; it may include those, and whatever they may
declare -A arrows=(
  [platform/base]=""
  [platform/api]="platform/base"
  [platform/posix]="platform/api"
  [drivers/camera]="platform/api"
  [drivers/opencv_camera]="drivers/camera platform/posix"
  [drivers/light]="platform/api"
  [drivers/scanner]="platform/api"
  [drivers/printer]="platform/api"
  [drivers/secure_storage]="platform/api"
  [app/accounts]="platform/base"
  [app/settings]="platform/api"
  [app/service]="app/settings"
  [app/capture]="app/settings"
  [app/journal]="platform/api"
  [app/audit]="app/journal"
  [app/consent]="app/settings app/journal"
  [app/queue]="app/service app/consent"
  [app/session]="app/audit app/capture app/queue"
  [app/results]="app/audit app/queue"
  [app/headquarters]="app/audit app/queue"
  [app/operator]="app/session app/results app/accounts"
  [app/workers]="app/operator"
  [app/http]="platform/base"
  [app/ui]="app/workers app/http"
  [app/assembly]="app/workers"
  [app/api]="app/workers app/http app/headquarters"
  [app/daemon]="app/ui app/api app/assembly"
  [app/cli]="app/daemon"
  [app/fleet]="platform/api"
  [tools/sandbox]="platform/base"
  [tools/headquarters]="app/headquarters platform/posix"  # what a kiosk takes of an order; files
)

# third-party header -> where it may be included
declare -A homes=(
  [cjson/]="platform/base"
  [spdlog/]="platform/base"
  [curl/]="platform/posix tools/benchmarks"
  [mbedtls/]="drivers/secure_storage platform/posix"
  [psa/]="drivers/secure_storage"
  [tss2/]="drivers/secure_storage"
  [sqlite3.h]="app/queue tools/sandbox"
  [opencv2/]="app/capture drivers/opencv_camera tools/benchmarks"
  [jpeglib.h]="app/capture drivers/camera tools/benchmarks tools/sandbox"
  [turbojpeg.h]="app/capture drivers/camera tools/benchmarks tools/sandbox"
  [seccomp.h]="platform/posix"
  [png.h]="app/capture drivers/camera tools/benchmarks"
  [libexif/]="app/capture"
  [ZXing/]="drivers/scanner"
  [CLI/]="platform/base/command_line/command.cc"
  [httplib.h]="app/http app/ui app/api app/fleet tools/headquarters tools/sandbox"
  [mosquitto.h]="app/fleet tools/headquarters tools/benchmarks"
  [mqtt_protocol.h]="app/fleet tools/headquarters tools/benchmarks"
  [libpq-fe.h]="tools/headquarters"
  [openssl/]="app/fleet tools/sandbox tools/headquarters"
  [argon2.h]="tools/sandbox"
)

bad=0
complain() {
  printf '%s\n' "$1" >&2
  bad=1
}

# usage: is_under PATH FOLDER-OR-FILE...
is_under() {
  local path=$1 folder
  shift
  for folder in "$@"; do
    [[ $path == "$folder"/* || $path == "$folder" ]] && return 0
  done
  return 1
}

folder_of() {
  local folder best=""
  for folder in "${!arrows[@]}"; do
    [[ $1 == "$folder"/* ]] && best=$folder
  done
  echo "$best"
}

# Prints the folder and everything below it.
below() {
  local next
  echo "$1"
  for next in ${arrows[$1]}; do below "$next"; done
}
declare -A allowed
for folder in "${!arrows[@]}"; do allowed[$folder]=$(below "$folder" | sort -u); done

check_own() {
  local file=$1 line=$2 included=$3 folder
  folder=$(folder_of "$file")
  [ -n "$folder" ] || return 0 # main.cc, tests and tools join everything
  # shellcheck disable=SC2086  # the lists are words
  is_under "$included" ${allowed[$folder]} ||
    complain "$file:$line: $folder may not include $included"
}

check_third_party() {
  local file=$1 line=$2 included=$3 prefix
  for prefix in "${!homes[@]}"; do
    [[ $included == "$prefix"* ]] || continue
    # shellcheck disable=SC2086
    is_under "$file" ${homes[$prefix]} tests || complain "$file:$line: $included has its home in ${homes[$prefix]}"
  done
}

while IFS=: read -r file line text; do
  [[ $text =~ [\<\"]([^\>\"]*)[\>\"] ]] && included=${BASH_REMATCH[1]}
  case $included in
    platform/* | drivers/* | app/*) check_own "$file" "$line" "$included" ;;
    tools/*) [[ $file == tools/* || $file == tests/* ]] || complain "$file:$line: $included belongs to tools" ;;
    tests/*) [[ $file == tests/* || $file == tools/benchmarks/* ]] || complain "$file:$line: $included belongs to the tests" ;;
    *) check_third_party "$file" "$line" "$included" ;;
  esac
done < <(find app platform drivers tools tests -name '*.h' -o -name '*.cc' | sort |
  xargs grep -HnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"][^>"]*[/.][^>"]*[>"]')

exit $bad
