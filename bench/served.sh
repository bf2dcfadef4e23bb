# shellcheck shell=sh
# bench/served.sh FILE: plimsoll serve of a directory with FILE alone, which nothing is known of, until it has listed it.
set -eu
rm -rf served served.cache
mkdir served
: >served.out
ln "$1" served/
XDG_CACHE_HOME=$PWD/served.cache plimsoll serve served --addr 127.0.0.1:0 --no-token >served.out 2>served.err &
trap 'kill $! 2>/dev/null || :' EXIT
until url=$(sed -n 's/^serving served at //p' served.out) && [ "$url" ]; do
	kill -0 $! || { cat served.err >&2; exit 1; }
	sleep 0.01
done
until curl -fsS "${url%/}/api/sessions" | jq -e ".pending == 0 and (.rows | length) > 0" >/dev/null; do
	kill -0 $!
	sleep 0.1 # each question takes CPU time that counts
done
kill -TERM $!
wait $! || [ $? = 143 ]
