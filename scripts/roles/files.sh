#!/bin/sh
# scripts/roles/files.sh [--only 'N N ...'] [--results DIR] [quick]
#
# Role 3, a platform engineer: colleagues' result files of seventeen tools for two machines, three of each, made here by the tools themselves
# (Debian, Go, pip, npm); the web service of the second machine is 1.5 times as fast on purpose (bench/known). His four questions, beside
# what the tools printed.
set -eu
role='3 platform' only=
. "$(dirname "$0")/rolelib.sh"
(cd "$root" && go build -o "$work/bin/" ./bench/known)
made='' lacking=
for pair in wrk ab:apache2-utils hey h2load:nghttp2-client sysbench iperf3 redis-server redis-benchmark:redis-tools hyperfine fio; do
	installed "${pair%:*}" "${pair#*:}" && made="$made ${pair%:*}" || lacking="$lacking ${pair%:*}"
done
vegeta_there && made="$made vegeta" || lacking="$lacking vegeta"
has() { case " $made " in *" $1 "*) ;; *) return 1 ;; esac }
python3 -m venv "$work/python" >"$work/pip.log" 2>&1 && "$work/python/bin/pip" install -q --disable-pip-version-check locust==2.47.0 >>"$work/pip.log" 2>&1 && made="$made locust" || lacking="$lacking locust"
command -v npm >/dev/null && npm install --silent --no-fund --no-audit --prefix "$work/npm" autocannon@9.0.0 >"$work/npm.log" 2>&1 && made="$made autocannon" || lacking="$lacking autocannon"
# A benchmark of Google's library, and one of Go.
if command -v g++ >/dev/null && { installed google-benchmark-there libbenchmark-dev || [ -e /usr/include/benchmark/benchmark.h ]; }; then
	printf '%s\n' '#include <benchmark/benchmark.h>' '#include <vector>' 'static void Sum(benchmark::State& s) { std::vector<int> v(4096, 1); for (auto _ : s) { int t = 0; for (int x : v) t += x; benchmark::DoNotOptimize(t); } }' 'BENCHMARK(Sum);' 'BENCHMARK_MAIN();' >"$work/sum.cc"
	g++ -O2 -o "$work/bin/sum" "$work/sum.cc" -lbenchmark -lpthread >"$work/cc.log" 2>&1 && made="$made google-benchmark" || lacking="$lacking google-benchmark"
else
	lacking="$lacking google-benchmark"
fi
printf 'from locust import HttpUser, task\nclass User(HttpUser):\n    @task\n    def get(self):\n        self.client.get("/")\n' >"$work/locustfile.py"
redis=$(free_port 1) iperf=$(free_port 2) web=$(free_port 3)
has redis-server && { background redis-server --bind 127.0.0.1 --port "$redis" --save '' --appendonly no --dir "$work"; there 127.0.0.1:"$redis" "$pid"; }
has iperf3 && { background iperf3 -s -B 127.0.0.1 -p "$iperf"; there 127.0.0.1:"$iperf" "$pid"; }
brief=$((seconds / 5 + 1))

