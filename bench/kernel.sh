#!/bin/sh
# bench-kernel peer|plimsoll KERNEL CASE MS CPUS: one side of a kernel's row on a list of CPUs such as 0,1: as many copies of the
# library's benchmark as CPUs, one pinned to each and their rates added, or one trial of Plimsoll's on all of them. Bytes are counted as Plimsoll does.
set -eu
side=$1 kernel=$2 case=$3 ms=$4 cpus=$5
lanes=1
case $cpus in *,*) lanes=all ;; esac
part=1 # of the bytes that the benchmark counts, those that Plimsoll does

# erasure_case: op, data, parity and shard of a benchmark named like Encode_8x8x05M, of the library, or 8+8/encode/1MiB, of ours.
erasure_case() {
	case $case in
	*/*)
		binary=erasure.test bench="^BenchmarkLibrary\$/^$(echo "$case" | sed 's/+/[+]/; s|/|$/^|g')\$/^as-minio\$"
		op=${case#*/} && op=${op%/*} data=${case%%+*} parity=${case#*+} && parity=${parity%%/*} shard=${case##*/}
		;;
	*)
		binary=reedsolomon.test bench="^Benchmark$case\$"
		shape=$(echo "$case" | sed 's/^[A-Za-z]*_*//')
		op=$(echo "$case" | sed 's/[_0-9].*//' | tr A-Z a-z) data=${shape%%x*} shard=${shape##*x} parity=${shape#*x} && parity=${parity%x*}
		part=$data/$((data + parity)) # the library counts parity too
		case $shard in
		05M) shard=512KiB ;;
		*M) shard=${shard}iB ;;
		*) shard=${shard}B ;;
		esac
		;;
	esac
	set="--set erasure.op=$op --set erasure.data=$data --set erasure.parity=$parity --set erasure.shard=$shard"
}

case $kernel in
erasure) erasure_case ;;
highwayhash)
	size=${case#*_}
	binary=highwayhash.test bench="^Benchmark$case\$" set="--set highwayhash.size=${size}iB"
	;;
aes-gcm) binary=gcm.test bench="^BenchmarkGCM\$/^seal\$/^256\$/^$case\$" set="--set aes-gcm.size=$case" ;;
memory) binary=memory.test bench="^BenchmarkLibrary\$/^$case\$" set="--set memory.op=$case --set memory.size=128MiB" ;;
esac

if [ "$side" = plimsoll ]; then
	# shellcheck disable=SC2086 # these are words
	exec bench-plimsoll "$ms" "$cpus" "$kernel" $set --set "$kernel.cpus=$lanes"
fi
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
copies=
for cpu in $(echo "$cpus" | tr , ' '); do
	bench-peer "$binary" "$bench" "$ms" "$cpu" >"$dir/$cpu" &
	copies="$copies $!"
done
for copy in $copies; do
	wait "$copy"
done
awk -v part="$part" -v want="$(echo "$cpus" | tr , '\n' | grep -c .)" '
	$1 ~ /^Benchmark/ { for (i = 2; i <= NF; i++) if ($i == "MB/s") { sum += $(i - 1); n++ } }
	END {
		if (n != want) { print n + 0 " rates of " want > "/dev/stderr"; exit 1 }
		split(part "/1", of, "/")
		printf "BenchmarkCopies 1 %.6f MB/s\n", sum * of[1] / of[2]
	}' "$dir"/*
