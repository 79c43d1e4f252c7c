#!/usr/bin/env bash
# What a new board takes from a stick that anybody may have filled: real file systems, mounted by the board's own program; idkiosk itself
# is one that notes what it is given. As root; the machine's own files stay as they are: all of it happens on a copy that nobody keeps.
# Skipped (77), with the reason, where that cannot be.
set -euo pipefail
box=/box

fail() {
  echo "FAILED: $*"
  exit 1
}
skip() {
  echo "skipped: $*"
  exit 77
}

# --- In the copy ---

# Puts a new stick's folder at $box/filled; plug_in takes it.
make_stick() {
  truncate -s 16M $box/stick.img
  mkfs.ext4 -q -F -L IDKIOSK $box/stick.img
  mkdir -p $box/filled
  mount -o loop $box/stick.img $box/filled
}
message() { echo '{"good": true, "api_key": "K-canary"}' >$box/filled/onboarding.json; }
certificates() { echo "new certificates" >$box/filled/ca.pem; }

# Runs the board's program on the stick, as udev does. Sets 'code'.
plug_in() {
  local device
  umount $box/filled
  rm -f $box/given
  device=$(losetup --find --show $box/stick.img)
  code=0
  /usr/lib/idkiosk/board/onboarding "$device" >$box/log 2>&1 || code=$?
  if mountpoint -q /run/board/stick; then fail "the stick stays mounted"; fi
  losetup --detach "$device"
  [ "$(ls /run/board)" = stick ] || fail "in /run/board was left: $(ls /run/board)"
}

# Nothing was set up, and nothing of the stick is anywhere.
nothing_happened() {
  [ "$code" -ne 0 ] || fail "$1: it says that all is well"
  [ ! -e /var/lib/idkiosk/board.onboarded ] || fail "$1: it counts as set up"
  [ "$(ls /etc/idkiosk)" = kiosk.jsonc ] || fail "$1: in /etc/idkiosk was left: $(ls /etc/idkiosk)"
  if grep -rqs root-canary /etc/idkiosk $box/given $box/log; then fail "$1: a file of root's got out"; fi
}
refused() {
  plug_in
  nothing_happened "$1"
  [ ! -e $box/given ] || fail "$1: idkiosk was given: $(head -c 100 $box/given)"
}

sets_up() {
  make_stick
  message
  certificates
  plug_in
  [ $code = 0 ] || fail "a good stick is refused: $(cat $box/log)"
  grep -q K-canary $box/given || fail "idkiosk was not given the message"
  [ "$(stat -c %U:%G:%a /etc/idkiosk/ca.pem)" = idkiosk:idkiosk:640 ] || fail "the certificates belong to $(stat -c %U:%G:%a /etc/idkiosk/ca.pem)"
  grep -q "new certificates" /etc/idkiosk/ca.pem || fail "the certificates are others"
  [ -e /var/lib/idkiosk/board.onboarded ] || fail "it does not count as set up"
  mount -o loop $box/stick.img $box/filled
  [ ! -e $box/filled/onboarding.json ] || fail "the message stays on the stick"
  umount $box/filled
  rm /etc/idkiosk/ca.pem /var/lib/idkiosk/board.onboarded
}

follows_no_link() {
  make_stick
  message
  ln -s /etc/root-only $box/filled/ca.pem
  refused "ca.pem is a link to a file of root's"
  make_stick
  ln -s /etc/root-only $box/filled/onboarding.json
  refused "onboarding.json is a link to a file of root's"
  make_stick
  message
  mv $box/filled/onboarding.json $box/filled/real
  ln -s real $box/filled/onboarding.json
  refused "onboarding.json is a link on the stick"
}

takes_ordinary_files() {
  make_stick
  message
  mkfifo $box/filled/ca.pem
  refused "ca.pem is a pipe"
  make_stick
  mkfifo $box/filled/onboarding.json
  refused "onboarding.json is a pipe"
  make_stick
  message
  mkdir $box/filled/ca.pem
  refused "ca.pem is a folder"
}

takes_no_more_than_it_may() {
  make_stick
  message
  truncate -s 3G $box/filled/ca.pem
  refused "ca.pem has 3 GB"
  make_stick
  message
  truncate -s 65537 $box/filled/onboarding.json
  refused "onboarding.json is too large"
}

