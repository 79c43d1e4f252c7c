#!/bin/busybox sh
# The first process of the machine that tools/vivid emulates. busybox's shell.
# shellcheck shell=dash

/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
ip link set lo up 2>/dev/null
export HOME=/tmp

# Device 0 is a webcam, 1 a card with several inputs, 2 a webcam that gives each plane memory of its own.
while read -r module; do
  options=
  [ "$module" != vivid ] || options="n_devs=3 num_inputs=1,4,1 input_types=0x0,0xe4,0x0 multiplanar=1,1,2"
  # shellcheck disable=SC2086
  insmod "/modules/$module.ko" $options || echo "FAILED insmod $module"
done </modules/order
sleep 1

run=/bin/idkiosk
# usage: program NAME EXIT TEXT ARGUMENT...   (one case: idkiosk ends with EXIT, and says TEXT)
program() {
  name=$1 wanted=$2 text=$3
  shift 3
  # shellcheck disable=SC2086
  timeout 60 $run --config /etc/idkiosk/kiosk.jsonc "$@" >/tmp/said 2>&1 </dev/null
  code=$?
  if [ $code = "$wanted" ] && grep -q "$text" /tmp/said; then
    echo "PASSED program: $name"
  else
    echo "FAILED program: $name (exit $code)"
    tail -n 20 /tmp/said
  fi
}

# usage: node DEVICE KIND   (a device gets another number when it is plugged in again)
node() { echo "/dev/$(basename "$(dirname "$(grep -lx "vivid-00$1-$2" /sys/class/video4linux/*/name)")")"; }

# The link that udev makes of what is plugged in.
camera=/dev/v4l/by-path/platform-vivid.0-video-index0
link_camera() { mkdir -p "${camera%/*}" && ln -sf "$(node 0 vid-cap)" $camera; }

plug_out() { echo vivid.0 >/sys/bus/platform/drivers/vivid/unbind && rm -f $camera; }
plug_in() { echo vivid.0 >/sys/bus/platform/drivers/vivid/bind && link_camera; }

# usage: later SECONDS COMMAND...
later() { (sleep "$1" && shift && "$@") & }

program_cases() {
  mkdir -p /var/lib/idkiosk && chmod 700 /var/lib/idkiosk
  link_camera
  cat >/etc/idkiosk/kiosk.local.jsonc <<EOF
{"camera": {"source": "v4l2:$camera"}, "capture": {"timeout": "10 s", "challenge_timeout": "5 s"},
 "service": {"base_url": "https://localhost:1"}}
EOF
  program "doctor finds the camera" 3 "^good  camera .*vivid" doctor
  program "auto is one that captures" 6 "not all pictures could be taken" capture --camera auto --out /tmp/a
  program "record" 6 " frames, " record --seconds 3 --out /tmp/b
  program "tune without a face" 6 "show somebody" tune --seconds 3 --dry-run
  program "no such device" 6 "is it plugged in" capture --camera v4l2:/dev/video63 --out /tmp/c
  program "an output" 6 "is not a camera that streams" capture --camera "v4l2:$(node 0 vid-out)" --out /tmp/c
  program "several planes" 6 "several planes of memory" capture --camera "v4l2:$(node 2 vid-cap)" --out /tmp/c
  idkiosk record --seconds 8 --camera "v4l2:$camera" --out /tmp/d >/dev/null 2>&1 &
  sleep 3
  program "another program has it" 6 "another program uses the camera" capture --out /tmp/c
  wait
  later 3 plug_out
  later 5 plug_in
  program "unplugged for two seconds" 6 "not all pictures could be taken" capture --out /tmp/c
  later 3 plug_out
  program "unplugged for good" 6 "was unplugged" capture --out /tmp/c
  plug_in
  sleep 1
  # Of no group but its own.
  echo "nobody:x:65534:65534::/tmp:/bin/sh" >/etc/passwd
  chown 65534 /var/lib/idkiosk
  run="start-stop-daemon -S -c nobody -x /bin/idkiosk --"
  program "not allowed" 6 "add it to the group" capture --out /tmp/e
}

if [ -s /etc/filter ] && [ -n "$(cat /etc/filter)" ]; then
  vivid_test --gtest_color=no --gtest_filter="$(cat /etc/filter)"
else
  vivid_test --gtest_color=no
  program_cases
fi
echo "vivid: end"
poweroff -f
