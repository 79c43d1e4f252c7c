#!/usr/bin/env bash
# Runs the units under systemd itself, in namespaces of their own on a throw-away copy of this machine's files: the program
# as it was built, and Debian's Chromium. There is neither a screen nor logind: cage draws into memory, and where it is not
# installed Chromium itself does. All else is as the units say. Skipped (77) where that cannot be.
# usage: units_run_test.sh IDKIOSK [crash_loop]   (that alone; it is left out otherwise)
set -euo pipefail
log=/box

fail() {
  echo "$1"
  tail -n 30 $log/*.log
  exit 1
}

# --- In the box, once systemd runs ---

# usage: until_true COMMAND...
until_true() { until "$@"; do sleep 0.1; done; }
# usage: let_in N   (a browser, so many times)
let_in() { [ "$(grep -cF 'a browser was let in' $log/idkiosk.log)" -ge "$1" ]; }
# A page follows the snapshots as long as it is open: a connection of the browser's user to the page's port.
page_is_open() {
  awk -v user="$(id -u idkiosk-browser)" '$3 ~ /:2116$/ && $4 == "01" && $8 == user { open = 1 } END { exit !open }' /proc/net/tcp
}
id_of() { systemctl show -p MainPID --value "$1"; }
# What a process in the browser's namespaces sees and may, as its user.
as_browser() {
  nsenter --target "$(id_of idkiosk-browser)" --mount setpriv --reuid idkiosk-browser --regid idkiosk-browser --clear-groups "$@"
}
refused() { ! as_browser "$@" >/dev/null 2>&1 || fail "the browser's user may: $*"; }

# A film, by the unit that decodes: a picture of idkiosk's own, some times.
film_is_decoded_elsewhere() {
  local film=/srv/film.mjpeg number=0 frames
  runuser -u idkiosk -- idkiosk --config /etc/idkiosk/kiosk.jsonc record --camera synthetic --seconds 3 --out /var/lib/idkiosk/pictures >/dev/null || true  # no capture is completed by it
  frames=(/var/lib/idkiosk/pictures/frame-*.jpg)
  cat "${frames[@]:0:4}" >$film
  chmod 644 $film
  systemctl start idkiosk-camera.socket
  runuser -u idkiosk -- idkiosk --config /etc/idkiosk/kiosk.jsonc record --camera opencv:$film --out /var/lib/idkiosk/frames >$log/record.log 2>&1 || true
  grep -q '^4 frames' $log/record.log || fail "no frames of a film: $(cat $log/record.log)"
  # Nobody else asks it.
  ! runuser -u idkiosk-browser -- sh -c 'test -w /run/idkiosk-camera.sock' || fail "the browser's user may ask for pictures"
  number=$(id_of idkiosk-camera)
  grep -q "^Uid:.$(id -u idkiosk-camera)" "/proc/$number/status" || fail "the camera's process is of another user"
  grep -q 'Seccomp:.*2' "/proc/$number/status" || fail "no system-call filter for the camera"
  for each in /var/lib/idkiosk /etc/idkiosk /run/idkiosk; do
    ! nsenter --target "$number" --mount setpriv --reuid idkiosk-camera --regid idkiosk-camera --clear-groups ls $each >/dev/null 2>&1 ||
      fail "the camera's user may list $each"
  done
  echo "a film was decoded by a user of its own"
}

# A program that ends at each start: systemd leaves it alone, the screen says so, and it is tried again.
crash_loop() {
  touch /srv/broken
  systemctl restart idkiosk 2>/dev/null || true
  until_true grep -q 'OUT OF ORDER' $log/screen
  # Its own restarts, and those that the browser asked for, which wants it.
  [ "$(systemctl show -p NRestarts --value idkiosk)" -ge 5 ] || fail "given up early"
  ! systemctl --quiet is-active idkiosk-browser || fail "the browser runs without its program"
  rm /srv/broken
  until_true let_in 2
  echo "a program that ended 20 times was said to be out of order, and came back, and its browser with it"
}

tell_users_apart() {
  as_browser cat /run/idkiosk/start.html >/dev/null || fail "the browser's user cannot read the start page"
  refused ls /var/lib/idkiosk
  refused ls /etc/idkiosk
  refused touch /run/idkiosk/file
  refused cat "/proc/$(id_of idkiosk)/cmdline"
  refused sh -c 'ls /dev/video* /dev/tpm* /dev/sd* /dev/vd*'
  refused sh -c 'head -c 1 /dev/input/event*'
  grep -q 'Seccomp:.*2' "/proc/$(id_of idkiosk-browser)/status" || fail "no system-call filter"
  # Of the policy: the page's scripts run uncompiled.
  pgrep -f -- '--type=renderer.*--js-flags=--jitless' >/dev/null || fail "the policy is not in force"

  if mount -t securityfs securityfs /sys/kernel/security 2>/dev/null && grep -q landlock /sys/kernel/security/lsm; then
    ! grep -q 'may open every file' $log/idkiosk.log || fail "the unit keeps the program from confining itself"
  fi

  film_is_decoded_elsewhere

  systemctl restart idkiosk-browser
  until_true let_in 2
  echo "a restarted browser came in"
  kill -KILL "$(id_of idkiosk)"
  until_true let_in 3
  echo "a killed program came back, and its browser with it"
}

inside() {
  systemd-sysusers
  systemd-tmpfiles --create idkiosk.conf
  chown -R idkiosk:idkiosk /etc/idkiosk
  install -o idkiosk -m 644 /dev/null $log/screen
  ip link set lo up
  # Before the first start of the unit.
  runuser -u idkiosk -- idkiosk vault init --config /etc/idkiosk/kiosk.jsonc
  systemctl enable --quiet idkiosk-browser
  systemctl start idkiosk

  until_true let_in 1
  echo "the browser came in by the start page"
  until_true page_is_open
  if [ -e $log/crash_loop ]; then crash_loop; else tell_users_apart; fi
  touch $log/good
}

# --- Around it ---

# The shipped files, as config/README.md installs them.
install_into() {
  local root=$1 unit screen='s,/usr/bin/cage -- ,,; s/--ozone-platform=wayland/--headless --disable-gpu/'
  if [ -x "$root/usr/bin/cage" ]; then
    screen='s,/usr/bin/env ,&WLR_BACKENDS=headless WLR_LIBINPUT_NO_DEVICES=1 WLR_RENDERER=pixman LIBSEAT_BACKEND=noop ,'
  fi
  install -D -m 644 config/systemd/idkiosk.sysusers "$root/usr/lib/sysusers.d/idkiosk.conf"
  install -D -m 644 config/systemd/idkiosk.tmpfiles "$root/usr/lib/tmpfiles.d/idkiosk.conf"
  install -D -m 644 config/chromium/idkiosk.json "$root/etc/chromium/policies/managed/idkiosk.json"
  install -m 755 "$2" "$(dirname "$2")/idkiosk-camera" "$root/usr/bin/"
  install -m 644 config/systemd/idkiosk-camera.socket "$root/etc/systemd/system/"
  mkdir -p "$root/etc/idkiosk"
  cp -r config/kiosk.jsonc config/profiles config/out-of-order.txt "$root/etc/idkiosk/"
  echo '{ "ui": { "port": 8470, "browser_user": "idkiosk-browser" } }' >"$root/etc/idkiosk/kiosk.local.jsonc"
  for unit in idkiosk idkiosk-browser idkiosk-camera idkiosk-out-of-order; do
    # No terminal and no screen here.
    sed -E "/^(Conflicts=getty|PAMName|TTY.*|Utmp.*|StandardInput=tty.*|After=getty.*)/d; s,/dev/tty1;,$log/screen;,; $screen" \
      config/systemd/$unit.service >"$root/etc/systemd/system/$unit.service"
    mkdir -p "$root/etc/systemd/system/$unit.service.d"
    printf '[Service]\nStandardOutput=append:%s\nStandardError=append:%s\n' $log/$unit.log $log/$unit.log \
      >"$root/etc/systemd/system/$unit.service.d/log.conf"
  done
  printf 'ExecStartPre=/bin/sh -c "! test -e /srv/broken"\nRestartSec=50ms\n' >>"$root/etc/systemd/system/idkiosk.service.d/log.conf"
  printf 'Environment=TRY_AGAIN_AFTER=3\nReadWritePaths=%s\n' $log >>"$root/etc/systemd/system/idkiosk-out-of-order.service.d/log.conf"
  # Nothing else of this machine starts.
  printf '[Unit]\n' | tee "$root/etc/systemd/system/basic.target" "$root/etc/systemd/system/sysinit.target" >/dev/null
  printf '[Unit]\nRequires=box.service\n' >"$root/etc/systemd/system/box.target"
  printf '[Unit]\nDefaultDependencies=no\n[Service]\nType=oneshot\nTimeoutStartSec=infinity\nStandardOutput=append:%s\nStandardError=append:%s\nExecStart=%s/test inside\nExecStopPost=/bin/systemctl --force --force halt\n' \
    $log/box.log $log/box.log $log >"$root/etc/systemd/system/box.service"
}

# In new namespaces: becomes systemd.
boot() {
  local work=$1 program=$2 root=$1/root
  # shellcheck source=tests/throwaway_root.sh
  source tests/throwaway_root.sh
  copy_root "$work" /
  mount -t sysfs sysfs "$root/sys"
  mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
  mount -t devtmpfs devtmpfs "$root/dev"
  mkdir -p "$root/dev/shm" "$root/dev/pts" "$root$log"
  for each in run tmp dev/shm; do mount -t tmpfs box "$root/$each"; done
  mount -t devpts devpts "$root/dev/pts"
  mount --bind "$work/log" "$root$log"
  install -m 755 "$0" "$work/log/test"
  install_into "$root" "$program"
  cd "$root"
  mkdir -p old
  pivot_root . old
  umount -l old
  exec env -i container=box PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=box.target --log-target=console \
    --show-status=no </dev/null >$log/systemd.log 2>&1
}

case ${1-} in
  inside) inside ;;
  boot) boot "$2" "$3" ;;
  *)
    program=${1:?usage: units_run_test.sh IDKIOSK}
    for each in /lib/systemd/systemd /usr/bin/chromium; do [ -x $each ] || exit 77; done
    command -v setpriv nsenter ip >/dev/null || exit 77
    [ "$(id -u)" = 0 ] && unshare -mpuinC --fork true 2>/dev/null || exit 77
    grep -qw overlay /proc/filesystems && grep -qw cgroup2 /proc/filesystems || exit 77
    work=$(mktemp -d)
    mkdir "$work/files" "$work/root" "$work/log"
    [ "${2-}" != crash_loop ] || touch "$work/log/crash_loop"
    trap 'rm -rf "$work"' EXIT
    setpriv --pdeathsig KILL unshare -mpuinC --fork --kill-child "$0" boot "$work" "$program" || true
    cat "$work/log/box.log" 2>/dev/null || true
    [ -e "$work/log/good" ] || { tail -n 20 "$work"/log/*.log && exit 1; }
    ;;
esac