# results MACHINE MEAN RUN: what colleagues have of a machine whose service takes so long.
results_of() {
	to=$folder/results/$1
	mkdir -p "$to"
	mkfifo "$work/end-$1-$3"
	known -address "127.0.0.1:$web" -servers 4 -mean "$2" -times fixed <"$work/end-$1-$3" >"$work/said-$1" &
	server_pid=$!
	exec 8>"$work/end-$1-$3"
	until grep -q '^listening ' "$work/said-$1"; do sleep 0.1; done
	url=$(sed -n 's/^listening //p' "$work/said-$1")
	for tool in $made; do
		case $tool in
		wrk) wrk --latency -t 2 -c 16 -d "${brief}s" "$url" >"$to/wrk-$3.txt" ;;
		ab) ab -q -n $((brief * 1000)) -c 8 "$url" >"$to/ab-$3.txt" 2>&1 ;;
		hey) hey -z "${brief}s" -c 8 "$url" >"$to/hey-$3.txt" ;;
		h2load) h2load --h1 -t 1 -c 8 -D "$brief" "$url" >"$to/h2load-$3.txt" ;;
		vegeta) echo "GET $url" | vegeta attack -rate 200 -duration "${brief}s" | vegeta report -type json >"$to/vegeta-$3.json" ;;
		locust) "$work/python/bin/locust" -f "$work/locustfile.py" --headless -u 8 -r 8 -t "${brief}s" -H "${url%/}" --only-summary --csv "$work/l" >"$work/locust.log" 2>&1 || true; mv "$work/l_stats.csv" "$to/locust-${3}_stats.csv" ;;
		autocannon) "$work/npm/node_modules/.bin/autocannon" -c 8 -d "$brief" -j "$url" >"$to/autocannon-$3.json" 2>"$work/autocannon.log" ;;
		sysbench)
			sysbench cpu --time="$brief" run >"$to/sysbench-cpu-$3.txt"
			sysbench memory --time="$brief" --memory-total-size=100T run >"$to/sysbench-memory-$3.txt"
			(cd "$work" && sysbench fileio --file-total-size=32M --file-num=4 prepare && sysbench fileio --file-total-size=32M --file-num=4 --file-test-mode=rndrd --time="$brief" run >"$to/sysbench-fileio-$3.txt") >"$work/sysbench.log" 2>&1
			;;
		iperf3) iperf3 -c 127.0.0.1 -p "$iperf" -t "$brief" -J >"$to/iperf3-$3.json" ;;
		redis-benchmark) redis-benchmark -p "$redis" -t get -n 50000 >"$to/redis-$3.txt" ;;
		hyperfine) hyperfine -N --runs 5 --export-json "$to/hyperfine-$3.json" true >"$work/hyperfine.log" 2>&1 ;;
		fio)
			fio --name=a --filename="$work/fio.data" --size=32M --rw=randread --bs=4k --iodepth=4 --ioengine=libaio --time_based --runtime="$brief" --output-format=json >"$to/fio-$3.json"
			# Any writer of JSON has its own spacing.
			fio --name=b --filename="$work/fio.data" --size=32M --rw=read --bs=64k --iodepth=4 --ioengine=libaio --time_based --runtime="$brief" --output-format=json | jq -c . >"$to/fio-compact-$3.json"
			fio --name=c --filename="$work/fio.data" --size=32M --rw=randread --bs=8k --iodepth=2 --ioengine=libaio --time_based --runtime="$brief" >"$to/fio-$3.txt"
			;;
		google-benchmark) sum --benchmark_min_time=0.2 --benchmark_format=json >"$to/google-benchmark-$3.json" 2>"$work/sum.log" ;;
		esac
	done
	(cd "$root" && go test -run '^$' -bench 'Sum' -benchtime 50ms ./internal/workload/highwayhash 2>/dev/null || true) >"$to/go-$3.txt"
	grep -q '^Benchmark' "$to/go-$3.txt" || rm "$to/go-$3.txt"
	exec 8>&-
	wait "$server_pid"
}
for run in 1 2 3; do
	results_of m5.2xlarge 3ms $run
	results_of m7g.2xlarge 2ms $run
done
files=$(find "$folder/results" -type f | wc -l)
[ -z "$lacking" ] || echo "$bench: not there:$lacking" >&2

# accounted: of what one import says, how many files it has read, and how many it names as not read.
accounted() {
	awk '/^[^ ]+: [0-9]+ runs? of / { read++ } /^and [0-9]+ more files?$/ { read += $2 }
		/^passed over |not read: / { n = split($0, parts, /(^|[ ,])results\//) - 1; if (match($0, /and [0-9]+ more/)) { split(substr($0, RSTART), more, " "); n += more[2] }; other += n }
		END { print read + 0, other + 0 }' "$1"
}
# imported_files: how many files are read by all calls, how many the first call read or named, and which workloads there are, once a session is
# there. A first call that leaves files which its hint would add is not the answer yet.
imported_files() {
	[ -e "$folder/results.plimsoll.jsonl" ] || return 0
	cat said.txt errors.txt >"$work/call-$tried.txt"
	[ "$tried" -ge 2 ] || ! grep -q -e '--load' errors.txt || return 0
	plimsoll show "$folder/results.plimsoll.jsonl" --json >show.json 2>"$work/show.log"
	all=$(for call in "$work"/call-*.txt; do accounted "$call"; done | awk '{ n += $1 } END { print n }')
	echo "$all $(accounted "$work/call-1.txt" | awk '{ print $1 + $2 }') $(jq -r '[.cells[].workload] | unique | join(",")' show.json)"
}
if ask "colleagues' files in one table" imported_files 'plimsoll import results' 'plimsoll import results --load hey=8 --load vegeta=rate=200 --load locust=8 -o results.plimsoll.jsonl'; then
	set -- $told
	ours="${1:-0} of $files files read, ${2:-0} read or named by the first call; workloads ${3:-none}"
	verdict=$(holds "${2:-0} == $files && ${1:-0} >= $files - 6")
	case ${3:-} in *sysbench-cpu*sysbench-fileio*sysbench-memory*) ;; *) has sysbench && verdict=wrong ;; esac
	row "$files files of:$made, go" "$verdict" 'every file is read or named, autocannon alone is not read, and the tests of sysbench are apart'
