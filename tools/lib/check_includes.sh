#!/usr/bin/env bash
# Fails on an include against the arrows: a folder includes only what the table below allows, and a third-party
# header only where it has its home.
# usage: check_includes.sh [FOLDER]   (the tree to check; default: this repository)
set -euo pipefail
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}"

# folder -> the folders of ours that it may include, besides itself
declare -A arrows=(
  [platform/base]=""
  [platform/api]="platform/base"
  [platform/posix]="platform/api platform/base"
  [drivers/camera]="platform/api platform/base"
  [drivers/light]="platform/api platform/base"
  [drivers/scanner]="platform/api platform/base"
  [drivers/printer]="platform/api platform/base"
  [drivers/secure_storage]="platform/api platform/base"
  [app/settings]="platform/api platform/base"
  [app/service]="app/settings platform/api platform/base"
  [app/queue]="app/service app/settings platform/api platform/base"
  [app/capture]="app/settings platform/api platform/base"
  [app/session]="app/capture app/queue app/service app/settings platform/api platform/base"
  [app/ui]="app/session app/queue app/service app/settings platform/api platform/base"
  [app/operator]="app/session app/capture app/queue app/service app/settings platform/api platform/base"
  [app/commands]="app/ui app/operator app/session app/capture app/queue app/service app/settings platform/api platform/base"
  [tools/sandbox]="platform/base"
)

# third-party header -> where it may be included
declare -A homes=(
  [cjson/]="platform/base"
  [spdlog/]="platform/base"
  [curl/]="platform/posix tools/benchmarks"
  [mbedtls/]="drivers/secure_storage"
  [psa/]="drivers/secure_storage"
  [sqlite3.h]="app/queue tools/sandbox"
  [opencv2/]="app/capture drivers/camera tools/benchmarks"
  [jpeglib.h]="app/capture drivers/camera tools/benchmarks tools/sandbox"
  [turbojpeg.h]="app/capture drivers/camera tools/benchmarks tools/sandbox"
  [png.h]="app/capture drivers/camera tools/benchmarks"
  [libexif/]="app/capture"
  [ZXing/]="drivers/scanner"
  [CLI/]="app/commands app/main.cc tools/sandbox tools/benchmarks"
  [httplib.h]="app/ui tools/sandbox"
  [openssl/]="tools/sandbox"
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

check_own() {
  local file=$1 line=$2 included=$3 folder
  folder=$(folder_of "$file")
  [ -n "$folder" ] || return 0 # main.cc, tests and tools join everything
  # shellcheck disable=SC2086  # the lists are words
  is_under "$included" "$folder" ${arrows[$folder]} ||
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
