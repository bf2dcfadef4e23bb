# guide.sh EXAMPLE FLAG... carries out the commands of its guide with these flags at its run, and writes compare.json.
# Where a machine stands still in both tries of a run, a cell is empty (exit code 3), and there may be no load line to show.
set -e
example=$1 flags=
shift
for f; do flags="$flags $f"; done
page=$REPO/examples/$example/README.md common=$REPO/docs/two-machines.md
block() { awk -v n="$2" '/^```sh hosts$/ {on = ++i == n; next} /^```$/ {on = 0} on' "$1"; }
{
	echo set -ex
	echo run=0
	block $page 1; block $common 1; block $page 2; block $common 2
} | sed "/^make release\$/d; /^plimsoll run .* -o /s/ -o .*/$flags& || run=\$?; [ \$run = 0 ] || [ \$run = 3 ]/; /^plimsoll show /s/\$/ 2>why || [ \$? = 3 ] || grep 'no result here has one' why/" >$example.sh
[ $(wc -l <$example.sh) -gt 15 ]
mkdir $example
cd $example
ln -s ../dist .
sh ../$example.sh
plimsoll compare *.plimsoll.jsonl --baseline $(head -n 1 pair.hosts | cut -d' ' -f1) --json >compare.json
grep -q '<html' *.html
jq -e -s '[.[]|select(.kind=="machine")|.name] | .[:2] == $ARGS.positional' *.plimsoll.jsonl --args $(cut -d' ' -f1 pair.hosts)
jq -e -s '[.[]|select(.kind=="machine")|.id] | unique | length >= 2' *.plimsoll.jsonl
