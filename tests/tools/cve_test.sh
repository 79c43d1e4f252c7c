#!/usr/bin/env bash
# What an advisory says of a component: open, fixed in a newer version, over, or of nobody's.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*" && exit 1; }

cat >"$scratch/bill" <<'END'
{"bomFormat": "CycloneDX", "components": [
  {"name": "libpng16-16", "properties": [{"name": "idkiosk:source", "value": "libpng1.6"},
    {"name": "idkiosk:source_version", "value": "1.6.39-2+deb12u4"}, {"name": "idkiosk:release", "value": "bookworm"}]},
  {"name": "curl", "properties": [{"name": "idkiosk:source", "value": "curl"},
    {"name": "idkiosk:source_version", "value": "8.14.1-2+deb13u5"}]},
  {"name": "YuNet"}
]}
END

# usage: judged EXIT_CODE WHAT ADVISORIES   (WHAT: the report; with 0, a part of what is said)
judged() {
  local code=0 out
  printf '%s' "$3" >"$scratch/list"
  out=$(tools/lib/check_cve.sh "$scratch/list" "$scratch/bill" 2>"$scratch/said") || code=$?
  [ $code = "$1" ] || fail "exit code $code instead of $1 for $3: $out $(cat "$scratch/said")"
  if [ -n "$out" ]; then
    [ "$out" = "$2" ] || fail "'$out' instead of '$2' for $3"
  else
    grep -qF -- "$2" "$scratch/said" || fail "'$(cat "$scratch/said")' instead of '$2' for $3"
  fi
}
# usage: png STATUS FIXED   (of Debian 12)
png() { printf '{"libpng1.6": {"CVE-1-1": {"releases": {"bookworm": {"status": "%s", "fixed_version": "%s", "urgency": "low"}, "sid": {"status": "open"}}}}}' "$1" "$2"; }
# usage: curl FIXED_IN_TRIXIE TRIXIE_HOLDS
curl() {
  printf '{"curl": {"CVE-2-2": {"releases": {
    "bookworm": {"status": "resolved", "fixed_version": "7.88.1-10", "repositories": {"bookworm": "7.88.1-10"}},
    "trixie": {"status": "resolved", "fixed_version": "%s", "repositories": {"trixie": "%s"}},
    "sid": {"status": "resolved", "fixed_version": "9.1-1", "repositories": {"sid": "9.1-1"}}}}}}' "$1" "$2"
}

judged 0 "2 components compared, 0 open or fixed in a newer version; 1 that are no Debian packages" "$(png resolved 1.6.39-2+deb12u4)"
judged 0 "2 components compared" "$(png resolved 0)"
judged 1 "libpng16-16: CVE-1-1, of libpng1.6 1.6.39-2+deb12u4: fixed in 1.6.39-2+deb12u10 in bookworm (urgency: low)" "$(png resolved 1.6.39-2+deb12u10)"
judged 1 "libpng16-16: CVE-1-1, of libpng1.6 1.6.39-2+deb12u4: open in bookworm (urgency: low)" "$(png open '')"

# What is not of Debian 12: the release that has its upstream version, else its series, else nobody knows.
judged 0 "2 components compared" "$(curl 8.14.1-2+deb13u5 8.14.1-2+deb13u4)"
judged 1 "curl: CVE-2-2, of curl 8.14.1-2+deb13u5: fixed in 8.14.1-2+deb13u6 in trixie (urgency: -)" "$(curl 8.14.1-2+deb13u6 8.14.1-2+deb13u5)"
judged 1 "curl: CVE-2-2, of curl 8.14.1-2+deb13u5: fixed in 8.14.2-1 in trixie (urgency: -)" "$(curl 8.14.2-1 8.14.2-1)"
judged 1 "curl: CVE-2-2, of curl 8.14.1-2+deb13u5: no release in the list holds this version or its series" "$(curl 8.15-1 8.15-1)"

judged 1 "is no list of advisories" "not JSON"
judged 1 "is no list of advisories" '["CVE-1-1"]'
judged 1 "is no list of advisories" '{"curl": {"CVE-2-2": {"status": "open"}}}'
judged 1 "is no list of advisories" ''
judged 1 "names none of the source packages" '{}'
! said=$(tools/lib/check_cve.sh "$scratch/nothing" "$scratch/bill" 2>&1) || fail "a list that is not there is good"
grep -qF "cannot be read" <<<"$said" || fail "of a list that is not there it says '$said'"
png resolved 0 >"$scratch/list"
! said=$(tools/lib/check_cve.sh "$scratch/list" "$scratch/list" 2>&1) || fail "a bill that is none is good"
grep -qF "is no bill of materials" <<<"$said" || fail "of a bill that is none it says '$said'"
