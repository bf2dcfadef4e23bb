# A PostgreSQL server at 127.0.0.1 PORT with the database shop of the role app, until it is killed.
set -e
port=$1
bin=$(dirname "$(ls /usr/lib/postgresql/*/bin/postgres | tail -1)")
as=
[ "$(id -u)" != 0 ] || as='runuser -u postgres --'
dir=$($as mktemp -d /tmp/plimsoll-shop-XXXXXX)
stop() {
	$as $bin/pg_ctl -D $dir/data -m fast -w stop >/dev/null
	rm -rf "$dir"
}
trap stop EXIT
trap 'exit 0' INT TERM
cd /
$as $bin/initdb -D $dir/data -A trust -U postgres --no-sync >/dev/null
$as $bin/pg_ctl -D $dir/data -l $dir/log -w start -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$dir" >/dev/null
cd "$OLDPWD"
psql -q -h 127.0.0.1 -p $port -U postgres -f shop.sql
echo yes >ready
while :; do sleep 1; done
