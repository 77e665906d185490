#!/usr/bin/env bash
# fetch.sh DIR: what the guest of guest_test.go boots, put into DIR once: Debian's arm64 kernel (Image), an archive of static busybox and the
# kernel's modules in the order they are loaded (base.cpio.gz), and a board's device tree (raspi3b.dtb).
#
# It comes from the mirror this machine's apt already uses, through a private apt root: the machine's own packages stay as they are. Needs no root, but
# apt, dpkg-deb, modprobe and depmod (kmod), xz and cpio.
set -euo pipefail
self=$(realpath "$0")
mkdir -p "$1"; cd "$1"
cmp -s "$self" fetched && exit 0 # the last thing it leaves is itself, so that another version of it fetches anew
PATH=$PATH:/usr/sbin:/sbin
work=$(mktemp -d "$PWD/work.XXXX"); trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists/partial,cache/archives/partial,deb,root}

options="[arch=arm64 signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | sort -u |
  awk -v o="$options" '$1 ~ /\/debian(-security)?\/?$/ && $3 == "main" {print "deb", o, $0}' > "$work/sources.list"
[ -s "$work/sources.list" ] || { echo "fetch.sh: this machine's apt knows no Debian mirror, from which the guest's kernel would come" >&2; exit 1; }
cat > "$work/apt.conf" <<CONF
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Parts "/dev/null";
Dir::State::Lists "$work/lists";
Dir::State::Status "/dev/null";
Dir::Cache "$work/cache";
Acquire::Languages "none";
Acquire::Retries "3";
APT::Architecture "arm64";
APT::Architectures {"arm64";};
APT::Sandbox::User "root";
CONF
export APT_CONFIG=$work/apt.conf
apt-get update -qq
kernel=$(apt-cache depends linux-image-arm64 | awk '/Depends: linux-image/{print $2; exit}') # its version moves
(cd "$work/deb" && apt-get download -qq "$kernel" busybox-static)
for deb in "$work"/deb/*.deb; do dpkg-deb -x "$deb" "$work/root"; done

version=${kernel#linux-image-}; version=${version%-unsigned}
base=$work/base; mkdir -p "$base"/{bin,etc,proc,sys,tmp,lib/modules}
cp "$work/root/bin/busybox" "$base/bin/"
depmod -b "$work/root" "$version"
for module in virtio_pci virtio_net xhci-pci usbserial ftdi_sio; do
  modprobe -d "$work/root" -S "$version" --show-depends "$module"
done | awk '$1 == "insmod" && !seen[$2]++ {print $2}' | while read -r file; do
  name=$(basename "$file"); name=${name%.xz}
  case $file in *.xz) xz -dc "$file";; *) cat "$file";; esac > "$base/lib/modules/$name"
  echo "$name" >> "$base/lib/modules/order"
done
(cd "$base" && find . | cpio -o -H newc --quiet) | gzip > base.cpio.gz
cp "$work/root/boot/vmlinuz-$version" Image
cp "$work/root/usr/lib/linux-image-$version/broadcom/bcm2837-rpi-3-b.dtb" raspi3b.dtb
cp "$self" fetched
