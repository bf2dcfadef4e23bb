#!/bin/sh
# scripts/roles/project.sh [--only 'N N ...'] [--results DIR] [quick]
#
# Role 4, an owner of CI: gojq (a public Go module), two of its versions, and builds that are slower on purpose; gates on a command and on
# its benchmarks, and thirty nights of which the twentieth and later are 10 % slower; beside hyperfine and benchstat.
set -eu
role='4 CI' only=
. "$(dirname "$0")/rolelib.sh"
installed hyperfine || { echo "$bench: no hyperfine" >&2; exit 1; }
go_tool benchstat golang.org/x/perf v0.0.0-20260908200009-22c9c6c9d4da golang.org/x/perf/cmd/benchstat || { cat "$work/get.log" >&2; exit 1; }
for version in v0.12.18 v0.12.19; do module github.com/itchyny/gojq $version "$work/$version"; done
# burning BUILD US: a copy of v0.12.18 that burns US µs before it begins.
burning() {
	cp -r "$work/v0.12.18" "$work/$1"
	cat >"$work/$1/cmd/gojq/burn.go" <<-END
		package main

		import "time"

		func init() {
			for began := time.Now(); time.Since(began) < $2*time.Microsecond; {
			}
		}
	END
}
# The slow build burns 20 ms, and parses four times.
burning slow 20000
awk '/^func Parse\(src string\)/ { print "func Parse(src string) (*Query, error) {\n\tfor range 3 {\n\t\t_, _ = parseOnce(src)\n\t}\n\treturn parseOnce(src)\n}\n\nfunc parseOnce(src string) (*Query, error) {"; next } { print }' \
	"$work/v0.12.18/query.go" >"$work/slow/query.go"
for build in v0.12.18 v0.12.19 slow; do
	(cd "$work/$build" && go build -o "$folder/$build" ./cmd/gojq && go test -c -o "$folder/$build.test" .) >>"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }
done
cp "$folder/v0.12.18" "$folder/base"
cp "$folder/v0.12.18" "$folder/head"
cp "$work/v0.12.18/builtin.jq" "$folder/" 2>/dev/null || true
longest=5m
[ -z "$short" ] || longest=30s
program="-n '[range(200000)] | add'"

# gate: passed, or failed, by the exit code of the compare behind the run and its words; nothing if it is undecided.
gate() {
	case $code in
	0) said 'passed: [^;]*' ;;
	4) echo 'failed: exit code 4' ;;
	esac
}
# by_hyperfine A B: how many times as long B takes as A.
by_hyperfine() {
	(cd "$folder" && hyperfine -N --warmup 3 --runs $((seconds * 5)) --export-json h.json "$1" "$2") >"$work/hyperfine.log" 2>&1
	jq -r '.results[1].mean / .results[0].mean * 1000 | round / 1000' "$folder/h.json"
}
# gated A B FILE [FLAG...]: a run of both and its gate.
gated() {
	sides="\"$1 $program\" \"$2 $program\"" of=$3.plimsoll.jsonl
	shift 3
	echo "plimsoll run exec $sides --name base --name head $*${1:+ }-o $of && plimsoll compare $of --fail-if 'time > 5%'"
}

if ask 'gate of 5%, a command, no change' gate "$(gated ./base ./head same)" "$(gated ./base ./head longer --max-time "$longest")"; then
	peer=$(by_hyperfine "./base $program" "./head $program")
	row "hyperfine $peer" "$(case $told in passed*) echo right ;; *) echo wrong ;; esac)" 'passed: both are one build'
fi
if ask 'gate of 5%, a slow head' gate "$(gated ./base ./slow slow)"; then
	peer=$(by_hyperfine "./base $program" "./slow $program")
	row "hyperfine $peer" "$(case $told in failed*) holds "$peer > 1.05" ;; *) echo wrong ;; esac)" 'exit 4, and hyperfine is over 5% too'
fi

