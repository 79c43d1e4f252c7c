#!/usr/bin/env bash
# The packages hold what a board needs, and a board that is installed from them keeps what was accepted: over an upgrade, a
# removal and a purge. As root; the machine's own files stay as they are: all of it happens on a copy that nobody keeps.
#   package_test.sh BUILD_FOLDER              packages that build, and installs them on a copy of this machine
#   package_test.sh --in ROOT PACKAGES ARCH   installs those in a root file system that has what they depend on, for tools/package --test
# Skipped (77), with the reason, where that cannot be.
set -euo pipefail
settings=/etc/idkiosk/kiosk.local.jsonc
state=/var/lib/idkiosk

fail() {
  echo "FAILED: $*"
  exit 1
}
skip() {
  echo "skipped: $*"
  exit 77
}

# --- In the copy ---

emulator=()
as_kiosk() { runuser -u idkiosk -- "${emulator[@]}" /usr/bin/idkiosk "$@"; }
sandbox() { "${emulator[@]}" /usr/bin/idkiosk-sandbox "$@" --state /box/sandbox; }
serve() {
  # Not by the function: its subshell would be stopped instead of the program.
  "${emulator[@]}" /usr/bin/idkiosk-sandbox serve --state /box/sandbox >/box/ready 2>/box/sandbox.log &
  server=$!
  until grep -q '"ready"' /box/ready; do
    kill -0 $server 2>/dev/null || fail "the sandbox did not start: $(tail -n 3 /box/sandbox.log)"
    sleep 0.1
  done
}
stop_serving() {
  kill $server
  wait $server || true
}
put_in() { DEBIAN_FRONTEND=noninteractive dpkg --install "$@" >/box/dpkg.log 2>&1 || fail "dpkg does not install $*: $(tail -n 20 /box/dpkg.log)"; }
# usage: owned PATH MODE OWNER:GROUP
owned() { [ "$(stat -c '%a %U:%G' "$1")" = "$2 $3" ] || fail "$1 is $(stat -c '%a %U:%G' "$1"), not $2 $3"; }

check_installed() {
  owned $state 700 idkiosk:idkiosk
  owned /etc/idkiosk 750 idkiosk:idkiosk
  owned /run/idkiosk 2750 idkiosk:idkiosk-browser
  [ -L /etc/systemd/system/multi-user.target.wants/idkiosk.service ] || fail "idkiosk.service does not start with the board"
  id -nG idkiosk | grep -qw tss || fail "idkiosk is not in the TPM's group"
  grep -q '^    "browser_user": "idkiosk-browser",' /etc/idkiosk/kiosk.jsonc || fail "anybody's browser may show the page"
  [ -x /usr/bin/idkiosk-camera ] || fail "cameras of OpenCV are not there"
  [ -d /usr/share/idkiosk/voice/en ] || fail "the voices are not there"
}

