# What the second level of a factor takes longer than the first, pair by pair, as a line with its 95 % interval.
# Input: plimsoll show --json of a plan with one cell for each level. Argument: row.
include "digits";
include "plimsoll";
def by_replicate: [.trials[] | select(.failed == null) | {key: "\(.replicate)", value}] | from_entries;

[metrics | select(.metric == "time") | by_replicate] as [$first, $second]
| [$first | to_entries[] | select($second[.key]) | $second[.key] - .value]
| length as $n | (add / $n) as $mean
| {$n, value: $mean, unit: "s"}
  + if $n < 3 then {lo: null} else
	((map(. - $mean | . * .) | add) / ($n - 1) / $n | sqrt * t($n - 1)) as $half
	| {lo: ($mean - $half), hi: ($mean + $half)} end
| "\($row)  the second less the first  time \(within)  n \(.n)  no bound"
