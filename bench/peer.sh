#!/bin/sh
# bench-peer BINARY BENCHMARK MS CPU: one benchmark of a compiled Go test binary, on one CPU. The testing package
# aims a fifth above the time that it is asked for, so that is asked for less.
set -eu
exec taskset -c "$4" "$1" -test.run '^$' -test.bench "$2" -test.cpu 1 -test.benchtime "$(($3 * 5 / 6))ms"