fi

# of_wrk MACHINE: the geometric mean of what its files say.
of_wrk() { awk '/^Requests\/sec/ { sum += log($2); n++ } END { printf "%.2f", exp(sum / n) }' "$folder/results/$1"/wrk-*.txt; }
wrk_change() {
	plimsoll compare "$folder/results.plimsoll.jsonl" --json 2>/dev/null |
		jq -r '[.pairs[] | (.a + " " + .b) as $sides | .verdicts[] | select(.workload == "wrk" and .metric == "throughput" and .ratio != null) | "\(.ratio) \(.lo // .ratio) \(.hi // .ratio) \(.verdict) \($sides)"][0] // empty'
}
if has wrk && ask 'which machine' wrk_change 'plimsoll compare results.plimsoll.jsonl'; then
	set -- $told
	peer=$(over "$(of_wrk "${5:-m5.2xlarge}")" "$(of_wrk "${6:-m7g.2xlarge}")")
	row "wrk's files: ${6:-} is $peer of ${5:-}" "$(if [ "${4:-}" = DIFFERENT ]; then near "$2" "$3" "$peer" .05; else echo wrong; fi)" 'DIFFERENT, and its interval within 5% of what the files say'
fi
# fleet: the sentence of a fleet for wrk's demand.
fleet() { said '20[.]0 ?k requests/s of wrk[^;$]* m7g[^;$]* [0-9]+ machines for [$][0-9,.]+/month|20[.]0 ?k requests/s of wrk[^;$]* [0-9]+ machines for [$][0-9,.]+/month'; }
if has wrk && ask 'monthly cost, N+1' fleet 'plimsoll compare results.plimsoll.jsonl --demand 20000' 'plimsoll compare results.plimsoll.jsonl --demand wrk=20000'; then
	ours=${told:-$ours}
	machines=$(echo "$told" | grep -oE '[0-9]+ machines' | head -n 1 | tr -dc 0-9)
	peer=$(of_wrk m7g.2xlarge)
	least=$(echo "$peer" | awk '{ n = 20000 / $1 / 1.05; print int(n) + (n > int(n)) + 1 }')
	most=$(echo "$peer" | awk '{ n = 20000 / (.7 * $1); print int(n) + (n > int(n)) + 2 }')
	row "by wrk's $peer/s on m7g.2xlarge: $least to $most with one spare" "$(case $told in *m7g*) holds "${machines:-0} >= $least && ${machines:-0} <= $most" ;; *) echo wrong ;; esac)" 'it names wrk, takes m7g, and as many as that'
	sentence=$(echo "$told" | grep -oE '[$][0-9,.]+/month' || true)
	if ask 'page for the boss' "[ -s '$folder/boss.html' ] && echo there" 'plimsoll report results.plimsoll.jsonl --demand wrk=20000 -o boss.html'; then
		words=$(sed 's/<script.*//; s/<style.*<\/style>//; s/<[^>]*>/ /g' "$folder/boss.html" | tr -s ' \n' ' ' | cut -c 1-20000)
		first=$(echo "$words" | grep -oE '[$][0-9,.]+/month' | head -n 1 || true)
		ours="its first cost: ${first:-none}"
		row "compare says $sentence for wrk" "$([ -n "$first" ] && [ "$first" = "$sentence" ] && echo right || echo wrong)" 'its first cost is that of the workload that was asked for'
	fi
fi
conclude
