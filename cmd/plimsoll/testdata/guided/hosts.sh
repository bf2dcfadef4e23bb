# The binaries that a release has, of both architectures, and the disks of each host.
set -e
mkdir dist disks
for arch in amd64 arm64; do
	ln "$(command -v plimsoll)" dist/plimsoll-linux-$arch 2>/dev/null || cp "$(command -v plimsoll)" dist/plimsoll-linux-$arch
done
echo $A1 $A2 $A3 $A4 >disks/a
echo $B1 $B2 $B3 $B4 >disks/b
echo >disks/load1
