#!/usr/bin/env bash
# The ruleset is understood by nft; as root it is also loaded, in a network of its own, and keeps other users out. Skipped
# (77) where nft is not installed, or the kernel knows no rules.
set -euo pipefail
command -v nft >/dev/null || exit 77
fail() {
  printf '%s\n' "$1"
  exit 1
}

# The users have numbers here: nobody makes them for a test.
rules=$(mktemp)
trap 'rm -f "$rules"' EXIT
sed -E '/^ *#/! { s/"idkiosk-browser"/4711/g; s/"idkiosk"/4710/g }' config/nftables/idkiosk.nft >"$rules"
port=$(sed -n 's/^define page_port = //p' config/nftables/idkiosk.nft)
grep -q "\"port\": $port" config/README.md || fail "config/README.md names another port than $port"
unshare -rn nft list tables >/dev/null 2>&1 || exit 77
unshare -rn nft -c -f "$rules"

[ "$(id -u)" = 0 ] && command -v systemd-socket-activate setpriv ip >/dev/null || exit 0
# shellcheck disable=SC2016  # of the inner shell
unshare -n bash -c '
  set -u
  ip link set lo up
  as() { setpriv --reuid "$1" --regid "$1" --clear-groups bash -c "exec 3<>/dev/tcp/$2" 2>/dev/null; }
  for each in "$1" "$(($1 + 1))"; do
    systemd-socket-activate --accept --inetd -l "127.0.0.1:$each" cat 2>/dev/null &
    servers="${servers:-} $!"
  done
  trap "kill $servers" EXIT
  until as 65534 "127.0.0.1/$1" && as 65534 "127.0.0.1/$(($1 + 1))"; do :; done
  nft -f "$2" && nft -f "$2" || exit 1   # a second time, as at a reload
  as 4711 "127.0.0.1/$1" || { echo "the browser does not reach the page"; exit 1; }
  as 4710 "127.0.0.1/$1" || { echo "the program does not reach the page"; exit 1; }
  ! as 65534 "127.0.0.1/$1" || { echo "another user reaches the page"; exit 1; }
  ! as 4711 "127.0.0.1/$(($1 + 1))" || { echo "the browser reaches another server"; exit 1; }
  as 65534 "127.0.0.1/$(($1 + 1))" || { echo "another user does not reach another server"; exit 1; }
' nftables "$port" "$rules"