inside() {
  local packages=/box/packages newer=/box/newer reference
  ip link set lo up
  mkdir -p /box/sandbox
  put_in "$packages"/idkiosk_*.deb "$packages"/idkiosk-sandbox_*.deb "$packages"/idkiosk-opencv-camera_*.deb "$packages"/idkiosk-voice_*.deb
  check_installed
  echo "installed"

  as_kiosk vault init
  serve
  sandbox onboard --out /box/message.json
  install -m 644 /box/sandbox/ca.pem /etc/idkiosk/ca.pem
  jq '.ca_file = "/etc/idkiosk/ca.pem"' /box/message.json | install -o idkiosk -m 600 /dev/stdin /box/onboarding.json
  as_kiosk provision --onboarding /box/onboarding.json
  as_kiosk config check /etc/idkiosk/kiosk.jsonc || fail "the settings that are installed are no good"
  local nin reason
  nin=$(sed -n 's/.*"test_nin": *"\([0-9]*\)".*/\1/p' $settings)
  reason=$(as_kiosk --quiet reasons | awk 'NR == 1 { print $1 }')
  stop_serving
  local exit_code=0
  as_kiosk --json verify --nin - --reason "$reason" --camera synthetic --wait 0 <<<"$nin" >/box/kept.json || exit_code=$?
  [ $exit_code = 4 ] || fail "a call that nobody answers ends with $exit_code, not 4"
  reference=$(jq -r .reference /box/kept.json)
  echo '// a word of mine' >>/etc/idkiosk/profiles/production.jsonc
  cp $settings /box/settings
  echo "accepted $reference"

  put_in "$newer"/idkiosk_*.deb
  [ "$(dpkg-query -W -f '${Version}' idkiosk)" = "$(dpkg-deb -f "$newer"/idkiosk_*.deb Version)" ] || fail "it was not upgraded"
  check_installed
  cmp $settings /box/settings || fail "the upgrade changed $settings"
  grep -q 'a word of mine' /etc/idkiosk/profiles/production.jsonc || fail "the upgrade changed a profile that somebody edited"
  as_kiosk --json queue list | grep -q "$reference" || fail "the call that was accepted before the upgrade is gone"
  serve
  as_kiosk queue deliver --wait 60 || fail "the call that was accepted before the upgrade was not delivered"
  stop_serving
  sandbox ledger --json >/box/bills.json
  [ "$(jq '[.. | objects | select(has("attempt_id"))] | length' /box/bills.json)" = 1 ] || fail "the sandbox billed something else: $(cat /box/bills.json)"
  as_kiosk queue show "$reference" | grep -qi verified || fail "it was not verified: $(as_kiosk queue show "$reference")"
  as_kiosk ledger verify || fail "the ledger is not whole"
  as_kiosk audit verify || fail "the audit trail is not whole"
  echo "upgraded, and delivered what waited"

  dpkg --remove idkiosk-opencv-camera idkiosk >/box/dpkg.log 2>&1
  cmp $settings /box/settings || fail "a removal changed $settings"
  put_in "$newer"/idkiosk_*.deb
  as_kiosk ledger list --json | grep -q . || fail "the ledger did not outlive a removal"
  echo "removed, and installed again"

  dpkg --purge idkiosk >/box/dpkg.log 2>&1
  grep -q "$state stays" /box/dpkg.log || fail "the purge does not say where the ledger is: $(cat /box/dpkg.log)"
  [ -d $state/ledger ] || [ -n "$(find $state -name '*ledger*' -print -quit)" ] || fail "the purge deleted the ledger"
  [ ! -e /etc/idkiosk ] || fail "the purge left settings"
  put_in "$newer"/idkiosk_*.deb
  install -o idkiosk -m 600 /box/settings $settings
  install -m 644 /box/sandbox/ca.pem /etc/idkiosk/ca.pem
  as_kiosk ledger verify || fail "the ledger did not outlive the purge"
  echo "purged without the ledger"
  debconf-set-selections <<<'idkiosk idkiosk/purge-records boolean true'
  DEBIAN_FRONTEND=noninteractive dpkg --purge idkiosk >/box/dpkg.log 2>&1
  [ ! -e $state ] || fail "the ledger is still there, though somebody said that it may go"
  echo "purged with the ledger, as told"

  # A fleet's side of a kiosk starts once somebody has said whose it is; headquarters' programs once there is a database.
  put_in "$packages"/idkiosk_*.deb "$packages"/idkiosk-fleet_*.deb "$packages"/idkiosk-headquarters_*.deb
  owned /var/lib/idkiosk-fleet 700 idkiosk-fleet:idkiosk-fleet
  owned /run/idkiosk-api 2750 idkiosk:idkiosk-api
  owned /etc/idkiosk-headquarters 750 root:idkiosk-headquarters
  for each in idkiosk idkiosk-fleet; do id -nG $each | grep -qw idkiosk-api || fail "$each is not in the local API's group"; done
  [ -L /etc/systemd/system/multi-user.target.wants/idkiosk-fleet.service ] || fail "idkiosk-fleet.service does not start with the board"
  for each in ingest page; do
    [ ! -e /etc/systemd/system/multi-user.target.wants/idkiosk-fleet-$each.service ] || fail "idkiosk-fleet-$each starts without a database"
  done
  [ -e /lib/systemd/system/idkiosk.service.d/api.conf ] || fail "idkiosk cannot reach its local API's folder"
  [ ! -e /etc/idkiosk-fleet/fleet.jsonc ] || fail "a kiosk belongs to somebody whom nobody named"
  cp /usr/share/doc/idkiosk-fleet/examples/fleet.jsonc /etc/idkiosk-fleet/
  runuser -u idkiosk-fleet -- "${emulator[@]}" /usr/bin/idkiosk-fleet --csr >/box/kiosk.csr || fail "it makes no request for a certificate"
  grep -q 'BEGIN CERTIFICATE REQUEST' /box/kiosk.csr || fail "that is no request: $(head -n 1 /box/kiosk.csr)"
  owned /var/lib/idkiosk-fleet/kiosk.key 600 idkiosk-fleet:idkiosk-fleet
  "${emulator[@]}" /usr/bin/idkiosk-fleetctl --help >/dev/null || fail "idkiosk-fleetctl does not run"
  "${emulator[@]}" /usr/bin/idkiosk-fleet-ingest --help >/dev/null || fail "idkiosk-fleet-ingest does not run"
  dpkg --purge idkiosk-fleet idkiosk-headquarters >/box/dpkg.log 2>&1 || fail "the fleet is not purged: $(cat /box/dpkg.log)"
  for each in /var/lib/idkiosk-fleet /etc/idkiosk-fleet /etc/idkiosk-headquarters /etc/default/idkiosk-headquarters; do
    [ ! -e $each ] || fail "the purge left $each"
  done
  echo "installed a fleet's packages, and purged them"

  # What shows the page depends on a desktop's worth of packages, which need not be here.
  dpkg --force-depends --install "$packages"/idkiosk_*.deb "$packages"/idkiosk-ui-chromium_*.deb >/box/dpkg.log 2>&1 || fail "the screen is not installed: $(cat /box/dpkg.log)"
  [ -L /etc/systemd/system/idkiosk.service.wants/idkiosk-browser.service ] || fail "the screen does not come with the program"
  [ -L /etc/systemd/system/idkiosk-browser.service.wants/idkiosk-firewall.service ] || fail "the rules do not come with the screen"
  echo "installed the screen"
  touch /box/good
}

