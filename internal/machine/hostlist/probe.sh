exec 2>/dev/null
echo "plimsoll-probe 1"
read -r go
echo "clock $(date +%s.%N)"
echo "arch $(uname -m)"
echo "boot $(cat /proc/sys/kernel/random/boot_id)"
echo "vendor $(cat /sys/class/dmi/id/sys_vendor)"
echo "product $(cat /sys/class/dmi/id/product_name)"
echo "plimsoll $(command -v plimsoll)"
echo "version $(plimsoll version --json </dev/null | tr -d '\n')"
if [ "$(id -u)" = 0 ]; then echo "sudo root"; elif sudo -n true </dev/null; then echo "sudo yes"; else echo "sudo no"; fi
if ! command -v perf >/dev/null; then echo "perf missing"; elif perf stat -e cpu-clock -x, true </dev/null; then echo "perf yes"; else echo "perf no"; fi
below() {
	[ -d "$1" ] || return
	if [ -r "$1/md/level" ]; then echo "raid $(cat "$1/md/level")"; fi
	if [ -e "$1/partition" ]; then
		below "$1/.."
	elif [ -n "$(ls "$1/slaves")" ]; then
		for slave in "$1"/slaves/*; do below "$(cd -P "$slave" && pwd)"; done
	else
		echo "disk $(basename "$(cd -P "$1" && pwd)")"
	fi
}
for path in $paths; do
	path=$(printf %b "$path")
	echo "path $path"
	if [ ! -d "$path" ]; then echo "missing"; continue; fi
	set -f; set -- $(df -Pk "$path" | tail -n 1); set +f
	echo "total $2"; echo "free $4"; mount=$6
	found= kind= source=
	while read -r id parent device root point rest; do
		[ "$point" = "$mount" ] || continue
		rest=${rest#* - }
		found=$device kind=${rest%% *} source=${rest#* } source=${source%% *}
	done </proc/self/mountinfo
	echo "fs $kind"
	if [ -e "/sys/dev/block/$found" ]; then
		below "$(cd -P "/sys/dev/block/$found" && pwd)"
	elif [ -b "$source" ]; then
		below "$(cd -P "/sys/class/block/$(basename "$(readlink -f "$source")")" && pwd)"
	fi
	if made=$(mktemp "$path/.plimsoll-probe-XXXXXX"); then
		echo probe >"$made"
		if cp --reflink=always "$made" "$made.2"; then echo "reflink yes"; else echo "reflink no"; fi
		rm -f "$made" "$made.2"
	else
		echo "unwritable"
	fi
done
echo "end"
