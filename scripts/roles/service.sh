#!/bin/sh
# scripts/roles/service.sh [--only 'N N ...'] [--results DIR] [quick]
#
# Role 1, a backend engineer: Miniflux (a public Go service on PostgreSQL, from the module proxy) with 2,000 entries, started by its own
# command in its own directory; his ten questions, beside vegeta, wrk, and what the database counts.
set -eu
role='1 backend' only=
. "$(dirname "$0")/rolelib.sh"
for tool in wrk nginx; do installed $tool || { echo "$bench: no $tool" >&2; exit 1; }; done
vegeta_there || { cat "$work/get.log" >&2; exit 1; }

# The service, and two builds that do more: one encodes a list of numbers in each request, one serves one request at a time. By default it keeps
# one idle connection, so that 8 clients connect to PostgreSQL anew for most requests: 10 ms of CPU each instead of 5, which one at a time avoids.
version=v2.2.13
module miniflux.app/v2 $version "$work/source"
middleware=$work/source/internal/http/server/middleware.go
cp "$middleware" "$work/middleware.go"
database=$(free_port 1) port=$(free_port 2) front=$(free_port 3) other=$(free_port 4)
url="http://127.0.0.1:$port/v1/entries?limit=20"
for variant in build-a build-b build-c; do
	mkdir "$folder/$variant"
	case $variant in
	build-a) cp "$work/middleware.go" "$middleware" ;;
	build-b) sed 's/^import (/import (\n\t"encoding\/json"/; s/^\t\tnext\.ServeHTTP(/\t\tfor range 4 {\n\t\t\t_, _ = json.Marshal(make([]int, 5000))\n\t\t}\n&/' "$work/middleware.go" >"$middleware" ;;
	build-c) sed 's/^import (/import (\n\t"sync"/; s/^func middleware/var turn sync.Mutex\n\n&/; s/^\t\tnext\.ServeHTTP(/\t\tturn.Lock()\n\t\tdefer turn.Unlock()\n&/' "$work/middleware.go" >"$middleware" ;;
	esac
	(cd "$work/source" && go build -o "$folder/$variant/miniflux" .) >"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }
	cat >"$folder/$variant/miniflux.conf" <<-END
		DATABASE_URL=postgres://postgres@127.0.0.1:$database/miniflux?sslmode=disable
		LISTEN_ADDR=127.0.0.1:$port
		DISABLE_SCHEDULER_SERVICE=1
		DATABASE_MIN_CONNS=20
	END
done
cluster "$work/pg" "$database"
postmaster=$pid
sql() { psql -qAt -h 127.0.0.1 -p "$database" -U postgres "$@"; }
sql -c 'create database miniflux' postgres
(cd "$folder/build-a" && CREATE_ADMIN=1 ADMIN_USERNAME=admin ADMIN_PASSWORD=throwaway RUN_MIGRATIONS=1 exec ./miniflux -c miniflux.conf) >>"$work/background.log" 2>&1 &
pid=$!
started="$pid $started"
there 127.0.0.1:"$port" "$pid"
halt "$pid"
TOKEN=$(tr -d - </proc/sys/kernel/random/uuid)
export TOKEN
sql miniflux >"$work/fill.log" <<END
insert into api_keys(user_id, token, description) values (1, '$TOKEN', 'roles');
insert into feeds(user_id, category_id, title, feed_url, site_url)
	select 1, 1, 'feed ' || i, 'http://127.0.0.1/' || i, 'http://127.0.0.1/' || i from generate_series(1, 50) i;
insert into entries(user_id, feed_id, hash, published_at, title, url, author, content, comments_url, changed_at)
	select 1, 1 + i % 50, md5(i::text), now() - i * interval '1 minute', 'entry ' || i, 'http://127.0.0.1/' || i, 'author ' || i % 100,
		repeat('words of an article ', 100), '', now() from generate_series(1, 2000) i;
analyze;
END
# Nothing of it may reach the web.
background sh -c 'cd build-a && exec ./miniflux -c miniflux.conf'
service=$pid
there 127.0.0.1:"$port" "$service"
header='X-Auth-Token: ${TOKEN}'
curl -fsS -H "X-Auth-Token: $TOKEN" "$url" | jq -e '.entries | length == 20' >/dev/null

# vegeta_at RATE [SECONDS]: its p99 in ms, or 99999 if not all succeeded. It sends at equal intervals.
vegeta_at() {
	echo "GET $url" | timeout 60 vegeta attack -header "X-Auth-Token: $TOKEN" -rate "$1" -duration "${2:-$seconds}s" -timeout 10s >attack.bin
	vegeta report -type json <attack.bin | jq -r 'if .success == 1 then .latencies."99th" / 1e6 else 99999 end'
}
# wrk_of ARGUMENT...: its requests a second.
wrk_of() { wrk -t 2 -d "${seconds}s" -H "X-Auth-Token: $TOKEN" "$@" | awk '/^Requests\/sec/ { print $2 }'; }

