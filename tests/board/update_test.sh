#!/usr/bin/env bash
# Updates of a board: the real RAUC with the board's own settings and programs, its slots as two files, and the boot loader's own file of
# commands, whose language is a shell's, read by one. What is not shown: GRUB itself, a disk, and a kernel with dm-verity (the bundles here
# are plain ones). As root; the machine's own files stay as they are: all of it happens on a copy that nobody keeps.
# Skipped (77), with the reason, where that cannot be.
set -euo pipefail
box=/box
grubenv=/run/board/esp/EFI/BOOT/grubenv

fail() {
  echo "FAILED: $*"
  exit 1
}
skip() {
  echo "skipped: $*"
  exit 77
}

# --- In the copy ---

environment() { grub-editenv $grubenv list | sort | paste -sd' '; }
slot_sum() { sha256sum "$box/$1.img" | cut -c-16; }

# What config/board/grub/grub.cfg does at a start. Prints the slot that it boots.
grub_starts() {
  bash -c '
    set() { eval "${1%%=*}=\${1#*=}"; }
    regexp() { :; }
    load_env() { while IFS= read -r line; do set "$line"; done < <(grub-editenv '$grubenv' list); }
    save_env() { for each in "$@"; do grub-editenv '$grubenv' set "$each=${!each}"; done; }
    linux() { case "$*" in *board.slot=root-a\ rauc.slot=A*) echo A ;; *board.slot=root-b\ rauc.slot=B*) echo B ;; *) echo "none: $*" ;; esac; }
    initrd() { :; }
    boot() { exit; }
    prefix="(hd0,gpt1)/EFI/BOOT"
    source '$box'/grub.cfg'
}

# The board starts: from the slot that GRUB chooses, with what that slot holds.
# usage: start_board UPTIME-IN-SECONDS
start_board() {
  booted=$(grub_starts)
  echo "rauc.slot=$booted" >$box/cmdline
  echo "$1.00 0.00" >$box/uptime
  local slot=${booted,,}
  head -c 14 "$box/$slot.img" >/usr/share/idkiosk/board-version
  : >$box/asked
  if [ -n "${service-}" ]; then stop_rauc; fi
  setsid rauc --conf=/etc/rauc/system.conf --mount=/run/board/update --override-boot-slot="$booted" service >>$box/rauc.log 2>&1 &
  service=$!
  start_units
  # It ends by a signal where nobody answers yet.
  until (rauc status; exit $?) >/dev/null 2>&1; do kill -0 "$service" 2>/dev/null || fail "RAUC does not run: $(tail -n 3 $box/rauc.log)"; done
}
# What the board's units do of themselves at each start; its partitions are files here.
start_units() {
  local command
  grep -qx "Wants=idkiosk-slots.service" /usr/lib/systemd/system/idkiosk-update-judge.timer || fail "nothing looks at the slots of a board that starts"
  sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/idkiosk-slots.service >$box/commands
  while read -r command; do
    [ "${command##* }" = prepare ] || $command >$box/start.log 2>&1 || fail "'$command': $(cat $box/start.log)"
  done <$box/commands
}
# With the programs that it started, which may still hold the bundle for a moment.
stop_rauc() {
  kill -KILL -- "-$service" 2>/dev/null || true
  wait "$service" 2>/dev/null || true
  service=''
  if mountpoint -q /run/board/update/bundle; then umount --lazy /run/board/update/bundle; fi
  # Of a bundle that RAUC had opened and not mounted yet: the machine has few of them.
  local device
  losetup --associated $box/newer.raucb --noheadings --output NAME | while read -r device; do losetup --detach "$device"; done
}
asked() { grep -qxF -- "$1" $box/asked; }
judge() { /usr/lib/idkiosk/board/update judge >$box/judge.log 2>&1 || fail "it does not judge: $(cat $box/judge.log)"; }
is() { [ "$2" = "$3" ] || fail "$1 is '$2', not '$3'"; }

