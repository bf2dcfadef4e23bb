#!/bin/sh
# scripts/roles/database.sh [--only 'N N ...'] [--results DIR] [quick]
#
# Role 2, a database engineer: a shop's schema in PostgreSQL (20,000 customers, 200,000 orders, 600,000 items), once without an index and once
# with it, a standby, MariaDB and Redis; his eleven questions, beside pgbench, sysbench and redis-benchmark.
set -eu
role='2 database' only=
. "$(dirname "$0")/rolelib.sh"
pgbench=$(postgres_bin pgbench)
port=$(free_port 1) standby=$(free_port 2) redis=$(free_port 3)
cluster "$work/pg" "$port"
sql() { psql -qAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$port" -U postgres "$@"; }
sql -c 'create database shop' postgres
sql shop >"$work/fill.log" <<'END'
create table customers(id int primary key, name text, region int, bought int default 0);
create table orders(id int primary key, customer int, total numeric, ordered timestamptz default now());
create table items(id bigserial, ordered_in int, sku text, price numeric);
insert into customers select i, 'customer ' || i, i % 50 from generate_series(1, 20000) i;
insert into orders select i, 1 + i % 20000, i % 1000 from generate_series(1, 200000) i;
insert into items(ordered_in, sku, price) select 1 + i % 200000, 'sku ' || i % 5000, i % 300 from generate_series(1, 600000) i;
create procedure buy(who int, what int) language sql as $$
	update customers set bought = bought + 1 where id = who;
	update orders set total = total + 1 where id = what;
$$;
END
sql -c 'create database shop_index template shop' postgres
sql -c 'create index on items(ordered_in)' shop_index
for d in shop shop_index; do sql -c 'vacuum analyze' $d; done
dsn=postgres://postgres@127.0.0.1:$port/shop
indexed=${dsn}_index
variables='\set who random(1, 20000)
\set what random(1, 200000)'
cat >"$folder/my.sql" <<END
$variables
SELECT name FROM customers WHERE id = :who;
SELECT total FROM orders WHERE id = :what;
UPDATE orders SET total = total + 1 WHERE id = :what;
UPDATE customers SET bought = bought + 1 WHERE id = :who;
INSERT INTO items(ordered_in, sku, price) VALUES (:what, 'sku', 1);
SELECT count(*) FROM items WHERE ordered_in = :what;
END
printf '%s\n' "$variables" 'UPDATE orders SET total = total + 1 WHERE id = :what;' >"$folder/write.sql"
printf '%s\n' "$variables" 'SELECT total FROM orders WHERE id = :what;' >"$folder/read.sql"
printf '%s\n' "$variables" 'CALL buy(:who, :what);' >"$folder/call.sql"
echo 'SELECT c.name, sum(o.total) AS spent FROM customers c JOIN orders o ON o.customer = c.id GROUP BY c.name, o.ordered ORDER BY spent DESC, c.name LIMIT 100;' >"$folder/join.sql"

# tps SCRIPT DATABASE CLIENTS [OPTIONS]: what pgbench does.
tps() {
	PGOPTIONS=${4:-} "$pgbench" -h 127.0.0.1 -p "$port" -U postgres -n -M prepared -f "$folder/$1" -c "$3" -j 2 -T "$seconds" "$2" 2>"$work/pgbench.log" |
		awk '/^tps/ { print $3 }'
}
# side SHARE: the row of two sides: the peer's figures are a and b.
side() {
	set -- "$1" $told
	row "pgbench $b / $a = $(over "$a" "$b")" "$(if [ "${5:-}" = DIFFERENT ]; then near "$3" "$4" "$(over "$a" "$b")" "$1"; else echo wrong; fi)" "DIFFERENT, its interval within $1 of pgbench"
}

if ask 'index: A against B' 'change throughput' "plimsoll run pgbench my.sql --clients 8 --vary dsn=$dsn,$indexed$short"; then
	a=$(tps my.sql shop 8) b=$(tps my.sql shop_index 8)
	side .5
fi
if ask 'synchronous_commit' 'change throughput' "plimsoll run pgbench write.sql --dsn $indexed --clients 8 --vary synchronous_commit=on,off$short" \
	"plimsoll run pgbench write.sql --dsn $indexed --clients 8 --vary settings=synchronous_commit=on,synchronous_commit=off$short"; then
	a=$(tps write.sql shop_index 8) b=$(tps write.sql shop_index 8 '-c synchronous_commit=off')
	side .4
fi
if ask 'work_mem, join and sort' 'change throughput' "plimsoll run pgbench join.sql --dsn $indexed --clients 2 --vary work_mem=64kB,64MB$short" \
	"plimsoll run pgbench join.sql --dsn $indexed --clients 2 --vary settings=work_mem=64kB,work_mem=64MB$short"; then
	a=$(tps join.sql shop_index 2 '-c work_mem=64kB') b=$(tps join.sql shop_index 2 '-c work_mem=64MB')
	side .25
fi
if ask 'stored procedure' 'metric throughput' "plimsoll run pgbench call.sql --dsn $indexed --clients 8$short"; then
	set -- $told
	a=$(tps call.sql shop_index 8)
	row "pgbench $a tps" "$(near "${2:-0}" "${3:-0}" "$a" .25)" 'intervals within 25%'
fi
if ask 'best number of clients' "said 'use [0-9]+ clients'" "plimsoll run pgbench call.sql --dsn $indexed --clients 1,2,4,8,16,32$short"; then
	best=0 mine=0 of=$(echo "${told:-0}" | tr -dc 0-9)
	for n in 1 2 4 8 16 32; do
		a=$(tps call.sql shop_index $n)
		best=$(echo "$best $a" | awk '{ print ($1 > $2) ? $1 : $2 }')
		[ "$n" != "$of" ] || mine=$a
	done
	row "pgbench: $mine tps at ${of:-none}, at most $best" "$(holds "$mine >= .85 * $best")" '85% of the most'
fi
if ask 'p99 at 300/s' 'metric latency_p99' "plimsoll run pgbench call.sql --dsn $indexed --rate 300$short"; then
	set -- $told
	rm -f "$work"/log.*
	(cd "$work" && "$pgbench" -h 127.0.0.1 -p "$port" -U postgres -n -M prepared -f "$folder/call.sql" -c 16 -j 2 -T "$seconds" -R 300 -l --log-prefix=log shop_index) >"$work/pgbench.log" 2>&1
	a=$(cat "$work"/log.* | awk '{ print $3 }' | sort -n | awk '{ v[NR] = $1 } END { print v[int(NR * .99)] / 1e6 }')
	verdict=$(near "${2:-0}" "${3:-0}" "$a" .6)
	case $ours in *p99*) ;; *) verdict=wrong ;; esac
	row "pgbench -R $a s" "$verdict" 'within 60%, and it is called a p99'
