#!/usr/bin/env bash
# Fails, and says why, where a program, a module or a static library lacks what tools/cmake/Hardening.cmake asks for.
# usage: check_binary.sh FILE...
set -euo pipefail

bad=0
complain() {
  printf '%s: %s\n' "$file" "$1" >&2
  bad=1
}

# usage: has TEXT PATTERN
has() { grep -qE -- "$2" <<<"$1"; }

check_linked() {
  local header segments dynamic symbols theirs
  header=$(readelf -hW "$file")
  segments=$(readelf -lW "$file")
  dynamic=$(readelf -dW "$file")
  symbols=$(readelf --dyn-syms -W "$file")
  has "$header" 'Type: +DYN' || complain "is not position-independent"
  has "$segments" 'GNU_RELRO' || complain "can be rewritten where it was relocated (no RELRO)"
  has "$dynamic" 'BIND_NOW|FLAGS_1.* NOW' || complain "resolves functions while it runs (no BIND_NOW)"
  has "$segments" 'GNU_STACK.* RW ' || complain "has an executable stack"
  ! has "$segments" 'LOAD.* RWE ' || complain "has memory that can be written and executed"
  ! has "$dynamic" 'RPATH|RUNPATH' || complain "looks for libraries in places of its own (RPATH)"
  ! has "$dynamic" 'TEXTREL' || complain "rewrites its code when it is loaded (TEXTREL)"
  has "$symbols" '__stack_chk_fail' || complain "has no stack protector"
  # A small module may call none of those functions.
  ! has "$dynamic" 'FLAGS_1.* PIE' || has "$symbols" ' __[a-z_]+_chk(@|$)' || complain "has no fortified functions"
  # Those of its own allocator are meant for everybody.
  theirs=$(nm -D --defined-only --format=posix "$file" | awk '$2 == "T" && $1 !~ /^(_Z|_start$|_init$|_fini$|free$|realloc$)/ { print $1 }')
  ! has "$dynamic" 'FLAGS_1.* PIE' || [ -z "$theirs" ] || complain "lends libraries functions of its own, first ${theirs%%$'\n'*}"
  [ "$(uname -m)" != x86_64 ] || has "$(readelf -nW "$file")" 'x86 feature:.*SHSTK' ||
    complain "is not marked for the shadow stack"
}

check_library() {
  has "$(nm "$file" 2>/dev/null)" '__stack_chk_fail' || complain "has no stack protector"
  [ "$(uname -m)" = x86_64 ] || return 0
  local unmarked
  unmarked=$(readelf -nW "$file" 2>/dev/null | awk '
    function note() { if (name && !marked) print name; name = $2; marked = 0 }
    /^File: / { note() } /x86 feature:.*IBT, SHSTK/ { marked = 1 } END { note() }')
  [ -z "$unmarked" ] || complain "objects without the marks IBT and SHSTK: $(wc -l <<<"$unmarked"), first ${unmarked%%$'\n'*}"
}

for file in "$@"; do
  if [ ! -s "$file" ]; then
    complain "is not there"
  elif [[ $file == *.a ]]; then
    check_library
  else
    check_linked
  fi
done
exit $bad
