#!/usr/bin/env bash
# The units are understood by systemd, keep their exposure, and tell the users apart. Skipped (77) where systemd-analyze
# is not installed.
set -euo pipefail
unit=config/systemd/idkiosk.service
browser=config/systemd/idkiosk-browser.service
camera=config/systemd/idkiosk-camera.service
firewall=config/systemd/idkiosk-firewall.service
fleet=config/systemd/idkiosk-fleet.service
ingest=config/systemd/idkiosk-fleet-ingest.service
page=config/systemd/idkiosk-fleet-page.service
out_of_order=config/systemd/idkiosk-out-of-order.service
start_page=/run/idkiosk/start.html

command -v systemd-analyze >/dev/null || exit 77
fail() {
  printf '%s\n' "$1"
  exit 1
}

# The programs themselves are not installed where tests run.
complaints=$(systemd-analyze verify "$unit" "$browser" "$camera" "${camera%service}socket" "$firewall" "$fleet" "$ingest" "$page" "$out_of_order" 2>&1 |
  grep -vE 'Command /usr/(bin/idkiosk(-camera|-fleet(-ingest|ctl)?)?|sbin/nft) is not executable' || true)
[ -z "$complaints" ] || fail "$complaints"

# usage: exposure UNIT WORST   (in tenths; systemd's scale goes from 0, closed, to 100)
exposure() {
  local score
  score=$(systemd-analyze security --offline=true "$1" | sed -n 's/.*exposure level for .*: \([0-9]*\)\.\([0-9]\).*/\1\2/p')
  echo "$1: exposure ${score:?systemd-analyze gave no score} tenths, at most $2"
  [ "$((10#$score))" -le "$2" ]
}
exposure $unit 13
exposure $browser 20
exposure $camera 12
exposure $fleet 12
exposure $ingest 12
exposure $page 12
exposure $out_of_order 12

# usage: has FILE TEXT   |   has_not FILE PATTERN
has() { grep -qF -- "$2" "$1" || fail "$1: no $2"; }
has_not() { ! grep -v "^#" "$1" | grep -qE -- "$2" || fail "$1: it has $2"; }

# Neither is given up for good.
has $unit OnFailure=idkiosk-out-of-order.service
has $browser StartLimitIntervalSec=0

# What the page needs of its browser: to speak before somebody touches it, and to keep nothing.
for flag in --kiosk --incognito --autoplay-policy=no-user-gesture-required "file://$start_page"; do has $browser "$flag"; done
has $unit "--start-page $start_page"
has config/chromium/idkiosk.json "\"file://$start_page\""
has config/systemd/idkiosk.tmpfiles "d $(dirname $start_page) 2750 idkiosk idkiosk-browser"
# No token on a command line, no switch to another terminal, no sandbox of Chromium's left out.
has_not $browser 'token|cage -[a-z]*s|no-sandbox|disable-setuid-sandbox'

# The rules are there before the browser, and loaded again where others empty all tables.
has $firewall 'Before=shutdown.target idkiosk-browser.service'
has $firewall 'ReloadPropagatedFrom=nftables.service'
has $firewall 'WantedBy=idkiosk-browser.service'
# Seen on a board: without these cage ends before it shows anything, and nobody reads why.
has $browser 'BindPaths=-/dev/dri -/dev/snd -/dev/input'
has $browser StandardError=journal
has config/README.md 'cage xwayland chromium libpam-systemd polkitd'

# Two users, and nothing that one of them reads of the other.
has $unit User=idkiosk
has $unit 'SupplementaryGroups=video tss'
has $browser User=idkiosk-browser
has_not $browser '^DeviceAllow=.*input'
has_not $browser '^(Supplementary)?Groups?=.*(video|input|tss|idkiosk( |$))'
has_not $unit '^(Supplementary)?Groups?=.*idkiosk-browser'
has_not config/systemd/idkiosk.sysusers '^m idkiosk-browser|^m idkiosk idkiosk-browser'
has $fleet User=idkiosk-fleet
has $fleet 'SupplementaryGroups=idkiosk-api'
has $fleet ConditionPathExists=/etc/idkiosk-fleet/fleet.jsonc
has_not config/systemd/idkiosk.sysusers '^m idkiosk-fleet'
# In that group alone, which reads idkiosk's socket and nothing else of it.
has_not config/systemd/idkiosk-fleet.sysusers '^m idkiosk-fleet (idkiosk( |$)|video|tss)'
# Headquarters' programs have a user of their own, and the page is for this machine.
for each in $ingest $page; do has "$each" User=idkiosk-headquarters; done
has $page IPAddressDeny=any
has config/systemd/idkiosk-headquarters.sysusers 'u idkiosk-headquarters '
# What decodes has neither the program's group nor its devices, and its socket is the program's alone.
has $camera User=idkiosk-camera
has $camera IPAddressDeny=any
has_not $camera '^(Supplementary)?Groups?=.*(tss|input|idkiosk( |$))|^(State|Configuration|Cache|Runtime)Directory|^ReadWritePaths|^IPAddressAllow'
has ${camera%service}socket SocketUser=idkiosk
has ${camera%service}socket SocketMode=0600
has_not config/systemd/idkiosk.sysusers '^m idkiosk-camera (tss|idkiosk)'
for user in idkiosk idkiosk-browser idkiosk-camera idkiosk-fleet; do has config/systemd/idkiosk.sysusers "u $user "; done