# beside_vegeta: the row of a line: 0.8 times the limit passes and 1.25 times it fails.
beside_vegeta() {
	set -- $told
	case ${1:-} in
	limit | bracket)
		low=$(echo "$2" | awk '{ print (int(.8 * $1) < 1) ? 1 : int(.8 * $1) }') high=$(echo "$3" | awk '{ print int(1.25 * $1) + 1 }')
		low_ms=$(vegeta_at "$low") high_ms=$(vegeta_at "$high")
		row "vegeta: p99 $low_ms ms at $low/s, $high_ms ms at $high/s" "$(holds "$low_ms <= 20 && $high_ms > 20")" 'at 0.8 of it within 20 ms, at 1.25 not'
		;;
	least) row "vegeta: p99 $(vegeta_at "$(echo "$2" | awk '{ print int(.8 * $1) + 1 }')" | tee ms) ms at 0.8 of it" "$(holds "$(cat ms) <= 20")" 'at 0.8 of it within 20 ms' ;;
	below) row "vegeta: p99 $(vegeta_at "$(echo "$2" | awk '{ print int(1.25 * $1) + 1 }')" | tee ms) ms at 1.25 of it" "$(holds "$(cat ms) > 20")" 'at 1.25 of it over 20 ms' ;;
	*) row - wrong 'its own probes support it' ;;
	esac
}

if ask 'requests/s until p99 > 20 ms' 'line 20ms' "plimsoll run http '$url' -H '$header' --load-line --slo p99=20ms --arrivals uniform"; then beside_vegeta; fi
if ask 'the same, started by its own command' 'line 20ms' \
	"plimsoll run http '/v1/entries?limit=20' --start './miniflux -c miniflux.conf' --dir build-a -H '$header' --load-line --slo p99=20ms --arrivals uniform"; then beside_vegeta; fi

# ticks PID...: CPU time of processes and their children, in clock ticks.
ticks() {
	cat /proc/[0-9]*/stat 2>/dev/null | awk -v want=" $* " '{ sub(/\(.*\)/, "x"); pid = $1; parent[pid] = $4; used[pid] = $14 + $15 }
		END { for (p in used) if (index(want, " " p " ") || index(want, " " parent[p] " ")) sum += used[p]; print sum + 0 }'
}
if ask 'requests/s, 32 clients' 'metric throughput' "plimsoll run http '$url' -H '$header' --clients 32$short"; then
	set -- $told
	db=$(ticks "$postmaster") app=$(ticks "$service")
	peer=$(wrk_of -c 32 "$url")
	db=$(($(ticks "$postmaster") - db)) app=$(($(ticks "$service") - app))
	row "wrk $peer/s" "$(near "${2:-0}" "${3:-0}" "$peer" .25)" 'intervals within 25%'
	if ask 'what limits it' "said 'bottleneck .*' | cut -c 1-260" "plimsoll show ${session##*/}"; then
		ours=${told:-$ours} busiest=postgres
		[ "$db" -gt "$app" ] || busiest=miniflux
		row "CPU ticks under wrk: postgres $db, miniflux $app" "$(case $told in *$busiest*) echo right ;; *) echo wrong ;; esac)" "it names what takes most: $busiest"
	fi
else
	number=$((number + 1))
fi

if ask 'p99 at 50/s' 'metric latency_p99' "plimsoll run http '$url' -H '$header' --rate 50 --arrivals uniform$short"; then
	set -- $told
	peer=$(vegeta_at 50)
	verdict=$(near "$(echo "${2:-0}" | awk '{ print 1e3 * $1 }')" "$(echo "${3:-0}" | awk '{ print 1e3 * $1 }')" "$peer" .5)
	case $ours in *p99*) ;; *) verdict=wrong ;; esac
	row "vegeta $peer ms" "$verdict" 'within 50%, and it is called a p99'
fi

cat >"$folder/mix.txt" <<END
# weight: 8
GET http://127.0.0.1:$port/v1/entries?limit=20
X-Auth-Token: \${TOKEN}

POST http://127.0.0.1:$port/v1/categories
X-Auth-Token: \${TOKEN}
Content-Type: application/json
@category.json
END
printf '{"title": "mix {uuid}"}' >"$folder/category.json"
statuses() { jq -r '[.findings[] | select(.kind == "answers").body.statuses][0] // empty | "\(."200" // 0) \(."201" // 0) \(del(."200", ."201") | add // 0)"' show.json; }
if ask 'POST, JSON, token, weighted mix' statuses "plimsoll run http --targets mix.txt --clients 4$short"; then
	set -- $told
	made=$(sql -c "select count(*) from categories where title like 'mix %'" miniflux)
	row "PostgreSQL has $made new categories, $(sql -c "select count(distinct title) from categories where title like 'mix %'" miniflux) different" \
		"$(holds "${2:-0} > 0 && $made >= ${2:-0} && ${3:-1} == 0 && 9 * ${2:-0} > .85 * (${1:-0} + ${2:-0}) && 9 * ${2:-0} < 1.15 * (${1:-0} + ${2:-0})")" \
		'no failure, one of nine is a POST by 15%, and the database has them'
