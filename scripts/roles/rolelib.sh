# shellcheck shell=sh disable=SC2034,SC2154 # the roles read and set them
# What the roles share: each makes its subject, asks plimsoll each question of the review of 28 November 2026 by the command that a newcomer
# types first, then asks the peer, and prints a row: question, command, tries, seconds, answer, the peer's figure, right or wrong. Who reads
# this has set role. It ends with 1 if an answer was wrong or did not come, and leaves nothing behind but the sessions and the table.
above=../..
. "$(dirname "$0")/../benchlib.sh"
. "$(dirname "$0")/tell.sh"
bench=roles/$(basename "$0" .sh)
options only quick "$@"
begun_all=$(date +%s)
begin
GOCACHE=$(go env GOCACHE) GOMODCACHE=$(go env GOMODCACHE)
export GOCACHE GOMODCACHE GOFLAGS=-trimpath XDG_CACHE_HOME="$work/cache" XDG_STATE_HOME="$work/state" LC_ALL=C
folder=$work/folder
mkdir "$folder"
chmod 711 "$folder"
started= number=0 right=0 wrong=0 mute=0 left_out=0
table=$results/roles-$(basename "$0" .sh)-$stamp.md
: >"$work/rows.md"

# A quick round shows that all of this works, and decides nothing.
short='' seconds=10 patience=600
[ -z "$chosen" ] || short=' --for 300ms --warmup 100ms --replicates 3' seconds=1

# ends: what was started is told to end, the last one first, and waited for. PostgreSQL takes INT for a quick end; others are begun with it
# ignored, as all that a shell runs in the background.
ends() {
	for pid in $started; do finish "$pid"; done
	started=
}
finish() {
	kill -INT "$1" 2>/dev/null || true
	kill -TERM "$1" 2>/dev/null || true
	i=0
	while kill -0 "$1" 2>/dev/null && [ $i -lt 100 ]; do
		i=$((i + 1))
		sleep 0.1
	done
	kill -KILL "$1" 2>/dev/null || true
	wait "$1" 2>/dev/null || true
}
undo() { :; } # a role's own
concluded=
leave() {
	code=$?
	if [ -z "$concluded" ] && [ $code != 0 ] && [ $code != 2 ]; then
		echo "$bench: ended before its table, with $code; the last lines of its logs:" >&2
		tail -qn 5 "$work"/*.log >&2 || true
	fi
	ends
	undo
	rm -rf "$work"
}
trap leave EXIT

# background COMMAND...: in the folder, until the role ends; pid is its process.
background() {
	(cd "$folder" && exec "$@") >>"$work/background.log" 2>&1 &
	pid=$!
	started="$pid $started"
}

# halt PID: one that was started.
halt() {
	finish "$1"
	started=$(for pid in $started; do [ "$pid" = "$1" ] || printf '%s ' "$pid"; done)
}

# installed COMMAND [PACKAGE]: true once it is there, by Debian's package if we may.
installed() {
	command -v "$1" >/dev/null && return
	command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || return 1
	DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${2:-$1}" >>"$work/apt.log" 2>&1 || true
	command -v "$1" >/dev/null
}

# go_tool NAME MODULE VERSION [PACKAGE]: the one that is there, else one built from the pinned version.
go_tool() {
	command -v "$1" >/dev/null && return
	mkdir -p "$work/get-$1"
	printf 'module probe\n\ngo 1.26\n\nrequire %s %s\n' "$2" "$3" >"$work/get-$1/go.mod"
	printf '//go:build tools\n\npackage tools\n\nimport _ "%s"\n' "${4:-$2}" >"$work/get-$1/tools.go"
	(cd "$work/get-$1" && go mod tidy && go build -o "$work/bin/$1" "${4:-$2}") >>"$work/get.log" 2>&1
}
vegeta_there() { go_tool vegeta github.com/tsenart/vegeta/v12 v12.13.0; }

# module NAME VERSION DIR: the source of a Go module, writable.
module() {
	from=$(go mod download -json "$1@$2" | jq -r .Dir)
	mkdir -p "$3"
	cp -r "$from/." "$3/"
	chmod -R u+w "$3"
}

# free_port N: a port of the loopback that nobody listens at; another N, another port.
free_port() {
	awk -v seed=$$ -v n="$1" 'FNR > 1 { split($2, at, ":"); used[at[2]] = 1 }
		END { p = 20000 + (seed * 7 + 100 * n) % 20000; while (sprintf("%04X", p) in used) p++; print p }' /proc/net/tcp
}

# there HOST:PORT PID: waits until somebody listens there, and ends where the process does.
there() {
	i=0
	until listens "${1##*:}"; do
		i=$((i + 1))
		if [ $i -gt 300 ] || ! kill -0 "$2" 2>/dev/null; then
			tail -n 20 "$work/background.log" >&2
			echo "$bench: nobody listens at $1" >&2
			exit 1
		fi
		sleep 0.2
	done
}
listens() { awk -v port="$1" 'FNR > 1 { split($2, at, ":"); if ($4 == "0A" && at[2] == sprintf("%04X", port)) found = 1 } END { exit !found }' /proc/net/tcp /proc/net/tcp6; }

# postgres_bin PROGRAM: where it lies.
postgres_bin() { for d in /usr/lib/postgresql/*/bin; do [ ! -x "$d/$1" ] || found=$d/$1; done; echo "${found:-$1}"; }

# as_postgres COMMAND...: PostgreSQL does not run as root.
as_postgres() {
	if [ "$(id -u)" = 0 ]; then setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else "$@"; fi
}

