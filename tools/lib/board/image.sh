# Makes the disk image of a board. Sourced by tools/board.
# shellcheck shell=bash
# shellcheck disable=SC2154  # root, deps, board and tree are set by tools/board

slot_mib=1900
esp_mib=64

# Debian's packages in $tree, kept for the next image.
base_system() {
  local packages stamp
  packages=$(sed 's/#.*//' tools/lib/board/packages | xargs | tr ' ' ,)
  stamp=$(sha256sum <tools/lib/board/packages)
  [ "$(cat "$tree.stamp" 2>/dev/null)" != "$stamp" ] || return 0
  rm -rf "$tree" "$tree.stamp"
  mkdir -p "$(dirname "$tree")"
  quietly "Debian 12 in a folder" "$deps/log/board-base.log" nice mmdebstrap --variant=apt --include="$packages" \
    --aptopt='APT::Install-Recommends "false"' --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' bookworm "$tree"
  rm -f "$tree"/boot/initrd.img-* "$tree/initrd.img" "$tree/initrd.img.old"
  echo "$stamp" >"$tree.stamp"
}

# The program, its units and settings, as config/README.md says.
install_program() {
  local unit
  install -D -m 644 config/systemd/idkiosk.sysusers "$tree/usr/lib/sysusers.d/idkiosk.conf"
  install -D -m 644 config/systemd/idkiosk.tmpfiles "$tree/usr/lib/tmpfiles.d/idkiosk.conf"
  install -D -m 644 config/udev/72-idkiosk.rules "$tree/usr/lib/udev/rules.d/72-idkiosk.rules"
  for unit in idkiosk idkiosk-browser idkiosk-out-of-order; do
    install -D -m 644 "config/systemd/$unit.service" "$tree/usr/lib/systemd/system/$unit.service"
  done
  strip -o "$tree/usr/bin/idkiosk" build/bin/idkiosk
  mkdir -p "$tree/usr/share/idkiosk" "$tree/etc/idkiosk"
  cp -rL build/bin/voice build/bin/models "$tree/usr/share/idkiosk/"
  cp -r config/kiosk.jsonc config/profiles config/out-of-order.txt "$tree/etc/idkiosk/"
  install -D -m 644 config/chromium/idkiosk.json "$tree/etc/chromium/policies/managed/idkiosk.json"
  install -D -m 644 config/nftables/idkiosk.nft "$tree/etc/nftables.d/idkiosk.nft"
}

