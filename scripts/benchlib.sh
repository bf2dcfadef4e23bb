# shellcheck shell=sh
# What the scripts bench-* share. They set their defaults, read this, and call options, need, begin and build in this order.
root=$(cd "$(dirname "$0")/${above:-..}" && pwd) # who lies deeper sets above
bench=$(basename "$0") results=$root/bench/results rounds=12 server=

# usage prints the script's first comment.
usage() {
	sed -n '2s/^# /usage: /p' "$0" >&2
	exit 2
}

# options NAMES WORDS ARGUMENT...: sets the variable of each --NAME VALUE (two_words of --two-words), and chosen to the WORDS that are given.
options() {
	names=" results $1 " words=" $2 " chosen=
	shift 2
	while [ $# -gt 0 ]; do
		case $1 in
		--*)
			name=$(echo "${1#--}" | tr - _)
			case $names in *" $name "*) [ $# -ge 2 ] || usage "$1" ;; *) usage "$1" ;; esac
			eval "$name=\$2"
			shift
			;;
		*) case $words in *" $1 "*) chosen="$chosen $1" ;; *) usage "$1" ;; esac ;;
		esac
		shift
	done
}

# need TOOL...: ends where one of them is not there.
need() {
	for tool in "$@"; do
		command -v "$tool" >/dev/null || { echo "$bench: not applicable: $tool is not installed"; exit 0; }
	done
}

# stop ends a server of serve.
stop() {
	exec 9>&-
	ended
}
ended() {
	[ -z "$server" ] || wait "$server" 2>/dev/null || true
	server=
}

# begin [DIR]: a directory of its own below DIR, which is gone at the end. Others may enter it: a server runs as another user where we are root.
begin() {
	mkdir -p "$results"
	results=$(cd "$results" && pwd)
	work=$(mktemp -d "${1:-${TMPDIR:-/tmp}}/plimsoll-bench-XXXXXX")
	trap 'stop; rm -rf "$work"' EXIT
	trap 'exit 130' INT TERM HUP
	mkdir "$work/bin" "$work/tmp" "$work/server"
	chmod 711 "$work" "$work/server"
	export CGO_ENABLED=0 PATH="$work/bin:$PATH"
	stamp=$(date -u +%Y%m%dT%H%M%SZ)
}

# two_cpus WHO: WHO, which serves, has the first CPU that we may use, the clients the last.
two_cpus() {
	cpus=$(taskset -cp $$ | sed 's/.*: //')
	first=${cpus%%[,-]*} last=${cpus##*[,-]}
	[ "$first" != "$last" ] || { echo "$bench: one CPU is not enough: the $1 needs one of its own" >&2; exit 1; }
}

# build [PACKAGE]: plimsoll, and the package's test binary.
build() {
	cd "$root" || exit 1
	[ $# = 0 ] || go test -c -o "$work/bin/$(basename "$1").test" "$1"
	go build -o "$work/bin/plimsoll" ./cmd/plimsoll
	cd "$work" || exit 1
}

free_port() { python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])'; }

loadavg() { cut -d ' ' -f 1-3 /proc/loadavg; }

# serve WORD COMMAND...: a server that ends with its standard input; at is what it says after WORD.
serve() {
	word=$1
	shift
	mkfifo "$work/end"
	"$@" <"$work/end" >"$work/said" 2>&1 &
	server=$!
	exec 9>"$work/end"
	until grep -qs "^$word " "$work/said"; do
		kill -0 "$server" 2>/dev/null || { cat "$work/said" >&2; exit 1; }
		sleep 0.1
	done
	# shellcheck disable=SC2034 # the scripts read it
	at=$(sed -n "s/^$word //p" "$work/said")
}

# alternate DO NAMES [ARGUMENT...]: in each round, for each argument, DO NAME ROUND ARGUMENT of the names, backwards in every second round.
alternate() {
	each=$1 forth=$2 back=$(echo "$2" | awk '{ for (i = NF; i > 0; i--) printf "%s ", $i }')
	shift 2
	[ $# -gt 0 ] || set -- ''
	round=1
	while [ "$round" -le "$rounds" ]; do
		[ $((round % 2)) = 1 ] && order=$forth || order=$back
		for with in "$@"; do
			for side in $order; do "$each" "$side" "$round" "$with"; done
		done
		round=$((round + 1))
	done
}

# imported CSV NAME [COLUMNS]: the rows as the session file, which stays. The sides of a round ran next to each other: they are pairs.
imported() {
	file=$results/$2-$stamp.plimsoll.jsonl
	{ echo "${3:-machine,workload,replicate,load,load_kind,metric,value,unit,better}"; cat "$work/$1.csv"; } |
		awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "replicate") at = i; print $0, "pair"; next } { print $0, $at - 1 }' >"$work/$1-all.csv"
	plimsoll import --format csv "$work/$1-all.csv" -o "$file" >"$work/import.log"
}

# tell 'FILTER [ARGUMENTS]' VERB...: what bench/FILTER.jq says of plimsoll VERB... --json.
tell() {
	rule=$1
	shift
	plimsoll "$@" --json >"$work/told.json"
	set -- $rule
	rule=$1
	shift
	jq -r -L "$root/bench" -L "$root/docs" "$@" -f "$root/bench/$rule.jq" "$work/told.json"
}

# from_schedule RATE: the p99 in ms of I/Os that fio made at RATE a second at equal intervals, from when each was due; its latency log is stdin.
# fio waits for all I/O in flight before it sleeps and counts from submission: a stall of 4 ms is a few late I/Os of it instead of 136 at 34,000/s.
# The log has whole milliseconds of completion, in order: the I/Os of one millisecond are spread over it, each as early as it may have been, and
# the median I/O is on time.
from_schedule() {
	awk -F ', *' -v rate="$1" '
		{ ms[NR] = $1; ns[NR] = $2; in_ms[$1]++ }
		END {
			for (i = 1; i <= NR; i++) {
				nth = (i > 1 && ms[i] == ms[i - 1]) ? nth + 1 : 0
				printf "%.4f %.4f %.4f\n", ms[i] + (nth + .5) / in_ms[ms[i]] - 1e3 * i / rate, ns[i] / 1e6, .5 / in_ms[ms[i]]
			}
		}' >due.txt
	late=$(cut -d ' ' -f 1 due.txt | at_part .5) own=$(cut -d ' ' -f 2 due.txt | at_part .5)
	awk -v late="$late" -v own="$own" '{ t = $1 - late + own - $3; print (t > $2) ? t : $2 }' due.txt | at_part .99
}

# at_part P: the number at the Pth part of those on stdin.
at_part() {
	sort -g >sorted.txt
	awk -v p="$1" -v n="$(wc -l <sorted.txt)" 'NR == int(p * (n - 1)) + 1' sorted.txt
}
