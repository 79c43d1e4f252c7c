#!/usr/bin/env bash
# The units are understood by systemd, and the program's keeps its exposure. Skipped (77) where systemd-analyze is not
# installed.
set -euo pipefail
unit=config/systemd/idkiosk.service
browser=config/systemd/idkiosk-browser.service
worst=15 # tenths; systemd's scale goes from 0 (closed) to 100

command -v systemd-analyze >/dev/null || exit 77

# The program itself is not installed where tests run.
complaints=$(systemd-analyze verify "$unit" "$browser" 2>&1 | grep -v 'Command /usr/bin/idkiosk is not executable' || true)
if [ -n "$complaints" ]; then
  printf '%s\n' "$complaints"
  exit 1
fi

# What the page needs of its browser: to speak before somebody touches it, and to keep nothing.
for flag in --kiosk --incognito --autoplay-policy=no-user-gesture-required file:///run/idkiosk/start.html; do
  grep -qF -- "$flag" $browser || { echo "$browser: no $flag" && exit 1; }
done
grep -qF -- '--start-page /run/idkiosk/start.html' $unit || { echo "$unit: another start page than the browser's" && exit 1; }

score=$(systemd-analyze security --offline=true "$unit" | sed -n 's/.*exposure level for .*: \([0-9]*\)\.\([0-9]\).*/\1\2/p')
echo "exposure: ${score:?systemd-analyze gave no score} tenths"
[ "$((10#$score))" -le $worst ]
