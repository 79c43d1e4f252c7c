#!/usr/bin/env bash
# The bill of materials names what the program is made of, and says so where it cannot. What holds for the bill is said twice: of
# the bill as it is, and of one that lacks a component, where it must not hold.
# usage: sbom_test.sh BUILD_FOLDER
set -euo pipefail
export IDKIOSK_BUILD=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$*" && exit 1; }
bill=$scratch/bill.json

# usage: has BILL JQ_CONDITION
has() { jq --exit-status "$2" "$1" >/dev/null; }

# Each library that the linker noted, with the packages that have one of its name: of several architectures, too.
libraries=$(objdump -p "$IDKIOSK_BUILD/bin/idkiosk" "$IDKIOSK_BUILD/bin/idkiosk-camera" | awk '$1 == "NEEDED" { print $2 }' | sort -u |
  while read -r library; do echo "$library $(dpkg-query -S "*/$library" | cut -d: -f1 | sort -u | paste -sd'|')"; done)

# What is missing in a bill, by other ways than those that tools/sbom goes: each of those libraries, each source that set-up
# fetched, each model, and nothing that depends on what is not there.
# usage: missing_in BILL
missing_in() {
  local library packages name
  while read -r library packages; do
    has "$1" "any(.components[]; .purl // \"\" | sub(\"%2B\"; \"+\"; \"g\") | test(\"^pkg:deb/debian/(${packages//+/[+]})@\"))" || echo "$library of $packages"
  done <<<"$libraries"
  for name in mbedtls curl cpp-httplib tpm2-tss; do
    has "$1" "any(.components[]; .purl // \"\" | test(\"^pkg:deb/debian/$name@[0-9].*arch=source\"))" || echo "$name"
  done
  has "$1" 'any(.components[]; .name == "libcli11-dev")' || echo "CLI11"
  for name in "$IDKIOSK_BUILD"/bin/models/*.onnx; do
    [ ! -f "$name" ] || has "$1" "any(.components[].hashes // [] | .[]; .content == \"$(sha256sum "$name" | cut -c-64)\")" || echo "$name"
  done
  # shellcheck disable=SC2016  # jq's own
  has "$1" '([.components[]["bom-ref"]] | sort) as $all | ($all | unique) == $all and ([.dependencies[].dependsOn // [] | .[]] | unique) - $all == []' ||
    echo "a part that something depends on, or the sameness of references"
  has "$1" '(.dependencies[] | select(.ref == "idkiosk") | .dependsOn | length) > 20' || echo "what idkiosk depends on"
}

tools/sbom --out "$bill"
missing=$(missing_in "$bill")
[ -z "$missing" ] || fail "the bill lacks $missing"
for name in libopencv-videoio406 libcli11-dev libsqlite3-0 curl YuNet; do
  has "$bill" "any(.components[]; .name == \"$name\")" || continue # a model need not be there
  jq "del(.components[] | select(.name == \"$name\"))" "$bill" >"$scratch/less.json"
  [ -n "$(missing_in "$scratch/less.json")" ] || fail "that the bill lacks $name is not noticed"
done

has "$bill" '.bomFormat == "CycloneDX" and .specVersion == "1.5" and (.serialNumber | test("^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$"))' ||
  fail "the head of the bill is not what CycloneDX asks for"
has "$bill" ".metadata.component | .version == \"$("$IDKIOSK_BUILD/bin/idkiosk" version | sed -n 's/^idkiosk //p')\" and .hashes[0].content == \"$(sha256sum "$IDKIOSK_BUILD/bin/idkiosk" | cut -c-64)\"" ||
  fail "the bill is of another program"
has "$bill" '.metadata.timestamp == null' || fail "the bill has a time that nobody gave it"

tools/sbom >"$scratch/again.json"
cmp "$bill" "$scratch/again.json" || fail "the same inputs give other bytes"
SOURCE_DATE_EPOCH=86400 tools/sbom >"$scratch/dated.json"
has "$scratch/dated.json" '.metadata.timestamp == "1970-01-02T00:00:00Z"' || fail "SOURCE_DATE_EPOCH is not its time"

# usage: refuses BUILD_FOLDER WHAT
refuses() {
  local said
  ! said=$(IDKIOSK_BUILD=$1 tools/sbom 2>&1) || fail "it makes a bill of $1"
  grep -qF -- "$2" <<<"$said" || fail "of $1 it says '$said' instead of '$2'"
}
refuses "$scratch/nothing" "build the program first"

# A program with a library that no package has; then without that library.
mkdir -p "$scratch/odd/bin"
echo 'int nobody(void) { return 0; }' | cc -shared -fPIC -x c - -o "$scratch/libnobody.so.7" -Wl,-soname,libnobody.so.7
echo 'int nobody(void); int main(void) { return nobody(); }' | cc -x c - -x none "$scratch/libnobody.so.7" -o "$scratch/odd/bin/idkiosk" -Wl,-rpath,"$scratch"
cp "$scratch/libnobody.so.7" "$scratch/odd/bin/idkiosk-camera"
refuses "$scratch/odd" "no Debian package is known for libnobody.so.7 ($scratch/libnobody.so.7)"
rm "$scratch/libnobody.so.7"
refuses "$scratch/odd" "no Debian package is known for libnobody.so.7 (not found)"