# ours_change: the change of time_per_op that compare has.
per_op() {
	plimsoll compare "$folder/$1.plimsoll.jsonl" --json 2>/dev/null |
		jq -r '[.pairs[]?.verdicts[]? | select((.metric | test("time_per_op$|^time_per_op|ns/op")) and .ratio != null)][0] // empty | "\(.ratio) \(.lo // .ratio) \(.hi // .ratio) \(.verdict)"'
}
# by_benchstat A B PATTERN: the ratio of the medians that benchstat compares.
by_benchstat() {
	for build in "$1" "$2"; do
		(cd "$folder" && "./$build.test" -test.run '^$' -test.bench "$3" -test.benchtime 100ms -test.count $((seconds / 2 + 3))) >"$work/$build.txt" 2>&1
	done
	benchstat -format csv "$work/$1.txt" "$work/$2.txt" >"$work/benchstat.csv" 2>"$work/benchstat.log"
	awk -F, '$1 ~ /^(Parse|Run)/ && $2 > 0 && $4 > 0 { printf "%.3f\n", $4 / $2; exit }' "$work/benchstat.csv"
}
# benches A B PATTERN FILE: both test binaries, as CI calls them.
benches() { echo "plimsoll run exec './$1.test -test.run xxx -test.bench $3 -test.benchtime 100ms' './$2.test -test.run xxx -test.bench $3 -test.benchtime 100ms' --name base --name head --parse go -o $4.plimsoll.jsonl"; }
if ask 'gate of 5%, go test -bench, a slow parser' 'per_op parse' "$(benches v0.12.18 slow 'Parse$' parse) && plimsoll compare parse.plimsoll.jsonl --fail-if 'time_per_op > 5%'"; then
	set -- $told
	peer=$(by_benchstat v0.12.18 slow 'Parse$')
	row "benchstat $peer" "$(if [ "$code" = 4 ]; then near "${2:-0}" "${3:-0}" "${peer:-0}" .15; else echo wrong; fi)" 'exit 4, its interval within 15% of benchstat'
fi
if ask 'is v0.12.19 slower than v0.12.18 (Run)' 'per_op versions' "$(benches v0.12.18 v0.12.19 'Run$' versions) && plimsoll compare versions.plimsoll.jsonl"; then
	set -- $told
	peer=$(by_benchstat v0.12.18 v0.12.19 'Run$')
	row "benchstat $peer" "$(near "${2:-0}" "${3:-0}" "${peer:-0}" .05)" 'its interval within 5% of benchstat'
fi

# make_nights DIR [base]: thirty sessions of head, and of base beside it; from night 20 on head burns a tenth of base's time, which 10 % more
# numbers don't take. On a busy host runs fall into two groups that differ by 38 %: of 8 pairs the ratio scatters by 11 %, of 40 by 4 %.
make_nights() {
	mkdir "$folder/$1"
	if [ ! -x "$folder/tenth" ]; then
		by_hyperfine "./base $program" "./base $program" >/dev/null
		burning tenth "$(jq '.results[0].mean * 1e5 | round' "$folder/h.json")"
		(cd "$work/tenth" && go build -o "$folder/tenth" ./cmd/gojq)
	fi
	runs=40 night=1
	[ -z "$short" ] || runs=3
	while [ $night -le 30 ]; do
		head="./head $program" of=$1/$(printf %02d $night).plimsoll.jsonl
		[ $night -lt 20 ] || head="./tenth $program"
		if [ "${2:-}" = base ]; then
			(cd "$folder" && plimsoll run exec "./base $program" "$head" --name base --name head --replicates $runs -o "$of")
		else
			(cd "$folder" && plimsoll run exec "$head" --name head --replicates $runs -o "$of")
		fi >"$work/night.log" 2>&1 || { cat "$work/night.log" >&2; return 1; }
		night=$((night + 1))
	done
}
# nights DIR: each suspected change of head, as NIGHT:RATIO, or none; nothing if the nights could not be read.
nights() {
	plimsoll history "$folder/$1" --json 2>/dev/null |
		jq -r '[.histories[] | select(.title | test("head")) | .changes[] | "\(.file | sub(".*/"; "") | .[0:2]):\(.ratio)"] | if length == 0 then "none" else join(" ") end'
}
# night_right: whether told has one change, from night 19 to 26, of about 1.1; of a history of one side none is right, too.
night_right() {
	echo "$told" | awk -v one="$(case $question in *alone*) echo 1 ;; esac)" '
		$1 == "none" { print one ? "right" : "wrong"; exit }
		{ split($1, at, ":"); print (NF == 1 && at[1] >= 19 && at[1] <= (one ? 26 : 24) && at[2] > 1.04 && at[2] < 1.17) ? "right" : "wrong" }'
}

! due || make_nights nights base
if ask 'thirty nights, 10% slower from night 20 on' 'nights nights' 'plimsoll history nights'; then
	row 'planted: 1.1 from night 20 on' "$(night_right)" 'found by night 24, from 1.04 to 1.17, and nothing else'
fi
! due || make_nights alone
if ask 'the same, of head alone' 'nights alone' 'plimsoll history alone'; then
	row 'planted: 1.1 from night 20 on' "$(night_right)" 'found by night 26 from 1.04 to 1.17, or nothing'
fi
conclude