# --- Around it ---

# In namespaces of its own: a copy of ROOT that is kept in memory.
# usage: boot WORK ROOT
boot() {
  # shellcheck source=tests/throwaway_root.sh
  source tests/throwaway_root.sh
  make_throwaway_root "$1" "$2"
  exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive chroot "$1/root" /box/test inside "$3"
}

# The same package with the next version.
# usage: raise PACKAGE FOLDER
raise() {
  local tree
  tree=$(mktemp -d "$2/tree.XXXXXX")
  dpkg-deb --raw-extract "$1" "$tree"
  sed -i 's/^Version: .*/&+next/' "$tree/DEBIAN/control"
  dpkg-deb --root-owner-group -Zgzip -z1 --build "$tree" "$2" >/dev/null
  rm -rf "$tree"
}

# usage: run_in ROOT PACKAGES EMULATOR
run_in() {
  mkdir -p "$work/files" "$work/root" "$work/box/packages" "$work/box/newer"
  chmod 755 "$work" "$work/box"
  cp "$2"/*.deb "$work/box/packages"
  raise "$2"/idkiosk_*.deb "$work/box/newer"
  install -m 755 "$0" "$work/box/test"
  setpriv --pdeathsig KILL unshare --mount --pid --net --ipc --uts --fork --kill-child "$0" boot "$work" "$1" "$3" ||
    fail "it stopped there"
  [ -e "$work/box/good" ] || fail "it stopped there"
}

check_contents() {
  local packages=$1 listed unpacked=$work/unpacked
  mkdir "$unpacked"
  dpkg-deb -x "$packages"/idkiosk_*.deb "$unpacked"
  listed=$(dpkg-deb --fsys-tarfile "$packages"/idkiosk_*.deb | tar -t)
  for each in usr/bin/idkiosk etc/idkiosk/kiosk.jsonc etc/idkiosk/profiles/production.jsonc lib/udev/rules.d/72-idkiosk.rules \
    lib/systemd/system/idkiosk.service usr/lib/sysusers.d/idkiosk.conf usr/lib/tmpfiles.d/idkiosk.conf usr/share/man/man1/idkiosk.1.gz; do
    grep -qx "./$each" <<<"$listed" || fail "idkiosk lacks $each"
  done
  for each in fleet:usr/bin/idkiosk-fleet fleet:lib/systemd/system/idkiosk-fleet.service fleet:usr/lib/sysusers.d/idkiosk-fleet.conf \
    fleet:usr/lib/tmpfiles.d/idkiosk-fleet.conf fleet:usr/share/man/man1/idkiosk-fleet.1.gz headquarters:usr/bin/idkiosk-fleet-ingest \
    headquarters:usr/bin/idkiosk-fleetctl headquarters:lib/systemd/system/idkiosk-fleet-ingest.service \
    headquarters:lib/systemd/system/idkiosk-fleet-page.service headquarters:usr/lib/sysusers.d/idkiosk-headquarters.conf \
    headquarters:etc/default/idkiosk-headquarters headquarters:usr/share/man/man1/idkiosk-fleetctl.1.gz \
    headquarters:usr/share/man/man1/idkiosk-fleet-ingest.1.gz; do
    dpkg-deb --fsys-tarfile "$packages"/idkiosk-"${each%%:*}"_*.deb | tar -t | grep -x "./${each#*:}" >/dev/null ||
      fail "idkiosk-${each%%:*} lacks ${each#*:}"
  done
  for each in build/bin/models/*.onnx; do
    [ ! -f "$each" ] || grep -qx "./usr/share/idkiosk/models/${each##*/}" <<<"$listed" || fail "idkiosk lacks ${each##*/}"
  done
  # What a package is built with, tools/setup installs for builds by hand.
  while read -r each; do
    grep -qw -- "$each" tools/setup || fail "tools/setup does not install $each, which debian/control names"
  done < <(grep -o '^ *lib[a-z0-9.+-]*-dev' tools/packaging/debian/control)
  # The manual and what is completed come from the program's own tables: here they are read as their readers do.
  local complaints
  complaints=$(zcat "$unpacked/usr/share/man/man1/idkiosk.1.gz" | groff -man -Tutf8 -ww -z 2>&1)
  [ -z "$complaints" ] || fail "the manual page: $complaints"
  # usage: completes WORD... WANTED   (the last but one is what was begun)
  # shellcheck disable=SC1091
  completes() {
    local wanted=${*: -1}
    COMP_WORDS=(idkiosk "${@:1:$#-1}")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    COMPREPLY=()
    _idkiosk
    [ "${COMPREPLY[*]}" = "$wanted" ] || fail "'${COMP_WORDS[*]}' is completed to '${COMPREPLY[*]}', not '$wanted'"
  }
  # shellcheck source=/dev/null
  source "$unpacked/usr/share/bash-completion/completions/idkiosk"
  completes ver 'verify version'
  completes vault pro protect
  completes --quiet queue re retry
  completes pin set '' 'clerk operator --file --pin-file --second-pin-file --config --json --quiet --help'
  completes verify --ni --nin
}

