# For tests that change a whole system: a copy of one that nobody keeps. Sourced, in mount and process namespaces of its own.
# shellcheck shell=bash

# Makes WORK/root a copy of the files at LOWER that is kept in memory. WORK/files and WORK/root are there.
# usage: copy_root WORK LOWER
copy_root() {
  mount --make-rprivate /
  mount -t tmpfs box "$1/files"
  mkdir "$1/files/upper" "$1/files/work"
  mount -t overlay box -o "lowerdir=$2,upperdir=$1/files/upper,workdir=$1/files/work" "$1/root"
  mount -t proc proc "$1/root/proc"
}

# The same, for programs to run in: with this machine's devices, and WORK/box as its /box.
# usage: make_throwaway_root WORK LOWER
make_throwaway_root() {
  local work=$1 root=$1/root each
  copy_root "$1" "$2"
  mount --rbind /dev "$root/dev"
  for each in run tmp; do mount -t tmpfs box "$root/$each"; done
  mkdir -p "$root/box"
  mount --bind "$work/box" "$root/box"
}

# Runs a shell's COMMAND in there, in /src: this folder, to be read alone.
# usage: enter_throwaway_root WORK COMMAND
enter_throwaway_root() {
  local root=$1/root
  mkdir -p "$root/src"
  mount --bind "$PWD" "$root/src"
  mount -o remount,ro,bind "$root/src"
  exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/box chroot "$root" sh -c "cd /src && exec $2"
}