# What each failure says, and no other one.
sentences=(
  "its version 20250101000000 is older than 20260101000000, which runs"
  "its version 20260101000000 is older than 20260201000000, which was good here"
  "its version 20260101000000 runs already, and this is another image of it"
  "its version 20260201000000 is in the other slot, and this is another image of it"
  "its version is no number"
  "signature verification failed: Verify error: self-signed certificate"
  "signature verification failed: error:1700009E:CMS routines::verification failure"
  "Compatible mismatch: Expected 'idkiosk-board-amd64' but bundle manifest has 'another-board'"
)

# Expects that the bundle is refused, with this sentence and none of the others, and that nothing has changed.
# usage: refused BUNDLE SENTENCE
refused() {
  local before_a before_b before marks each said
  marks=$(grep -r . /data/good* || true)
  before_a=$(slot_sum a) before_b=$(slot_sum b) before=$(environment)
  : >$box/asked
  : >$box/rauc.log
  if rauc install "$1" >$box/install.log 2>&1; then fail "$1 was installed"; fi
  said=$(for each in "${sentences[@]}"; do grep -qF -- "$each" $box/install.log $box/rauc.log && echo "$each"; done || true)
  is "what is said of $1" "$said" "$2"
  is "what was good before $1" "$(grep -r . /data/good* || true)" "$marks"
  is "slot A after $1" "$(slot_sum a)" "$before_a"
  is "slot B after $1" "$(slot_sum b)" "$before_b"
  is "the boot loader's file after $1" "$(environment)" "$before"
  ! asked "--no-block start idkiosk-update-restart.timer" || fail "$1 was refused, and the board starts anew"
}