# The same from Debian packages. usage: install_packages DIR
install_packages() {
  mkdir -p "$tree/tmp/debs"
  cp "$1"/*.deb "$tree/tmp/debs/"
  chroot "$tree" sh -c 'dpkg --force-confnew -i /tmp/debs/*.deb'
  rm -rf "$tree/tmp/debs"
}

# What makes a kiosk of them: the board's own units and settings.
install_board() {
  printf 'g idkiosk-api\nm idkiosk idkiosk-api\n' >"$tree/usr/lib/sysusers.d/idkiosk-board.conf"
  install -D -m 644 config/systemd/idkiosk-api.tmpfiles "$tree/usr/lib/tmpfiles.d/idkiosk-api.conf"
  install -D -m 644 config/systemd/idkiosk-api.conf "$tree/usr/lib/systemd/system/idkiosk.service.d/api.conf"
  chroot "$tree" systemd-sysusers
  cp -r --no-preserve=ownership config/board/root/. "$tree/"
  grep -q nftables.d/idkiosk.nft "$tree/etc/nftables.conf" ||
    echo 'include "/etc/nftables.d/idkiosk.nft"' >>"$tree/etc/nftables.conf"
  cat >"$tree/etc/idkiosk/kiosk.local.jsonc" <<'JSON'
{ "ui": { "port": 8470, "browser_user": "idkiosk-browser" }, "api": { "socket": "/run/idkiosk-api/api.sock", "group": "idkiosk-api" } }
JSON
  chroot "$tree" chown -R idkiosk:idkiosk /etc/idkiosk
  chmod 750 "$tree/etc/idkiosk"
  echo idkiosk >"$tree/etc/hostname"
  printf '127.0.0.1 localhost idkiosk\n::1 localhost\n' >"$tree/etc/hosts"
  # What updates are compared by: higher for a later commit.
  mkdir -p "$tree/usr/share/idkiosk"
  board_version >"$tree/usr/share/idkiosk/board-version"
  rm -f "$tree/etc/rauc/keyring.pem"
  [ -z "$keyring" ] || install -D -m 644 "$keyring" "$tree/etc/rauc/keyring.pem"
  : >"$tree/etc/machine-id"
  : >"$tree/etc/fstab"
  # Nobody logs in.
  sed -i 's/^root:[^:]*:/root:!:/' "$tree/etc/shadow"
  systemctl --root="$tree" --quiet set-default multi-user.target
  systemctl --root="$tree" --quiet enable idkiosk-data idkiosk-vault idkiosk idkiosk-browser idkiosk-screen.timer idkiosk-update-judge.timer nftables systemd-networkd systemd-timesyncd
  systemctl --root="$tree" --quiet mask getty@tty1.service serial-getty@ttyS0.service apt-daily.timer apt-daily-upgrade.timer \
    dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer systemd-networkd-wait-online.service
}

# A busybox, config/board/initrd/init, and the modules between a kernel and its root file system.
make_initrd() {
  local folder kernel module
  kernel=$(basename "$tree"/usr/lib/modules/*)
  folder=$(mktemp -d)
  mkdir -p "$folder"/{bin,dev,proc,sys,run,root,modules}
  chmod 755 "$folder"
  cp /bin/busybox "$folder/bin/"
  install -m 755 config/board/initrd/init "$folder/init"
  for module in virtio_pci virtio_blk nvme ahci sd_mod usb_storage uas xhci_pci ehci_pci mmc_block sdhci_pci ext4 overlay; do
    chroot "$tree" modprobe -S "$kernel" --show-depends "$module"
  done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' |
    while read -r module; do
      cp "$tree/usr$module" "$folder/modules/"
      echo "/modules/$(basename "$module")" >>"$folder/modules/order"
    done
  (cd "$folder" && find . | busybox cpio -o -H newc 2>/dev/null | gzip -1) >"$tree/boot/initrd.board"
  rm -rf "$folder"
}

make_esp() {
  local esp=$board/esp.img
  rm -f "$esp" "$board/grubenv"
  truncate -s "${esp_mib}M" "$esp"
  mkfs.vfat -n ESP "$esp" >/dev/null
  grub-mkimage -O x86_64-efi -p /EFI/BOOT -o "$board/bootx64.efi" part_gpt fat ext2 normal linux configfile loadenv regexp test \
    echo sleep reboot minicmd efi_gop all_video
  grub-editenv "$board/grubenv" create
  grub-editenv "$board/grubenv" set ORDER="A B" A_OK=1 B_OK=0 A_TRY=0 B_TRY=0
  mmd -i "$esp" ::/EFI ::/EFI/BOOT
  mcopy -i "$esp" "$board/bootx64.efi" ::/EFI/BOOT/BOOTX64.EFI
  mcopy -i "$esp" config/board/grub/grub.cfg "$board/grubenv" ::/EFI/BOOT/
}

make_disk() {
  local slot=$board/slot.img disk=$board/board.img
  rm -f "$slot" "$disk"
  truncate -s "${slot_mib}M" "$slot"
  mke2fs -q -t ext4 -m 0 -O ^has_journal -d "$tree" "$slot"
  make_esp
  truncate -s $((1 + esp_mib + 2 * slot_mib + 1))M "$disk"
  sfdisk --quiet "$disk" <<PARTITIONS
label: gpt
start=1MiB, size=${esp_mib}MiB, type=uefi, name=esp
size=${slot_mib}MiB, type=4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709, name=root-a
size=${slot_mib}MiB, type=4F68BCE3-E8CD-4DB1-96E7-FBCAF984B709, name=root-b
PARTITIONS
  dd if="$board/esp.img" of="$disk" bs=1M seek=1 conv=notrunc,sparse status=none
  dd if="$slot" of="$disk" bs=1M seek=$((1 + esp_mib)) conv=notrunc,sparse status=none
}

board_version() { TZ=UTC0 git log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S; }

# usage: make_image [--debs DIR] [--keyring FILE]
make_image() {
  local debs=''
  keyring=''
  while [ $# -gt 0 ]; do
    case $1 in
      --debs) debs=$(as_called "${2:?"--debs needs a folder"}") ;;
      --keyring) keyring=$(as_called "${2:?"--keyring needs a file"}") ;;
      *) die "unknown option '$1'" ;;
    esac
    shift 2
  done
  [ -z "$keyring" ] || [ -f "$keyring" ] || die "there is no file $keyring"
  mkdir -p "$board"
  base_system
  if [ -n "$debs" ]; then
    quietly "idkiosk's packages" "$board/packages.log" install_packages "$debs"
  else
    build release idkiosk idkiosk_voice
    quietly "idkiosk" "$board/program.log" install_program
  fi
  quietly "the board's units" "$board/units.log" install_board
  quietly "the first start's programs" "$board/initrd.log" make_initrd
  quietly "the disk" "$board/disk.log" make_disk
  board_version >"$board/board-version"
  say "  $board/board.img: $(du -m "$board/board.img" | cut -f 1) MB of data, in $SECONDS s"
}

# An update of what the last image holds, signed, for boards whose image had the signer's certificate as its keyring.
# usage: make_bundle --cert FILE --key FILE [--format verity|plain] [--root FILE] [--version NUMBER] [--out FILE]
make_bundle() {
  local cert='' key='' format=verity content=$board/slot.img version='' out=$board/board.raucb scratch
  while [ $# -gt 0 ]; do
    [ -n "${2-}" ] || die "$1 needs a value"
    case $1 in
      --cert) cert=$(as_called "$2") ;;
      --key) key=$(as_called "$2") ;;
      --format) format=$2 ;;
      --root) content=$(as_called "$2") ;;
      --version) version=$2 ;;
      --out) out=$(as_called "$2") ;;
      *) die "unknown option '$1'" ;;
    esac
    shift 2
  done
  if [ ! -f "$cert" ] || [ ! -f "$key" ]; then die "--cert and --key name the signer's certificate and key, as PEM files"; fi
  [ -f "$content" ] || die "there is no $content: run 'tools/board image' first"
  [ -n "$version" ] || version=$(cat "$board/board-version")
  mkdir -p "$(dirname "$out")"
  scratch=$(mktemp -d "$(dirname "$out")/bundle.XXXXXX")
  mkdir "$scratch/in"
  cp --sparse=always "$content" "$scratch/in/root.img"
  echo "$version" >"$scratch/in/board-version"
  printf '[update]\ncompatible=idkiosk-board-amd64\nversion=%s\n\n[bundle]\nformat=%s\n\n[image.rootfs]\nfilename=root.img\n' \
    "$version" "$format" >"$scratch/in/manifest.raucm"
  rauc bundle --cert "$cert" --key "$key" "$scratch/in" "$scratch/out.raucb" >"$scratch/log" 2>&1 || {
    tail -n 5 "$scratch/log" >&2
    rm -rf "$scratch"
    die "RAUC could not make the bundle"
  }
  mv "$scratch/out.raucb" "$out"
  rm -rf "$scratch"
  say "  $out: version $version"
}