case ${1-} in
  inside)
    [ -z "${2-}" ] || emulator=("$2")
    inside
    ;;
  boot) boot "$2" "$3" "${4-}" ;;
  --in)
    work=$(mktemp -d)
    trap 'rm -rf --one-file-system "$work"' EXIT
    by=
    [ "$4" = "$(dpkg --print-architecture)" ] || by=qemu-aarch64-static
    run_in "$2" "$3" "$by"
    ;;
  *)
    export IDKIOSK_BUILD=${1:?usage: package_test.sh BUILD_FOLDER}
    for each in dh po2debconf lintian groff jq; do
      command -v $each >/dev/null || skip "there is no $each: run tools/setup"
    done
    work=$(mktemp -d)
    trap 'rm -rf --one-file-system "$work"' EXIT
    tools/package --built --out "$work/packages"
    check_contents "$work/packages"
    lintian --allow-root --fail-on=error,warning --tag-display-limit=0 "$work"/packages/*.changes || fail "lintian complains"
    [ "$(id -u)" = 0 ] || skip "the packages are good; to install them it needs root"
    unshare --mount --pid --net --fork true 2>/dev/null || skip "the packages are good; to install them it needs namespaces"
    grep -qw overlay /proc/filesystems || skip "the packages are good; to install them it needs overlayfs"
    run_in / "$work/packages" ""
    ;;
esac