# As a board is that was just installed: slot A is version 20260101000000, slot B is empty.
new_board() {
  [ -z "${service-}" ] || stop_rauc
  content 20260101000000 $box/a.img
  head -c "$size" /dev/zero >$box/b.img
  grub-editenv $grubenv set ORDER="A B" A_OK=1 B_OK=0 A_TRY=0 B_TRY=0
  rm -f /data/*
  echo healthy >$box/doctor
  start_board 60
  is "the slot of a new board" "$booted" A
  judge
}

# usage: content VERSION FILE   (the bytes of a slot: its version first)
content() {
  { printf '%s' "$1" && openssl enc -aes-128-ctr -K 00 -iv 00 -in /dev/zero 2>/dev/null | head -c $((size - 14)); } >"$2" || true
}

good_one() {
  new_board
  rauc install $box/newer.raucb >$box/install.log 2>&1 || fail "a good update is refused: $(tail -n 3 $box/install.log)"
  cmp -s $box/newer.img $box/b.img || fail "slot B does not hold the update"
  asked "--no-block start idkiosk-update-restart.timer" || fail "nobody starts the update"
  start_board 60
  is "the slot after a good update" "$booted" B
  judge
  asked "--no-block stop idkiosk-update-judge.timer" || fail "a good update is not taken for good: $(cat $box/judge.log)"
  is "the tries of slot B" "$(environment)" "A_OK=1 A_TRY=0 B_OK=1 B_TRY=0 ORDER=B A"
  is "the good version" "$(cat /data/good-version)" 20260201000000
  start_board 60
  is "the slot of the next start" "$booted" B
  # A network that is away at a later start is no reason to go back.
  echo sick >$box/doctor
  start_board 900
  judge
  is "the slot with a sick network" "$(grub_starts)" B
}

# Three times the power fails before anybody judged the slot, and after its data partition was opened.
pulled_plugs() {
  new_board
  local slot
  for slot in A B; do
    for _ in 1 2 3 4; do
      start_board 20
      is "the slot while plugs are pulled" "$booted" $slot
    done
    [ $slot = A ] || break
    rauc install $box/newer.raucb >$box/install.log 2>&1
    start_board 60
    judge
  done
}

# Three times the power fails before the data partition is there: GRUB starts the version before, and the board comes back to the
# newest that was good; by itself, and once. One that crashes each time by now leaves the board with the version before.
pulled_sooner() {
  new_board
  rauc install $box/newer.raucb >$box/install.log 2>&1
  start_board 60
  judge
  for _ in 1 2 3; do is "the slot while plugs are pulled" "$(grub_starts)" B; done
  start_board 60
  is "the slot after three pulled plugs" "$booted" A
  judge
  is "the good version after them" "$(cat /data/good-version)" 20260201000000
  asked "--no-block start idkiosk-update-restart.timer" || fail "nobody starts the version again that was good: $(cat $box/start.log)"
  for _ in 1 2 3; do is "the slot of the start after them" "$(grub_starts)" B; done
  start_board 60
  ! asked "--no-block start idkiosk-update-restart.timer" || fail "a version that crashes is started again and again"
  start_board 60
  is "the slot once it does not crash any more" "$booted" B
  judge
  for _ in 1 2 3; do is "the slot while plugs are pulled again" "$(grub_starts)" B; done
  start_board 60
  asked "--no-block start idkiosk-update-restart.timer" || fail "the second time nobody starts the version again that was good"
  # What was good in a slot says nothing of what is written there later.
  rauc install $box/newer.raucb >$box/install.log 2>&1 || fail "the version that was good cannot be installed: $(tail -n 3 $box/install.log)"
  echo sick >$box/doctor
  start_board 60
  is "the slot of the version that is installed again" "$booted" B
  echo "601.00 0.00" >$box/uptime
  judge
  asked "--no-block reboot" || fail "what was installed anew is not judged"
}

# The version that runs once more: the very same image may be installed again, and is judged there; another one of that version would
# pass for what was judged.
equal_ones() {
  new_board
  refused $box/equal.raucb "its version 20260101000000 runs already, and this is another image of it"
  rauc install $box/same.raucb >$box/install.log 2>&1 || fail "the image that runs is refused: $(tail -n 3 $box/install.log)"
  grep -q "its version 20260101000000 runs already, and this is the same image" $box/rauc.log || fail "nobody says that it runs already: $(cat $box/rauc.log)"
  cmp -s $box/a.img $box/b.img || fail "slot B does not hold the image that runs"
  start_board 60
  is "the slot of an image that ran already" "$booted" B
  judge
  asked doctor || fail "it is not judged in its slot: $(cat $box/judge.log)"
  # The board went back to a version that is older than one that was good.
  new_board
  rauc install $box/newer.raucb >$box/install.log 2>&1
  start_board 60
  judge
  for _ in 1 2 3; do grub_starts >$box/starts; done
  start_board 60
  is "the slot after three pulled plugs" "$booted" A
  refused $box/same.raucb "its version 20260101000000 is older than 20260201000000, which was good here"
  refused $box/newer_equal.raucb "its version 20260201000000 is in the other slot, and this is another image of it"
  # Whatever else is refused, what was good in the other slot is still there.
  refused $box/elsewhere.raucb "Compatible mismatch: Expected 'idkiosk-board-amd64' but bundle manifest has 'another-board'"
  rauc install $box/newer.raucb >$box/install.log 2>&1 || fail "the version that was good cannot be installed: $(tail -n 3 $box/install.log)"
  # Half of it was written by an installation that was cut off: it may be written again.
  start_board 60
  judge
  for _ in 1 2 3; do grub_starts >$box/starts; done
  start_board 60
  head -c 2000000 $box/older.img | dd of=$box/b.img conv=notrunc status=none
  grub-editenv $grubenv set B_OK=0
  rauc install $box/newer.raucb >$box/install.log 2>&1 || fail "after a cut the version that was good cannot be installed: $(tail -n 3 $box/install.log)"
  [ ! -e /data/good-B ] || fail "what was written anew is taken for good"
}

crashing_one() {
  new_board
  rauc install $box/newer.raucb >$box/install.log 2>&1
  for _ in 1 2 3; do is "a start of an update that crashes" "$(grub_starts)" B; done
  start_board 60
  is "the slot after three crashes" "$booted" A
  judge
  is "the slot of the start after that" "$(grub_starts)" A
}

sick_one() {
  new_board
  rauc install $box/newer.raucb >$box/install.log 2>&1
  echo sick >$box/doctor
  start_board 60
  is "the slot of an update that never becomes well" "$booted" B
  judge
  ! asked "--no-block reboot" || fail "it has no ten minutes to become well"
  ! asked "--no-block stop idkiosk-update-judge.timer" || fail "it is taken for good"
  echo "601.00 0.00" >$box/uptime
  judge
  asked "--no-block reboot" || fail "it stays: $(cat $box/judge.log)"
  is "the good version" "$(cat /data/good-version)" 20260101000000
  start_board 60
  is "the slot after ten minutes" "$booted" A
  judge
  asked "--no-block stop idkiosk-update-judge.timer" || fail "the version before is not taken for good"
}

# Whoever judges an update opens the camera, and may start the board anew: neither while somebody is served.
served_one() {
  new_board
  rauc install $box/newer.raucb >$box/install.log 2>&1
  start_board 60
  local before
  before=$(environment)
  echo 1 >$box/sending
  judge
  grep -qxF "somebody is served: whether version 20260201000000 works is asked later" $box/judge.log || fail "it does not say that it waits: $(cat $box/judge.log)"
  echo 0 >$box/sending
  # Who types a number has no camera open yet.
  echo true >$box/visit
  judge
  exec 7>$box/video0
  echo false >$box/visit
  judge
  exec 7>&-
  # idkiosk-camera looks through one of the network.
  exec 7< <(perl -MSocket -e '$| = 1; $at = sockaddr_un($ARGV[0]);
    socket $_, AF_UNIX, SOCK_SEQPACKET, 0 for $listens, $asks;
    bind $listens, $at; listen $listens, 1; connect $asks, $at; print "there\n"; sleep 60' $box/camera.sock)
  read -r <&7
  judge
  kill $!
  exec 7>&-
  ! asked doctor || fail "somebody who is served loses the camera"
  echo sick >$box/doctor
  echo "601.00 0.00" >$box/uptime
  echo 1 >$box/sending
  judge
  # Somebody comes while the camera is looked at.
  echo 0 >$box/sending
  touch $box/comes
  judge
  rm $box/comes
  asked doctor || fail "a sick update is not asked: $(cat $box/judge.log)"
  ! asked "--no-block reboot" || fail "the board starts anew while somebody is served"
  is "the boot loader's file while somebody is served" "$(environment)" "$before"
  touch $box/leaves
  judge
  rm $box/leaves
  asked "--no-block reboot" || fail "it does not wait until nobody is served: $(cat $box/judge.log)"
}

# One that never says that nobody is served is not well either.
busy_one() {
  new_board
  rauc install $box/newer.raucb >$box/install.log 2>&1
  start_board 4199
  echo 1 >$box/sending
  echo sick >$box/doctor
  judge
  ! asked "--no-block reboot" || fail "it has no hour in which it may serve"
  echo "4200.00 0.00" >$box/uptime
  judge
  asked "--no-block reboot" || fail "it stays: $(cat $box/judge.log)"
  echo 0 >$box/sending
}

# At each line that an installation prints.
cut_ones() {
  local lines=0 at line cuts=0
  new_board
  rauc install $box/newer.raucb >$box/install.log 2>&1
  lines=$(grep -c '^ *[0-9]*% ' $box/install.log)
  for ((at = 1; at < lines; at++)); do
    new_board
    local whole
    whole=$(slot_sum a)
    exec 3< <(exec rauc install $box/newer.raucb 2>&1)
    local installer=$! count=0
    while IFS= read -r line <&3; do
      if [[ $line =~ ^\ *[0-9]+%\  ]]; then count=$((count + 1)); fi
      [ $count -lt $at ] || break
    done
    stop_rauc
    kill -KILL "$installer" 2>/dev/null || true
    exec 3<&-
    cuts=$((cuts + 1))
    is "slot A after a cut at line $at ($line)" "$(slot_sum a)" "$whole"
    start_board 60
    # Where the last of it was written before the power failed, the update is whole.
    if [ "$booted" = B ]; then
      cmp -s $box/newer.img $box/b.img || fail "half of an update starts, after a cut at line $at ($line)"
    else
      judge
      rauc install $box/newer.raucb >$box/install.log 2>&1 || fail "after a cut at line $at nothing can be installed: $(tail -n 3 $box/install.log)"
      is "the slot of the update after a cut" "$(grub_starts)" B
    fi
  done
  echo "cut at $cuts of its lines, and each time a whole slot starts"
}

bad_ones() {
  new_board
  refused $box/older.raucb "its version 20250101000000 is older than 20260101000000, which runs"
  refused $box/forged.raucb "signature verification failed: Verify error: self-signed certificate"
  refused $box/unversioned.raucb "its version is no number"
  refused $box/elsewhere.raucb "Compatible mismatch: Expected 'idkiosk-board-amd64' but bundle manifest has 'another-board'"
  # Of what it holds, and of the signature behind that.
  local at
  for at in 100000 1000000 $(($(stat -c %s $box/newer.raucb) - 20)); do
    cp $box/newer.raucb $box/flipped.raucb
    printf '\x5a\xa5' | dd of=$box/flipped.raucb bs=1 seek="$at" conv=notrunc status=none
    refused $box/flipped.raucb "signature verification failed: error:1700009E:CMS routines::verification failure"
  done
  is "the slot after all of them" "$(grub_starts)" A
}

# An update that is installed waits until nobody is served.
waits() {
  new_board
  local each sending visit
  for each in "1 false" "0 true" "0 false"; do
    read -r sending visit <<<"$each"
    echo "$sending" >$box/sending
    echo "$visit" >$box/visit
    : >$box/asked
    /usr/lib/idkiosk/board/update restart >$box/restart.log 2>&1 || fail "it does not look whether somebody is served: $(cat $box/restart.log)"
    if [ "$each" != "0 false" ]; then
      ! asked "--no-block reboot" || fail "the board starts anew while somebody is served (sending, visit: $each)"
    else
      asked "--no-block reboot" || fail "an idle board does not start its update: $(cat $box/restart.log)"
    fi
  done
}

# usage: bundle NAME VERSION CERT   (of what NAME.img holds)
bundle() {
  tools/board bundle --cert "$box/$3.pem" --key "$box/$3.key" --format plain --root "$box/$1.img" --version "$2" --out "$box/$1.raucb" 2>$box/bundle.log ||
    fail "no bundle is made: $(cat $box/bundle.log)"
}

# usage: another NAME OTHER   (OTHER.img: as NAME.img, but for two bytes)
another() {
  cp "$box/$1.img" "$box/$2.img"
  printf '\x5a\xa5' | dd of="$box/$2.img" bs=1 seek=1000000 conv=notrunc status=none
}

make_bundles() {
  local name
  for name in bank thief; do
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout $box/$name.key -out $box/$name.pem -subj "/CN=$name" 2>/dev/null
  done
  install -D -m 644 $box/bank.pem /etc/rauc/keyring.pem
  content 20260201000000 $box/newer.img
  content 20250101000000 $box/older.img
  cp $box/newer.img $box/forged.img
  cp $box/newer.img $box/unversioned.img
  bundle newer 20260201000000 bank
  bundle older 20250101000000 bank
  bundle forged 20260201000000 thief
  bundle unversioned "none" bank
  content 20260101000000 $box/same.img
  bundle same 20260101000000 bank
  another same equal
  bundle equal 20260101000000 bank
  another newer newer_equal
  bundle newer_equal 20260201000000 bank
  mkdir $box/elsewhere
  cp $box/newer.img $box/elsewhere/root.img
  echo 20260201000000 >$box/elsewhere/board-version
  printf '[update]\ncompatible=another-board\nversion=1\n\n[bundle]\nformat=plain\n\n[image.rootfs]\nfilename=root.img\n' >$box/elsewhere/manifest.raucm
  rauc bundle --cert $box/bank.pem --key $box/bank.key $box/elsewhere $box/elsewhere.raucb >/dev/null 2>&1
}

# What the board's programs ask: answers that a test chooses, and a note of what they want done.
make_programs() {
  mkdir -p $box/bin
  cat >$box/bin/systemctl <<'PROGRAM'
#!/bin/sh
echo "$*" >>/box/asked
PROGRAM
  cat >$box/bin/runuser <<'PROGRAM'
#!/bin/sh
case $* in
  *doctor*) echo doctor >>/box/asked; [ ! -e /box/comes ] || echo 1 >/box/sending; echo "good  queue          0 wait"; [ "$(cat /box/doctor)" = healthy ] || echo "bad   service        it is away" ;;
  *"queue stats"*) printf '{"pending":50,"held":0,"sending":%s,"done":7,"holds":[],"visit":%s}\n' "$(cat /box/sending)" "$(cat /box/visit)" ;;
esac
PROGRAM
  # Time passes by itself: somebody leaves.
  printf '#!/bin/sh\n[ ! -e /box/leaves ] || echo 0 >/box/sending\n' >$box/bin/sleep
  chmod 755 $box/bin/*
}

inside() {
  export PATH=$box/bin:$PATH DBUS_STARTER_BUS_TYPE=session
  size=$((4 << 20))
  cp -r --no-preserve=ownership config/board/root/. /
  sed -i "s|/run/board/disk/root-a|$box/a.img|; s|/run/board/disk/root-b|$box/b.img|" /etc/rauc/system.conf
  # The kernel's own files say what this machine is at.
  sed -i "s|/proc/cmdline|$box/cmdline|; s|/proc/uptime|$box/uptime|; s|/dev/video|$box/video|; s|/run/idkiosk-camera|$box/camera|" /usr/lib/idkiosk/board/update{,-allowed,-installed}
  mkdir -p /data "$(dirname $grubenv)" /usr/share/idkiosk /run/board/update /run/board/disk
  ln -s $box/a.img /run/board/disk/root-a
  ln -s $box/b.img /run/board/disk/root-b
  grub-editenv $grubenv create
  cp config/board/grub/grub.cfg $box/grub.cfg
  grub-script-check $box/grub.cfg || fail "GRUB does not understand its file"
  make_programs
  make_bundles
  echo 0 >$box/sending
  echo false >$box/visit
  local each
  for each in good_one pulled_plugs pulled_sooner equal_ones crashing_one sick_one served_one busy_one bad_ones cut_ones waits; do
    $each
    echo "good  $each"
  done
  stop_rauc
  touch $box/passed
}

# --- Around it ---

# In namespaces of its own: a copy of this machine that is kept in memory.
boot() {
  # shellcheck source=tests/throwaway_root.sh
  source tests/throwaway_root.sh
  make_throwaway_root "$1" /
  enter_throwaway_root "$1" "dbus-run-session -- tests/board/update_test.sh inside"
}

case ${1-} in
  inside) inside ;;
  boot) boot "$2" ;;
  *)
    for each in rauc mksquashfs dbus-run-session grub-editenv grub-script-check openssl; do
      command -v $each >/dev/null || skip "there is no $each: 'tools/board update-test' installs it"
    done
    [ "$(id -u)" = 0 ] || skip "it needs root"
    unshare --mount --pid --net --fork true 2>/dev/null || skip "it needs namespaces"
    grep -qw overlay /proc/filesystems || skip "it needs overlayfs"
    grep -qw squashfs /proc/filesystems || skip "it needs squashfs"
    losetup -f >/dev/null 2>&1 || skip "it needs a loop device"
    work=$(mktemp -d)
    trap 'rm -rf --one-file-system "$work"' EXIT
    mkdir "$work/files" "$work/root" "$work/box"
    setpriv --pdeathsig KILL unshare --mount --pid --net --ipc --uts --fork --kill-child "$0" boot "$work" || fail "it stopped there"
    [ -e "$work/box/passed" ] || fail "it stopped there"
    ;;
esac
