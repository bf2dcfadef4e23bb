# The CPU time of those who watch, in % of one CPU, and the ratio to sysstat's, replicate by replicate, with its 95 % interval.
# Input: the lines of a session. Argument: row.
include "digits";
def mean: add / length;
def percent: "\(decimals(3)) % of one CPU";
def ratios($peer): [.[] | select($peer[.replicate]) | .share / $peer[.replicate] | log];
def interval: length as $n | mean as $m
	| if $n < 3 then "no interval" else (map(. - $m | . * .) | add / ($n - 1) / $n | sqrt * t($n - 1)) as $half
		| "\($m - $half | exp | decimals(3)) to \($m + $half | exp | decimals(3))" end + ", estimate \($m | exp | decimals(3))  n \($n)";
[.[] | select(.kind == "trial" and .void == null) | {tool: .keys["factor.tool"], replicate: "\(.replicate)", share: (.cpu.work_s / .duration_s * 100)}]
| (map(select(.tool | startswith("sysstat")) | {(.replicate): .share}) | add) as $peer
| group_by(.tool)[] | "\($row)  \(.[0].tool)  \(map(.share) | mean | percent), most \(map(.share) | max | decimals(3))  "
	+ if .[0].tool | startswith("sysstat") then "n \(length)" else "ratio \(ratios($peer) | interval)  no bound" end
