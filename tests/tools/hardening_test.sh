#!/usr/bin/env bash
# What ships, and the libraries inside it, are hardened; and the check of that says so of each fault that is planted.
# usage: hardening_test.sh FILE...
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*" && exit 1; }

tools/lib/check_binary.sh "$@" || fail "not hardened"

cat >"$scratch/program.c" <<'END'
#include <stdio.h>
#include <string.h>
int main(int count, char** words) {
  char copy[16];
  strcpy(copy, words[count - 1]);
  return printf("%s\n", copy) < 0;
}
END
flags=(-O2 -fPIE -pie -fstack-protector-strong -D_FORTIFY_SOURCE=3 "-Wl,-z,relro" "-Wl,-z,now")
mark=""
[ "$(uname -m)" != x86_64 ] || mark=-Wl,-z,shstk

# usage: planted WHAT FLAG...   (a program as it should be but for FLAG; the check must say WHAT)
planted() {
  local what=$1 said=""
  shift
  cc "${flags[@]}" ${mark:+"$mark"} "$@" "$scratch/program.c" -o "$scratch/program" 2>"$scratch/warnings"
  said=$(tools/lib/check_binary.sh "$scratch/program" 2>&1) || true
  [ "$said" = "${what:+$scratch/program: $what}" ] || fail "with '$*' it says '$said' instead of '$what'"
}

planted ""
planted "is not position-independent" -fno-pie -no-pie
planted "can be rewritten where it was relocated (no RELRO)" -Wl,-z,norelro
planted "resolves functions while it runs (no BIND_NOW)" -Wl,-z,lazy
planted "has an executable stack" -Wl,-z,execstack
planted "looks for libraries in places of its own (RPATH)" -Wl,-rpath,/nowhere
planted "has no stack protector" -fno-stack-protector
planted "has no fortified functions" -U_FORTIFY_SOURCE
planted "lends libraries functions of its own, first main" -Wl,--export-dynamic
[ "$(uname -m)" = x86_64 ] || exit 0
mark=""
planted "is not marked for the shadow stack"

cc -O2 -fstack-protector-all -fcf-protection -c "$scratch/program.c" -o "$scratch/good.o"
cc -O2 -fstack-protector-all -fcf-protection=none -c "$scratch/program.c" -o "$scratch/bad.o"
ar rc "$scratch/mixed.a" "$scratch/good.o" "$scratch/bad.o"
! said=$(tools/lib/check_binary.sh "$scratch/mixed.a" 2>&1) || fail "an object without marks is not noticed"
grep -qF 'objects without the marks IBT and SHSTK: 1, first' <<<"$said" || fail "of an object without marks it says '$said'"
