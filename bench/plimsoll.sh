#!/bin/sh
# bench-plimsoll MS CPU WORKLOAD...: one trial of a workload, all of Plimsoll on one CPU, as `plimsoll show --json` gives it.
set -eu
ms=$1 cpu=$2
shift 2
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
taskset -c "$cpu" plimsoll run "$@" --replicates 1 --warmup 50ms --for "${ms}ms" -o "$dir/s.plimsoll.jsonl" >"$dir/shown"
plimsoll show "$dir/s.plimsoll.jsonl" --json
