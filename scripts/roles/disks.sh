#!/bin/sh
# scripts/roles/disks.sh [--only 'N N ...'] [--results DIR] [quick]
#
# Role 5, a storage engineer: loop devices with ext4 and xfs, and a write limit of 20 MiB/s by a control group (blkio, version 1); his six
# questions, beside fio. Needs root.
set -eu
role='5 storage' only=
. "$(dirname "$0")/rolelib.sh"
[ "$(id -u)" = 0 ] || { echo "$bench: not applicable: loop devices need root"; exit 0; }
installed fio && installed mkfs.xfs xfsprogs && installed mkfs.ext4 e2fsprogs || { echo "$bench: fio, xfsprogs and e2fsprogs cannot be had" >&2; exit 1; }
group=/sys/fs/cgroup/blkio/plimsoll-roles-$$ loops=
undo() {
	for fs in ext xfs; do umount "$folder/$fs" 2>/dev/null || true; done
	for loop in $loops; do losetup -d "$loop" 2>/dev/null || true; done
	[ ! -d "$group" ] || rmdir "$group" 2>/dev/null || true
}
# device NAME MKFS...: a file system on a loop device of its own, where 1 GiB stays free.
device() {
	name=$1
	shift
	fallocate -l 2560M "$work/$name.img"
	loop=$(losetup --direct-io=on --show -f "$work/$name.img")
	loops="$loops $loop"
	"$@" "$loop" >>"$work/mkfs.log" 2>&1
	mkdir "$folder/$name"
	mount "$loop" "$folder/$name"
}
device ext mkfs.ext4 -q -F
limited=$loop
device xfs mkfs.xfs -q -f

# fio_of DIR ARGUMENT...: the JSON of one fio in fio.json, on 64 MiB that it writes beforehand; within a control group, if there is one.
within=
fio_of() {
	into=$folder/$1
	shift
	sh -c '[ -z "$0" ] || echo $$ >"$0/cgroup.procs"; exec "$@"' "$within" fio --name=peer --directory="$into" --size=64M --direct=1 --ioengine=libaio --time_based --runtime="$seconds" --ramp_time=1 --group_reporting --lat_percentiles=1 --output-format=json "$@" >fio.json 2>"$work/fio.log"
}
of() { jq -r "$1" fio.json; }

limit=20971520
if mkdir "$group" 2>/dev/null && [ -e "$group/blkio.throttle.write_bps_device" ]; then
	echo "$(lsblk -dno MAJ:MIN "$limited" | tr -d ' ') $limit" >"$group/blkio.throttle.write_bps_device"
	# A rate is one number, or two if runs differ.
	rate() { said 'throttled to [0-9.]+ (to [0-9.]+ )?MB/s' | tr -dc '0-9. ' | awk '{ print $1, $NF }'; }
	if ask 'is it throttled' rate "echo \$\$ >$group/cgroup.procs && plimsoll run disk ext --rw randwrite --bs 16k --size 64M"; then
		set -- $told
		within=$group
		fio_of ext --rw=randwrite --bs=16k --iodepth=32
		within=
		row "set: $limit B/s; fio $(of '.jobs[0].write.bw_bytes') B/s" "$(holds "${1:-0} > .97 * $limit / 1e6 && ${2:-0} < 1.03 * $limit / 1e6")" 'within 3% of what is set'
	fi
else
	not_applicable 'is it throttled' 'no control group of blkio, version 1'
fi

