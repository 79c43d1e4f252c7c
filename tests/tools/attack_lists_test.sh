#!/usr/bin/env bash
# tools/attack against programs that say what a list of attacks may say; and each list is of tests that are there.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*" && exit 1; }

lists=$(tools/attack --list | sed -E 's/ \(needs root\)$//')
while read -r line; do
  which=${line##* }
  case $which in
    *.\*) grep -rqE "^TEST_F\(${which%.*}," tests --include='*_test.cc' || fail "there is no test $which" ;;
    *) grep -qE "^    \{$which," tests/faults/rows.cc || fail "there is no row $which" ;;
  esac
done <<<"$lists"

export IDKIOSK_BUILD=$scratch/build
mkdir -p "$IDKIOSK_BUILD/bin" "$IDKIOSK_BUILD/tests" "$scratch/path"

# usage: says PROGRAM JSON   (PROGRAM writes JSON where it is told to)
says() {
  printf '%s' "$2" >"$IDKIOSK_BUILD/tests/$1.json"
  cat >"$IDKIOSK_BUILD/tests/$1" <<'END'
#!/bin/bash
for word in "$@"; do
  case $word in /*) file=$word ;; --gtest_output=json:*) file=${word#*json:} ;; esac
done
cat "$0.json" >"$file"
END
  chmod +x "$IDKIOSK_BUILD/tests/$1"
}
tests='{"testsuites": [{"testsuite": [{"result": "COMPLETED", "attacks": "7"}, {"result": "COMPLETED", "attacks": "2"}]}]}'
row='{"rows": [{"injections": 5, "broken": false, "needs": "", "violations": {"I1": 0, "I2": 0, "I3": 0, "I4": 0, "I5": 0}}]}'
all_held() {
  for program in integration_test ui_test api_test camera_test camera_confinement_test; do says $program "$tests"; done
  says idkiosk-faults "$row"
}

# usage: ends EXIT_CODE PATTERN [COMMAND...]   (PATTERN: a line of what it prints)
ends() {
  local code=0 out expected=$1 pattern=$2
  shift 2
  out=$("$@" tools/attack 2>&1) || code=$?
  [ $code = "$expected" ] || fail "exit code $code instead of $expected: $out"
  grep -qE -- "$pattern" <<<"$out" || fail "no line '$pattern' in: $out"
}

# Another user than root, whoever runs this.
printf '#!/bin/sh\necho 1000\n' >"$scratch/path/id"
chmod +x "$scratch/path/id"
stranger=(env "PATH=$scratch/path:$PATH")
root=(env "PATH=$scratch/root:$PATH")
mkdir "$scratch/root"
printf '#!/bin/sh\necho 0\n' >"$scratch/root/id"
chmod +x "$scratch/root/id"

all_held
number=$(wc -l <<<"$lists")
rows=$(grep -c idkiosk-faults <<<"$lists")
ends 0 "^all +$((9 * (number - rows) + 5 * rows)) +0  held$" "${root[@]}"
ends 0 '^memory, after a visit +left out: needs root$' "${stranger[@]}"
ends 0 '^  left out: files, process and page, by another user; cameras: keys and passwords in it; memory' "${stranger[@]}"

says api_test '{"testsuites": [{"testsuite": [{"result": "COMPLETED", "attacks": "7", "failures": [{"failure": "let in"}]}]}]}'
ends 1 '^local API.* 7 +1  GOT IN$' "${root[@]}"
says api_test '{"testsuites": [{"testsuite": [{"result": "COMPLETED"}]}]}'
ends 1 '^local API.* 0 +0  BROKEN: no attack was made$' "${root[@]}"
says api_test '{"testsuites": []}'
ends 1 '^local API.* BROKEN: no attack was made$' "${root[@]}"
says api_test ''
ends 1 '^local API.* BROKEN: ended without a result$' "${root[@]}"
rm "$IDKIOSK_BUILD/tests/api_test"
ends 1 '^local API.* BROKEN: ended without a result$' "${root[@]}"
all_held
says idkiosk-faults "${row/\"I3\": 0/\"I3\": 2}"
ends 1 '^TLS: bad certificates +5 +2  GOT IN$' "${root[@]}"
says idkiosk-faults "${row/\"I4\": 0/\"I4\": 1}"
ends 1 '^TLS: bad certificates +5 +0  HARMED' "${root[@]}"
says idkiosk-faults "${row/false/true}"
ends 1 '^TLS: bad certificates +5 +0  HARMED' "${root[@]}"
says idkiosk-faults "${row/\"needs\": \"\"/\"needs\": \"a TPM\"}"
ends 0 '^TLS: bad certificates +left out: needs a TPM$' "${root[@]}"
