# Root file systems with a clean Debian 12, kept in .deps/package, and programs run in them. Source it after common.sh.
# shellcheck shell=bash
# shellcheck disable=SC2154  # deps and root are common.sh's

# Packages that every build's file system has: those that debian/control names.
# usage: build_packages NATIVE ARCHITECTURE
build_packages() {
  local native=$1 arch=$2 cross='' fields='^Build-Depends(-Indep)?:' name rest
  [ "$native" = "$arch" ] || cross=yes fields='^Build-Depends:'
  # What it is built by runs here; what it is built of is the other machine's.
  awk -v fields="$fields" '$0 ~ fields { on = 1; sub(/^[^:]*:/, ""); print; next } /^[^ ]|^$/ { on = 0 } on' tools/packaging/debian/control |
    tr ',' '\n' | while read -r name rest; do
    case $name in
      '' | debhelper-compat | dh-sequence-*) ;;
      qemu-*) [ -z "$cross" ] || echo qemu-user-static ;;
      libcli11-dev) echo "$name" ;; # headers alone: for all architectures
      lib*-dev) echo "$name:$arch" ;;
      *) echo "$name" ;;
    esac
  done
  printf '%s\n' debhelper lintian ccache
  [ -z "$cross" ] || echo "crossbuild-essential-$arch"
}

# What the packages in a folder depend on, and what their test runs by.
# usage: packages_for_board ARCH FOLDER
packages_for_board() {
  local each
  printf '%s\n' jq iproute2 groff-base
  for each in "$2"/idkiosk_*.deb "$2"/idkiosk-{sandbox,opencv-camera,fleet,headquarters}_*.deb; do dpkg-deb -f "$each" Depends; done |
    tr ',' '\n' | awk -v arch="$1" '$1 ~ /^idkiosk/ { next } $1 ~ /^lib/ { print $1 ":" arch; next } NF { print $1 }'
  [ "$1" = "$(dpkg --print-architecture)" ] || echo qemu-user-static
}

# Prints the folder of a file system that packages for ARCH are built in ("build-ARCH"), or their tests, too ("test-ARCH").
# usage: debian_root NAME
debian_root() {
  local native packages
  native=$(dpkg --print-architecture)
  packages=$(build_packages "$native" "${1#*-}")
  if [ "${1%-*}" = test ]; then
    packages+=$'\n'$(printf '%s:'"${1#*-}"'\n' libgtest-dev libgmock-dev libbenchmark-dev)
  fi
  make_root "$1" "$packages"
}

# Prints the folder of one that has what the packages in FOLDER depend on.
# usage: board_root ARCH FOLDER
board_root() { make_root "board-$1" "$(packages_for_board "$1" "$2")"; }

# Makes a file system where it is not there, or no longer what it should be.
# usage: make_root NAME-ARCH PACKAGES
make_root() {
  local name=$1 native arch packages sources folder part
  native=$(dpkg --print-architecture)
  arch=${name#*-}
  packages=$(sort -u <<<"$2" | paste -sd,)
  sources=$(debian_sources)
  folder=$deps/package/$name-$(printf '%s\n' "$packages" "$sources" | sha256sum | cut -c-12)
  if [ ! -d "$folder" ]; then
    need_packages mmdebstrap
    mkdir -p "$deps/package/archives"
    # In a mount namespace of its own, or what a kill leaves mounted there would be deleted with it the next time.
    as_root rm -rf --one-file-system "$deps/package/$name".part.*
    part=$(mktemp -d "$deps/package/$name.part.XXXXXX")
    chmod 755 "$part"
    quietly "a clean Debian 12 ($name)" "$deps/log/package-$name.log" as_root unshare --mount mmdebstrap --variant=buildd \
      --architectures="$native$([ "$arch" = "$native" ] || echo ",$arch")" --include="$packages" \
      --skip=download/empty,essential/unlink \
      --setup-hook="mkdir -p \"\$1/var/cache/apt/archives\"" \
      --setup-hook="sync-in '$deps/package/archives' /var/cache/apt/archives" \
      --customize-hook="sync-out /var/cache/apt/archives '$deps/package/archives'" \
      --customize-hook="rm -f \"\$1\"/var/cache/apt/archives/*.deb" \
      --customize-hook="mkdir -p \"\$1/build\" \"\$1/ccache\"" \
      bookworm "$part" - <<<"$sources"
    as_root mv -T "$part" "$folder"
  fi
  printf '%s' "$folder"
}

# Debian 12 and its security updates, from where this machine gets them.
debian_sources() {
  local release address
  for release in bookworm bookworm-updates bookworm-security; do
    # shellcheck disable=SC2016  # apt fills these in
    address=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' | awk -v release="$release" '$2 == release && !found++ { print $1 }')
    [ -z "$address" ] || echo "deb $address $release main"
  done
}

# Runs a command in a file system that it cannot change, without a network. WORK is /build there, and may be written.
# usage: in_debian_root ROOT WORK FOLDER COMMAND...
in_debian_root() {
  local debian=$1 work=$2 folder=$3
  shift 3
  mkdir -p "$deps/package/ccache"
  # shellcheck disable=SC2016  # of the inner shell
  as_root unshare --mount --pid --net --ipc --uts --fork --kill-child sh -euc '
    debian=$1 work=$2 cache=$3 folder=$4
    shift 4
    mount --make-rprivate /
    mount --bind "$debian" "$debian"
    mount -o remount,ro,bind "$debian"
    mount -t proc proc "$debian/proc"
    mount --rbind /dev "$debian/dev"
    for each in tmp run var/tmp; do mount -t tmpfs tmpfs "$debian/$each"; done
    mount --bind "$work" "$debian/build"
    mount --bind "$cache" "$debian/ccache"
    exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 TERM=dumb HOME=/nonexistent CCACHE_DIR=/ccache \
      CMAKE_C_COMPILER_LAUNCHER=ccache DEB_BUILD_OPTIONS=nocheck chroot "$debian" sh -euc '\''cd "$1"; shift; exec "$@"'\'' sh "$folder" "$@"
  ' sh "$debian" "$work" "$deps/package/ccache" "$folder" "$@"
}