fi
if ask 'what limits it (a missing index)' "said '(sequential scan|statement)[^.;]*items[^.;]*|items[^.;]*sequential[^.;]*'" "plimsoll run pgbench my.sql --dsn $dsn --clients 8$short"; then
	ours=$(said 'bottleneck .{0,260}')
	a=$(sql -c 'explain select count(*) from items where ordered_in = 1' shop | grep -o 'Seq Scan on [a-z]*')
	row "EXPLAIN: $a" "$(said 'sequential scan|read in full|whole table' | grep -q . && [ -n "$a" ] && echo right || echo wrong)" 'it names the sequential scan of items'
fi

if installed mariadbd mariadb-server-core && installed sysbench; then
	mkdir -p "$work/mariadb/data/shop" # a directory is a database; without tables of privileges nobody is asked for any
	background mariadbd --no-defaults --datadir="$work/mariadb/data" --socket="$work/mariadb/s" --skip-networking --skip-grant-tables --user="$(id -un)" --innodb-buffer-pool-size=128M
	maria=$pid
	i=0
	until [ -S "$work/mariadb/s" ] || [ $i -gt 150 ]; do i=$((i + 1)); sleep 0.2; done
	oltp="oltp_read_only --db-driver=mysql --mysql-socket=$work/mariadb/s --mysql-user=root --mysql-db=shop --tables=1 --table-size=20000 --threads=4 --time=$seconds"
	# shellcheck disable=SC2086
	sysbench $oltp prepare >>"$work/mariadb.log" 2>&1
	if ask 'MySQL' 'metric throughput' "plimsoll run mysql" "plimsoll run exec 'sysbench $oltp run' --parse sysbench --replicates 3"; then
		set -- $told
		# shellcheck disable=SC2086
		a=$(sysbench $oltp run | awk '/transactions:/ { print substr($3, 2) }')
		row "sysbench $a tps" "$(near "${2:-0}" "${3:-0}" "$a" .25)" 'intervals within 25%'
	fi
	halt "$maria"
