#!/usr/bin/env bash
# The unit is understood by systemd and keeps its exposure. Skipped (77) where systemd-analyze is not installed.
set -euo pipefail
unit=config/systemd/idkiosk.service
worst=15 # tenths; systemd's scale goes from 0 (closed) to 100

command -v systemd-analyze >/dev/null || exit 77

# The program itself is not installed where tests run.
complaints=$(systemd-analyze verify "$unit" 2>&1 | grep -v 'Command /usr/bin/idkiosk is not executable' || true)
if [ -n "$complaints" ]; then
  printf '%s\n' "$complaints"
  exit 1
fi

score=$(systemd-analyze security --offline=true "$unit" | sed -n 's/.*exposure level for .*: \([0-9]*\)\.\([0-9]\).*/\1\2/p')
echo "exposure: ${score:?systemd-analyze gave no score} tenths"
[ "$((10#$score))" -le $worst ]
