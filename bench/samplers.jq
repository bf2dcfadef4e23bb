# The CPU time of those who watch, in % of one CPU, and the ratio to sysstat's, replicate by replicate, with its 95 % interval.
# Input: the lines of a session. Argument: row.
include "digits";
def mean: add / length;
def percent: "\(mean | decimals(3)) % of one CPU, most \(max | decimals(3))";
def interval: length as $n | mean as $m
	| if $n < 3 then "no interval" else (map(. - $m | . * .) | add / ($n - 1) / $n | sqrt * t($n - 1)) as $half
		| "\($m - $half | exp | decimals(3)) to \($m + $half | exp | decimals(3))" end + ", estimate \($m | exp | decimals(3))";
[.[] | select(.kind == "trial" and .void == null and .cpu != null) | {tool: .keys["factor.tool"], replicate: "\(.replicate)", share: (.cpu.work_s / .duration_s * 100)}]
| (map(select(.tool == "sysstat, 1 s") | {(.replicate): .share}) | add // {}) as $peer
| map(select($peer[.replicate])) | group_by(.tool)[] | "\($row)  \(.[0].tool)  \(map(.share) | percent)  "
	+ (if .[0].tool == "sysstat, 1 s" then "" else "ratio \(map(.share / $peer[.replicate] | log) | interval)  " end) + "n \(length)"
