# The line of each size or case: the ratio of the second level (plimsoll) to the first (peer) with its interval, and whether the bound holds.
# Input: plimsoll compare --json. Arguments: row, bound (a ratio, or null).
include "digits";
# As many pairs as bring the half-width down to the distance between bound and estimate, or between bound and 1 where that is longer.
def needed: (((.hi | log) - (.lo | log)) / 2 / ([(.ratio | log) - ($bound | log), ($bound | log) | fabs] | max)) as $short
	| [(.n * $short * $short | ceil), .n + 1] | max;
def held:
	if $bound == null then "no bound"
	elif .lo == null then "at least \($bound): undecided, an interval needs 3 pairs"
	elif .lo >= $bound then "at least \($bound): met"
	elif .hi < $bound then "at least \($bound): not met"
	else "at least \($bound): undecided, about \(needed) pairs would decide" end;
def interval: if .lo == null then "no interval" else "\(.lo | decimals(3)) to \(.hi | decimals(3))" end;

.pairs[].verdicts[] | select(.primary)
| "\($row)  \(.params.size // .params.case // .params.shard // "time")  ratio \(interval), estimate \(.ratio | decimals(3))  n \(.n)  \(held)"
