#!/usr/bin/env bash
# Fails where a component of a bill of materials has an open security advisory, or one that a newer version has fixed. Reads the form
# of Debian's security tracker (https://security-tracker.debian.org/tracker/data/json); fetches nothing.
# usage: check_cve.sh ADVISORIES BILL
#
# Versions are those of source packages. A component that Debian 12 delivers is compared with its release there. One that set-up
# built is compared with each release that holds its upstream version ("repositories" in the list), else with those that hold
# its series (the first two numbers). Where there is none, nobody knows, and that is printed as well. One such release
# that has it fixed in our version, or before, is enough.
set -euo pipefail
# shellcheck source=tools/lib/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ $# = 2 ] || die "usage: check_cve.sh ADVISORIES BILL"
advisories=$1
bill=$2
for file in "$advisories" "$bill"; do [ -r "$file" ] || die "$file cannot be read"; done
jq --slurp --exit-status 'length == 1 and .[0].bomFormat == "CycloneDX" and (.[0].components | length) > 0' "$bill" >/dev/null 2>&1 || die "$bill is no bill of materials that tools/sbom wrote"
# Whole files: of an empty one, jq would say nothing at all.
jq --slurp --exit-status 'length == 1 and (.[0] | type == "object" and all(.[]; type == "object" and all(.[]; type == "object" and
    (.releases | type) == "object" and all(.releases[]; (.status | type) == "string"))))' "$advisories" >/dev/null 2>&1 ||
  die "$advisories is no list of advisories as Debian's security tracker has it: {SOURCE: {CVE: {\"releases\": {RELEASE: {\"status\": ...}}}}}"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# One line a component and release that it is compared with: NAME SOURCE VERSION CVE RELEASE STATUS FIXED URGENCY; "-" for none.
jq --raw-output --slurpfile bill "$bill" '
  def said: if . == null or . == "" then "-" else . end;
  def upstream: sub("^[0-9]+:"; "") | sub("-[^-]*$"; "");
  def series: upstream | split(".")[:2] | join(".");
  def holding(f): . as $releases | [keys[] | select(any($releases[.].repositories // {} | .[]; f))];
  . as $list
  | $bill[0].components[] | . as $part
  | (.properties // [] | map({key: .name, value: .value}) | from_entries) as $of
  | select($of["idkiosk:source"]) | $of["idkiosk:source"] as $source | $of["idkiosk:source_version"] as $version
  | $list[$source] // {} | to_entries[] | .key as $cve | .value.releases as $releases
  | (if $of["idkiosk:release"] then [$of["idkiosk:release"]]
     else ($releases | holding(upstream == ($version | upstream))) as $same
       | if $same != [] then $same else ($releases | holding(series == ($version | series))) end
     end) as $ours
  | if $ours == [] then [$part.name, $source, $version, $cve, "-", "unknown", "-", "-"]
    else $ours[] | . as $release | $releases[$release] // empty
      | [$part.name, $source, $version, $cve, $release, .status, (.fixed_version | said), (.urgency | said)]
    end | @tsv' "$advisories" | sort >"$scratch/lines"

# Is it over, in this release? "0": the release never had it.
# usage: is_over VERSION STATUS FIXED
is_over() {
  [ "$2" = resolved ] || return 1
  case $3 in
    0) ;;
    -) return 1 ;;
    *) dpkg --compare-versions "$1" ge "$3" ;;
  esac
}

while IFS=$'\t' read -r name source version cve release status fixed urgency; do
  if is_over "$version" "$status" "$fixed"; then
    echo "$name $cve" >>"$scratch/over"
  else
    case $status in
      resolved) said="fixed in $fixed in $release (urgency: $urgency)" ;;
      unknown) said="no release in the list holds this version or its series" ;;
      *) said="$status in $release (urgency: $urgency)" ;;
    esac
    printf '%s %s\t%s: %s, of %s %s: %s\n' "$name" "$cve" "$name" "$cve" "$source" "$version" "$said" >>"$scratch/open"
  fi
done <"$scratch/lines"
touch "$scratch/over" "$scratch/open"

compared=$(jq '[.components[] | select(any(.properties // [] | .[]; .name == "idkiosk:source"))] | length' "$bill")
others=$(($(jq '.components | length' "$bill") - compared))
[ "$compared" -gt 0 ] || die "$bill names no source package, so that nothing was compared"
jq --exit-status --slurpfile bill "$bill" '. as $list | any($bill[0].components[].properties // [] | .[]; .name == "idkiosk:source" and $list[.value] != null)' \
  "$advisories" >/dev/null || die "$advisories names none of the source packages of the bill, so that nothing was compared"
awk -F'\t' 'FILENAME == ARGV[1] { over[$0]; next } !($1 in over) && !($1 in said) { said[$1]; print $2 }' "$scratch/over" "$scratch/open" >"$scratch/report"
cat "$scratch/report"
say "  advisories: $compared components compared, $(wc -l <"$scratch/report") open or fixed in a newer version; $others that are no Debian packages not compared"
[ ! -s "$scratch/report" ]
