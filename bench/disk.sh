#!/bin/sh
# bench-disk TOOL RW BLOCK DEPTH MS SIZE: one job of a disk by plimsoll, by fio, or by fio with its batching tuned, as fio's JSON. fio's
# data lies in $BENCH_DISK_FILE, which holds SIZE; plimsoll writes its own beside it.
set -eu
tool=$1 rw=$2 block=$3 depth=$4 ms=$5 size=$6
batch=$((depth / 4))
[ "$batch" -ge 1 ] || batch=1
[ "$batch" -le 32 ] || batch=32
case $tool in
plimsoll)
	session=$(mktemp -u "$TMPDIR/bench-XXXXXX").plimsoll.jsonl
	trap 'rm -f "$session"' EXIT
	plimsoll run disk --set disk.path="$(dirname "$BENCH_DISK_FILE")" --set disk.jobs=1 --set disk.rw="$rw" --set disk.block="$block" --set disk.depth="$depth" \
		--set disk.size="$size" --replicates 1 --for "${ms}ms" --warmup 200ms -o "$session" >/dev/null 2>"$session.said" || { cat "$session.said" >&2; exit 1; }
	rm -f "$session.said"
	# As if it had run for a second: what is compared is a rate, and CPU time for an operation.
	jq -s '[.[] | select(.kind == "trial" and .void == null)][0].values | map({(.name): .value}) | add
		| {"fio version": "plimsoll", jobs: [{jobname: "job", job_runtime: 1000, usr_cpu: 0, sys_cpu: (100 * (.cpu_per_op // 0) * .iops),
			write: {bw_bytes: .throughput, iops, total_ios: .iops, lat_ns: {percentile: {"50.000000": (.latency_p50 * 1e9), "99.000000": (.latency_p99 * 1e9)}}}}]}' "$session"
	exit
	;;
fio) set -- ;;
fio-batched) set -- --iodepth_batch_submit="$batch" --iodepth_batch_complete_min="$batch" --iodepth_batch_complete_max="$depth" ;;
*) echo "bench-disk: no tool $tool" >&2; exit 2 ;;
esac
exec fio --name=job --kb_base=1000 --filename="$BENCH_DISK_FILE" --rw="$rw" --bs="$block" --iodepth="$depth" --size="$size" --ioengine=io_uring --registerfiles=1 --fixedbufs=1 \
	--direct=1 --time_based --runtime="${ms}ms" --ramp_time=200ms --thread --overwrite=1 --randrepeat=0 --norandommap --lat_percentiles=1 --clat_percentiles=0 --output-format=json+ "$@"
