#!/bin/sh
# gp3.sh make DIR SIZE [MIBPS [IOPS]]
# gp3.sh remove DIR
#
# Makes a disk with the limits of a gp3 volume: a file system of SIZE (40GiB) at DIR, which lies in the file DIR.gp3. The kernel holds its reads, and its
# writes, to MIBPS MiB (125) and IOPS operations (3000) a second, whoever waits for them and if nobody does. A disk that is there gets other limits.
# It needs root. With control groups of version 1 it holds back processes in the root of blkio, as most are; with version 2 those below the same
# child of the root as this shell, such as user.slice. See README.md.
set -eu
groups=/sys/fs/cgroup
usage='hint: gp3.sh make DIR SIZE [MIBPS [IOPS]], such as gp3.sh make /mnt/gp3 40GiB, or gp3.sh remove DIR'

wrong() {
	printf 'gp3.sh: %s\n%s\n' "$1" "$usage" >&2
	exit 2
}
fail() {
	printf 'gp3.sh: %s\n' "$@" >&2
	exit 1
}
number() {
	case $2 in '' | 0* | *[!0-9]* | ???????*) wrong "$1 is not a whole number from 1 to 999999: $2" ;; esac
}
device() { losetup --noheadings --output NAME --associated "$file" 2>/dev/null; }
major_minor() { cat "/sys/block/${1#/dev/}/dev"; }

# limit DEVICE BYTES IOPS: 0 is none. Limits outlive a loop device, and would be the next one's.
limit() {
	n=$(major_minor "$1")
	if [ -e $groups/blkio/blkio.throttle.write_bps_device ]; then
		for way in read write; do
			echo "$n $2" >"$groups/blkio/blkio.throttle.${way}_bps_device"
			echo "$n $3" >"$groups/blkio/blkio.throttle.${way}_iops_device"
		done
	elif [ "$2" = 0 ]; then
		for held in $(grep -ls "^$n " $groups/*/io.max); do echo "$n rbps=max wbps=max riops=max wiops=max" >"$held"; done
	else
		echo "$n rbps=$2 wbps=$2 riops=$3 wiops=$3" >"$(child)/io.max"
	fi
}

child() { sed -n "s,^0::/\([^/]*\).*,$groups/\1,p" /proc/self/cgroup; }

# holds fails where the limits would not hold what is started from here.
holds() {
	if [ -e $groups/blkio/blkio.throttle.write_bps_device ]; then
		grep -q 'blkio.*:/$' /proc/self/cgroup ||
			fail 'this shell is not in the root of blkio, where alone the limits hold' "hint: echo \$\$ | sudo tee $groups/blkio/cgroup.procs"
	elif ! [ -w "$(child)/io.max" ] || ! [ -e "$(child)/memory.max" ]; then
		fail "the control group of this shell ($(child)) has no limits of io and memory, or is the root, which has none" \
			"hint: echo +io +memory | sudo tee $groups/cgroup.subtree_control"
	fi
}

make() {
	if [ -z "$(device)" ]; then
		for path in "$dir" "$file"; do [ ! -e "$path" ] || fail "$path is there already"; done
		trap remove EXIT
		fallocate --length "$size" "$file"
		losetup --find --direct-io=on "$file"
		mkfs.ext4 -q -F -m 0 -E nodiscard,lazy_itable_init=0,lazy_journal_init=0 "$(device)"
		mkdir "$dir"
		mount "$(device)" "$dir"
		chmod 1777 "$dir"
		sync -f "$dir"
	fi
	limit "$(device)" $((mibps * 1048576)) "$iops"
	trap - EXIT
}

remove() {
	for d in $(device); do
		limit "$d" 0 0 # first: what is still to be written need not wait
		tries=0
		while grep -q "^$d " /proc/mounts && ! umount "$d" 2>/dev/null; do # a process that has been killed ends with its last write
			tries=$((tries + 1))
			[ $tries -lt 10 ] || fail "$dir is in use, and without limits now: remove it once that has ended"
			sleep 1
		done
		losetup --detach "$d"
	done
	[ -e "$file" ] || return 0
	if [ -d "$dir" ]; then rmdir "$dir"; fi
	rm "$file"
}

[ $# -ge 2 ] || wrong 'COMMAND and DIR are missing'
what=$1 dir=${2%/} size=${3-} mibps=${4-125} iops=${5-3000}
file=$dir.gp3
case $what in
make)
	[ $# -le 5 ] || wrong 'too many arguments'
	size=$(numfmt --from=auto --suffix=B -- "$size" 2>/dev/null) || wrong "SIZE is not a size, such as 40GiB: ${3-}"
	size=${size%B}
	[ "$size" -ge 67108864 ] || wrong "SIZE is less than 64MiB: $3"
	number MIBPS "$mibps"
	number IOPS "$iops"
	;;
remove) [ $# = 2 ] || wrong 'too many arguments' ;;
*) wrong "unknown command $what" ;;
esac
[ "$(id -u)" = 0 ] || fail 'it needs root'
[ "$what" = remove ] || holds
"$what"