fi

# A real log: nginx before the service.
mkdir "$folder/front"
cat >"$folder/front/nginx.conf" <<END
daemon off;
master_process off;
pid nginx.pid;
error_log error.log;
events {}
http {
	access_log ../access.log combined;
	client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
	server { listen 127.0.0.1:$front; location / { proxy_pass http://127.0.0.1:$port; } }
}
END
background nginx -p "$folder/front" -c nginx.conf
there 127.0.0.1:"$front" "$pid"
i=0
while [ $i -lt 100 ]; do
	case $((i % 10)) in 0) path=/v1/feeds ;; [1-3]) path=/v1/entries/$((1 + i % 7)) ;; *) path='/v1/entries?limit=20' ;; esac
	curl -fsS -o "$work/answered" -H "X-Auth-Token: $TOKEN" "http://127.0.0.1:$front$path"
	i=$((i + 1))
done
halt "$pid"
targets() { jq -r '[.findings[] | select(.kind == "targets").body.targets][0] // empty | "\(length) \(.[0].share)"' show.json; }
if ask 'mix from an access log' targets "plimsoll run http http://127.0.0.1:$port/ --targets access.log --clients 16 -H '$header'$short"; then
	set -- $told
	peer=$(awk '{ n[$7]++ } END { for (p in n) { kinds++; if (n[p] > most) most = n[p] }; print kinds, most / NR }' "$folder/access.log")
	row "awk: $peer (lines that differ, share of the most frequent)" "$(holds "${1:-0} == ${peer% *} && ${2:-0} > .9 * ${peer#* } && ${2:-0} < 1.1 * ${peer#* }")" 'as many, and its share within 10%'
fi

if ask 'create requests (unique title each)' statuses \
	"plimsoll run http http://127.0.0.1:$port/v1/categories -d '{\"title\": \"new {uuid}\"}' -H '$header' --clients 8$short"; then
	set -- $told
	made=$(sql -c "select count(distinct title) from categories where title like 'new %'" miniflux)
	row "PostgreSQL has $made different ones" "$(holds "${2:-0} > 0 && ${1:-1} == 0 && ${3:-1} == 0 && $made >= ${2:-0}")" 'all 201, and the database has them'
fi
sql -c "delete from categories where id > 1" miniflux

# wrk_sides VARIANT: by turns, three times each: the ratio of the medians of requests a second, of the variant to the plain build.
wrk_sides() {
	: >sides
	for _ in 1 2 3; do
		for variant in build-a "$1"; do
			background sh -c "cd $variant && PORT=$other exec ./miniflux -c miniflux.conf"
			there 127.0.0.1:"$other" "$pid"
			wrk_of -c 8 "http://127.0.0.1:$other/v1/entries?limit=20" >>"sides"
			halt "$pid"
		done
	done
	awk 'NR % 2 { a[++n] = $1 } NR % 2 == 0 { b[n] = $1 } function mid(x) { return x[1] + x[2] + x[3] - max(x) - min(x) }
		function max(x) { return x[1] > x[2] ? (x[1] > x[3] ? x[1] : x[3]) : (x[2] > x[3] ? x[2] : x[3]) }
		function min(x) { return x[1] < x[2] ? (x[1] < x[3] ? x[1] : x[3]) : (x[2] < x[3] ? x[2] : x[3]) }
		END { printf "%.3f", mid(b) / mid(a) }' sides
}
sides="plimsoll run http '/v1/entries?limit=20' --start './miniflux -c miniflux.conf' -H '$header' --clients 8$short"
# slower: the row of a build that is slower.
slower() {
	set -- $told
	row "wrk, 3 turns of each: $peer of the plain build" "$(if [ "${4:-}" = DIFFERENT ]; then near "$2" "$3" "$peer" .1; else echo wrong; fi)" 'DIFFERENT, its interval within 10% of wrk'
}
if ask 'is build B (extra JSON encode) slower' 'change throughput' "$sides --vary dir=build-a,build-b"; then
	peer=$(wrk_sides build-b)
	slower
fi
if ask 'is build B (a lock) slower' 'change throughput' "$sides --vary dir=build-a,build-c"; then
	peer=$(wrk_sides build-c)
	slower
fi
if ask 'why is it (a lock) slower' "said '[^.;]*(lock|mutex|futex)[^.;]*'" "$sides --vary dir=build-a,build-c --profile"; then
	ours=$told
	row 'the build has a mutex about each request' "$(said '[Mm]utex|lock' | grep -q . && echo right || echo wrong)" 'it names waiting for a lock'
fi
if ask 'keep-alive off' 'metric throughput' "plimsoll run http '$url' -H '$header' --keepalive=false --clients 32$short"; then
	set -- $told
	peer=$(wrk_of -c 32 -H 'Connection: close' "$url")
	row "wrk $peer/s" "$(near "${2:-0}" "${3:-0}" "$peer" .3)" 'intervals within 30%'
fi
conclude
