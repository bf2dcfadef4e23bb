# A row of scripts/bench-fleet from a session of n hosts.
def seconds: (.[0:19] + "Z" | fromdate) + (.[19:-1] | if . == "" then 0 else tonumber end);
def median: sort | if length == 0 then null else .[length / 2 | floor] end;
def at($digits): if . == null then "-" else . * pow(10; $digits) | round / pow(10; $digits) end;
[.[] | select(.kind == "trial" and .void == null)] as $runs
| if ($runs | length) != $n * $rounds then error("\($runs | length) of \($n * $rounds) runs are valid") else . end
| [$runs | group_by(.replicate)[] | {first: [.[].start | seconds] | min, last: [.[].start | seconds] | max, end: [.[] | (.start | seconds) + .duration_s] | max}]
| sort_by(.first) as $r
| [$n, ($r[0].first - $began | at(1)), ($own / $tick | at(2)), ($own / $tick / $n / $rounds * 1000 | at(1)), ($ssh / $tick / $n / $rounds * 1000 | at(1)),
	($rss / 1024 | at(0)), $threads, ([range(1; $r | length) as $i | $r[$i].first - $r[$i - 1].end] | median | at(2)),
	($bare | at(2)), ([$r[] | .last - .first] | median | at(2))] | map(tostring) | join("\t")