# cluster DIR PORT: a PostgreSQL server of our own; its superuser is postgres, and who reaches the loopback is trusted.
cluster() {
	[ -x "$(postgres_bin postgres)" ] || installed postgres postgresql || { echo "$bench: no PostgreSQL" >&2; exit 1; }
	mkdir "$1"
	[ "$(id -u)" != 0 ] || chown postgres:postgres "$1"
	as_postgres "$(postgres_bin initdb)" -D "$1/data" -A trust -U postgres --no-sync >"$work/initdb.log" 2>&1 || { cat "$work/initdb.log" >&2; exit 1; }
	printf "port=%s\nlisten_addresses='127.0.0.1'\nunix_socket_directories='%s'\nshared_buffers=256MB\nmax_connections=200\nmax_wal_size=1GB\ncluster_name=''\n" "$2" "$1" >>"$1/data/postgresql.conf"
	start_cluster "$@"
}
start_cluster() {
	as='' postgres=$(postgres_bin postgres)
	[ "$(id -u)" != 0 ] || as='setpriv --reuid=postgres --regid=postgres --clear-groups'
	# shellcheck disable=SC2086
	$as "$postgres" -D "$1/data" >>"$work/postgres.log" 2>&1 & # no function, whose shell would stay as its parent
	pid=$!
	started="$pid $started"
	i=0
	until psql -qAt -h 127.0.0.1 -p "$2" -U postgres -c 'select 1' >/dev/null 2>&1; do
		i=$((i + 1))
		[ $i -lt 200 ] && kill -0 "$pid" || { tail -n 20 "$work/postgres.log" >&2; exit 1; }
		sleep 0.2
	done
}

# now: seconds.
now() { date +%s.%N; }
since() { echo "$1 $(now)" | awk '{ printf "%.0f", $2 - $1 }'; }

# due: whether the next question is to be asked.
due() { [ -z "$only" ] || case " $only " in *" $((number + 1)) "*) ;; *) return 1 ;; esac }

# ask QUESTION TELLER COMMAND...: the commands in turn, in the folder, until TELLER (a function below or of the role, with arguments) finds
# an answer in what one printed, or in its session. told is the answer, ours the first lines of the screen.
ask() {
	question=$1 teller=$2 tried=0 told= ours=
	shift 2
	asked=$1 begun=$(now)
	due || { number=$((number + 1)); return 1; }
	number=$((number + 1))
	for command in "$@"; do
		tried=$((tried + 1)) code=0 asked=$command
		rm -f said.txt errors.txt show.json compare.json
		(cd "$folder" && timeout "$patience" sh -c "$command") >said.txt 2>errors.txt || code=$?
		read_session
		cat said.txt errors.txt >"$results/$(basename "$table" .md)-$number-$tried.txt"
		told=$(eval "$teller" 2>"$work/teller.log") || told=
		[ -z "$told" ] || break
	done
	took=$(since "$begun")
	ours=$(awk 'NF == 0 { exit } { gsub(/^ +| +$/, ""); gsub(/  +/, " "); gsub(/\|/, "/"); printf "%s%s", sep, $0; sep = " " }' said.txt | cut -c 1-240)
	[ -n "$ours" ] || ours=$(grep -v '^run \|^[0-9]* runs' errors.txt | head -n 2 | tr '\n|' ' /' | cut -c 1-240)
	echo "$bench: $number. $question ($took s): ${ours:-nothing}" >&2
}

# read_session: what the session of the command that was just run holds, if it made one; it is kept, as the screen is.
read_session() {
	session=$(sed -n 's/^saved in //p' said.txt | tail -n 1)
	[ -n "$session" ] || return 0
	session=$folder/$session
	plimsoll show "$session" --json >show.json 2>/dev/null || true
	plimsoll compare "$session" --json >compare.json 2>/dev/null || true
	cp "$session" "$results/$(basename "$table" .md)-$number-$tried.plimsoll.jsonl"
}

# line LIMIT: what a search states, and its ends: of a limit the same twice, of a bracket both.
line() {
	linecheck -limit "$1" "$session" <show.json | awk -F '\t' '
		$5 != "supported" { print "contradicted"; exit }
		$1 == "limit" { print $1, $4, $4 }
		$1 == "bracket" { print $1, $2, $3 }
		$1 == "least" || $1 == "below" { print $1, $4, $4 }'
}

# row PEER VERDICT RULE: the line of the question that was asked; without an answer the verdict does not count.
row() {
	verdict=$2
	[ -n "$told" ] || verdict='no answer'
	case $verdict in
	right) right=$((right + 1)) ;;
	wrong) wrong=$((wrong + 1)) ;;
	*) mute=$((mute + 1)) ;;
	esac
	echo "| $role | $question | \`$(echo "$asked" | tr '|' '/')\` | $tried | $took | ${ours:-nothing} | $1 | $verdict ($3) |" >>"$work/rows.md"
}

# not_applicable QUESTION WHY: a question that cannot be asked here.
not_applicable() {
	number=$((number + 1)) left_out=$((left_out + 1))
	echo "| $role | $1 | | | | | | not applicable: $2 |" >>"$work/rows.md"
}

# conclude prints the table, and ends the role.
conclude() {
	concluded=1
	{
		echo "| role | question | command | tries | s | answer | peer | right? |"
		echo "|---|---|---|---|---|---|---|---|"
		cat "$work/rows.md"
	} >"$table"
	cat "$table"
	echo
	echo "$role: $right right, $wrong wrong, $mute without an answer, $left_out not applicable; $(($(date +%s) - begun_all)) s, load average $(loadavg); $table"
	[ "$wrong$mute" = 00 ] || exit 1
	exit 0
}

need jq curl go
build
(cd "$root" && go build -o "$work/bin/" ./bench/linecheck)
echo "$bench: $(nproc) CPUs, load average $(loadavg)" >&2