else
	not_applicable MySQL 'neither MariaDB nor sysbench can be had'
fi
if installed redis-server && installed redis-benchmark redis-tools; then
	background redis-server --bind 127.0.0.1 --port "$redis" --save '' --appendonly no --dir "$work"
	there 127.0.0.1:"$redis" "$pid"
	cache=$pid
	if ask Redis 'metric throughput' 'plimsoll run redis' "plimsoll run exec 'redis-benchmark -p $redis -t set -n 200000' --parse redis-benchmark --replicates 5"; then
		set -- $told
		a=$(redis-benchmark -p "$redis" -t set -n 200000 --csv | awk -F '"' 'NR == 2 { print $4 }')
		row "redis-benchmark $a/s" "$(near "${2:-0}" "${3:-0}" "$a" .3)" 'intervals within 30%'
	fi
	halt "$cache"
else
	not_applicable Redis 'redis-server is not installed'
fi

as_postgres mkdir "$work/pg/standby"
as_postgres "$(postgres_bin pg_basebackup)" -h 127.0.0.1 -p "$port" -U postgres -D "$work/pg/standby/data" -R -c fast >"$work/standby.log" 2>&1
as_postgres sh -c "sed -i 's/^port=.*/port=$standby/; s,^unix_socket_directories=.*,unix_socket_directories='\"'\"'$work/pg/standby'\"'\"',' '$work/pg/standby/data/postgresql.conf' && chmod 700 '$work/pg/standby/data'"
start_cluster "$work/pg/standby" "$standby"
on_standby() { psql -qAt -h 127.0.0.1 -p "$standby" -U postgres -c "select pg_stat_clear_snapshot()" -c "select xact_commit from pg_stat_database where datname = 'shop_index'" postgres | tail -n 1; }
parts() { echo "$(metric replica_throughput) $(metric primary_throughput)" | awk 'NF == 6 { print $1, $4 }'; }
before=$(on_standby)
if ask 'read replica' parts "plimsoll run pgbench read.sql@9 write.sql@1 --dsn $indexed --replica-dsn postgres://postgres@127.0.0.1:$standby/shop_index --clients 8$short"; then
	set -- $told
	sleep 1
	a=$(($(on_standby) - before))
	row "the standby has committed $a transactions" "$(holds "$a > 100 && ${1:-0} > 7.5 * ${2:-1} && ${1:-0} < 10.5 * ${2:-1}")" 'nine reads there for a write here, by 17%'
fi
if ask 'pool size' 'metric throughput 2' "plimsoll run pgbench call.sql --dsn $indexed --clients 32 --pool 4,8,16$short"; then
	set -- $told
	a=$(tps call.sql shop_index 8)
	row "pgbench with 8 clients $a tps" "$(near "${2:-0}" "${3:-0}" "$a" .35)" 'a pool of 8 within 35%'
fi
conclude
