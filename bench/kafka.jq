# The ratio of Plimsoll's producer to a peer's for each metric, with its 95 % interval, and whether what is asked holds.
# Input: plimsoll compare --json. Arguments: peer, size (bytes of a record).
include "digits";
# What is asked: [the bound, 1 where the ratio is to be at least that, −1 where at most]; null: nothing.
def asked:
	if $peer == "rdkafka_performance_copying" then null
	elif .metric == "throughput" and $size == "1000" then [1, 1]
	elif .metric == "cpu_per_record" and $peer == "rdkafka_performance" then [1, -1]
	else null end;
def held:
	asked as $a
	| if $a == null then "no bound"
	  else (if $a[1] > 0 then "at least" else "at most" end) + " \($a[0]): "
		+ (if .lo == null then "undecided, an interval needs 3 rounds"
		   elif (if $a[1] > 0 then .lo >= $a[0] else .hi <= $a[0] end) then "met"
		   elif (if $a[1] > 0 then .hi < $a[0] else .lo > $a[0] end) then "not met"
		   else "undecided" end)
	  end;
def interval: if .lo == null then "no interval" else "\(.lo | decimals(3)) to \(.hi | decimals(3))" end;

.pairs[] | select(.b == "plimsoll" or .a == "plimsoll") | .verdicts[] | select(.per == "machine" and .ratio != null)
| "plimsoll / \($peer)  \(.metric)  \(interval), estimate \(.ratio | decimals(3))  n \(.n)  \(held)"
