#!/usr/bin/env bash
# Lets clang-tidy read, by .clang-tidy, each source that changed since all tests passed last, or whose header of the same name
# did; with --all, each source. Clang's own warnings count too: its thread-safety analysis is one. Where no run has passed yet
# that analysis alone reads the sources, which takes a tenth of the time. Nothing is built.
set -euo pipefail
# shellcheck source=tools/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
# shellcheck source=tools/lib/passed.sh
source tools/lib/passed.sh

if [ "${1-}" != --all ] && ! base=$(commit_that_passed); then
  say "  clang-tidy: not run, as no run has passed here that would say what changed (tools/lib/tidy.sh --all reads everything)"
  exec tools/lib/syntax.sh
fi

names() {
  if [ -z "${base-}" ]; then
    git ls-files -- '*.cc'
  else
    git diff --name-only "$base" -- '*.h' '*.cc'
    git ls-files --others --exclude-standard -- '*.h' '*.cc'
  fi
}

quietly "configure (clang)" build/clang/configure.log cmake --preset clang
# Those that are compiled here: a header may have no source, and a source may be deleted, or need a library that is not there.
mapfile -t sources < <(names | sed 's,\.h$,.cc,' | sort -u | while read -r file; do
  [ ! -f "$file" ] || ! grep -qF "\"file\": \"$root/$file\"" build/clang/compile_commands.json || echo "$file"
done)
[ ${#sources[@]} -gt 0 ] || exit 0
quietly "clang-tidy (sources: ${#sources[@]})" build/clang/tidy.log \
  xargs -a <(printf '%s\0' "${sources[@]}") -0 -n 1 -P "$(nproc)" clang-tidy-19 -p build/clang --quiet