if ask 'IOPS, 4k random, p99 < 1 ms' 'line 1ms' "plimsoll run disk ext --rw randread --bs 4k --load-line --slo p99=1ms" \
	"plimsoll run disk ext --rw randread --bs 4k --size 64M --load-line --slo p99=1ms"; then
	set -- $told
	most=0 sweep=
	for depth in 1 2 4 8 16 32 64; do
		fio_of ext --rw=randread --bs=4k --iodepth=$depth
		sweep="$sweep $depth: $(of '"\(.jobs[0].read.iops | round) at \(.jobs[0].read.lat_ns.percentile."99.000000" / 1e6) ms"')"
		most=$(of '[.jobs[0].read.iops, .jobs[0].read.lat_ns.percentile."99.000000"] | @tsv' | awk -v most="$most" '{ print ($2 <= 1e6 && $1 > most) ? int($1) : most }')
	done
	# at FACTOR RATE: whether fio does that share of a rate, in an open loop, with a p99 of at most 1 ms from its schedule.
	at() {
		asked=$(echo "$1 $2" | awk '{ print int($1 * $2) }')
		fio_of ext --rw=randread --bs=4k --iodepth=64 --ramp_time=0 --rate_iops="$asked" --write_lat_log=rate --log_entries=1000000
		of .jobs[0].read.iops | awk -v asked="$asked" -v ms="$(from_schedule "$asked" <rate_lat.1.log)" '{ print ($1 > .95 * asked && ms <= 1) ? "pass" : "fail" }'
	}
	case ${1:-} in
	limit | bracket) peer="$(at .8 "$2") $(at 1.25 "$3")" verdict=$([ "$peer" = 'pass fail' ] && echo right || echo wrong) ;;
	least) peer=$(at .8 "$2") verdict=$([ "$peer" = pass ] && echo right || echo wrong) ;;
	below) peer=$(at 1.25 "$2") verdict=$([ "$peer" = fail ] && echo right || echo wrong) ;;
	*) peer=- verdict=wrong ;;
	esac
	row "fio at 0.8 and 1.25 of it: $peer; its depths:$sweep; most at p99 <= 1 ms $most" "$verdict" 'fio, in an open loop, from its schedule: 0.8 passes and 1.25 fails'
fi

mix() { echo "$(metric read_iops) $(metric write_iops)" | awk 'NF == 6'; }
if ask 'mixed 70/30' mix "plimsoll run disk ext --rw randrw --rwmixread 70 --bs 4k --iodepth 32 --numjobs 1$short"; then
	set -- $told
	fio_of ext --rw=randrw --rwmixread=70 --bs=4k --iodepth=32
	reads=$(of '.jobs[0].read.iops') writes=$(of '.jobs[0].write.iops')
	verdict=$(near "${2:-0}" "${3:-0}" "$reads" .4)
	[ "$verdict" = wrong ] || verdict=$(near "${5:-0}" "${6:-0}" "$writes" .4)
	row "fio reads $reads, writes $writes" "$verdict" 'both within 40%'
fi
if ask 'fsync latency' 'metric sync_p50' "plimsoll run disk ext --rw randwrite --bs 4k --fsync 1 --iodepth 1 --numjobs 1$short"; then
	set -- $told
	fio_of ext --rw=randwrite --bs=4k --fsync=1 --iodepth=1
	peer=$(of '.jobs[0].sync.lat_ns.percentile."50.000000" / 1e9')
	row "fio $peer s" "$(near "${2:-0}" "${3:-0}" "$peer" .5)" 'the median of a sync within 50%'
fi
if ask 'ext4 against xfs' 'change iops' "plimsoll run disk ext xfs --rw randread --bs 4k --iodepth 16 --numjobs 1$short"; then
	set -- $told
	fio_of ext --rw=randread --bs=4k --iodepth=16
	a=$(of '.jobs[0].read.iops')
	fio_of xfs --rw=randread --bs=4k --iodepth=16
	peer=$(of ".jobs[0].read.iops / $a")
	row "fio $peer" "$(near "${2:-0}" "${3:-0}" "$peer" .25)" 'the ratio within 25%'
fi
cat >"$folder/my.fio" <<END
[global]
directory=ext
size=64m
bs=4k
direct=1
ioengine=libaio
runtime=$seconds
time_based
[reads]
rw=randread
iodepth=8
[writes]
stonewall
rw=randwrite
iodepth=4
END
jobs() { jq -r '[("randread", "randwrite") as $rw | .cells[] | select(.params.rw == $rw) | .metrics[] | select(.name == "iops" and .value != null) | .value] | if length == 2 then @tsv else empty end' show.json; }
if ask 'my fio job file' jobs 'plimsoll run disk my.fio'; then
	set -- $told
	(cd "$folder" && fio my.fio --output-format=json) >fio.json 2>"$work/fio.log"
	reads=$(of '.jobs[] | select(.jobname == "reads").read.iops') writes=$(of '.jobs[] | select(.jobname == "writes").write.iops')
	row "fio reads $reads, writes $writes" "$(holds "${1:-0} > .6 * $reads && ${1:-0} < 1.67 * $reads && ${2:-0} > .6 * $writes && ${2:-0} < 1.67 * $writes")" 'each job within 40%'
fi
conclude