# The message is refused after the certificates were taken.
leaves_nothing_of_a_failure() {
  make_stick
  certificates
  echo '{"bad": true}' >$box/filled/onboarding.json
  plug_in
  nothing_happened "the message is refused"
  runuser -u idkiosk -- sh -c 'echo "old certificates" >/etc/idkiosk/ca.pem'
  make_stick
  certificates
  echo '{"bad": true}' >$box/filled/onboarding.json
  plug_in
  grep -q "old certificates" /etc/idkiosk/ca.pem || fail "the old certificates are gone"
  [ "$(echo /etc/idkiosk/*)" = "/etc/idkiosk/ca.pem /etc/idkiosk/kiosk.jsonc" ] || fail "in /etc/idkiosk was left: $(ls /etc/idkiosk)"
  rm /etc/idkiosk/ca.pem
}

# Only the vault failed: the settings name the certificates, and would not be read without them.
keeps_what_the_settings_name() {
  make_stick
  certificates
  echo '{"half": true}' >$box/filled/onboarding.json
  plug_in
  [ $code -ne 0 ] || fail "half a set-up counts as one"
  grep -q "new certificates" /etc/idkiosk/ca.pem || fail "the settings name certificates that are gone"
  rm /etc/idkiosk/ca.pem /etc/idkiosk/kiosk.local.jsonc
}

inside() {
  export PATH=$box/bin:$PATH
  cp -r --no-preserve=ownership config/board/root/usr/lib/idkiosk/board/onboarding /usr/lib/idkiosk/board/
  mkdir -p $box/bin
  cat >$box/bin/idkiosk <<'PROGRAM'
#!/bin/sh
cat >/box/given
if grep -q half /box/given; then echo '{"service": {"ca_file": "/etc/idkiosk/ca.pem"}}' >/etc/idkiosk/kiosk.local.jsonc; fi
grep -q '"good"' /box/given
PROGRAM
  ln -s /bin/true $box/bin/systemctl
  chmod 755 $box/bin/idkiosk
  chmod 1777 $box
  echo root-canary >/etc/root-only
  chmod 600 /etc/root-only
  local each
  for each in sets_up follows_no_link takes_ordinary_files takes_no_more_than_it_may leaves_nothing_of_a_failure keeps_what_the_settings_name; do
    $each
    echo "good  $each"
  done
  touch $box/passed
}

# --- Around it ---

# In namespaces of its own: a copy of this machine that is kept in memory.
boot() {
  local work=$1 root=$1/root each
  # shellcheck source=tests/throwaway_root.sh
  source tests/throwaway_root.sh
  make_throwaway_root "$work" /
  mkdir -p "$root/usr/lib/idkiosk/board"
  # Nobody's account of this machine is asked, nor what an installed idkiosk left.
  sed -i '/^idkiosk:/d' "$root/etc/passwd" "$root/etc/group" "$root/etc/shadow"
  echo "idkiosk:x:64999:64999::/var/lib/idkiosk:/bin/sh" >>"$root/etc/passwd"
  echo "idkiosk:x:64999:" >>"$root/etc/group"
  for each in etc var/lib; do
    rm -rf "$root/$each/idkiosk"
    install -d -o 64999 -g 64999 -m 750 "$root/$each/idkiosk"
  done
  install -o 64999 -g 64999 -m 640 /dev/null "$root/etc/idkiosk/kiosk.jsonc"
  enter_throwaway_root "$work" "tests/board/onboarding_test.sh inside"
}

case ${1-} in
  inside) inside ;;
  boot) boot "$2" ;;
  *)
    command -v mkfs.ext4 >/dev/null || skip "there is no mkfs.ext4"
    [ "$(id -u)" = 0 ] || skip "it needs root"
    unshare --mount --pid --net --fork true 2>/dev/null || skip "it needs namespaces"
    grep -qw overlay /proc/filesystems || skip "it needs overlayfs"
    losetup -f >/dev/null 2>&1 || skip "it needs a loop device"
    work=$(mktemp -d)
    trap 'rm -rf --one-file-system "$work"' EXIT
    mkdir "$work/files" "$work/root" "$work/box"
    setpriv --pdeathsig KILL unshare --mount --pid --net --ipc --uts --fork --kill-child "$0" boot "$work" || fail "it stopped there"
    [ -e "$work/box/passed" ] || fail "it stopped there"
    ;;
esac
