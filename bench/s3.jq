# The ratio of the workload s3 to minio-go's loop for each metric, with its 95 % interval, and whether what is asked holds.
# Input: plimsoll compare --json.
include "digits";
# What is asked: [the bound, 1 where the ratio is to be at least that, −1 where at most].
def asked: {throughput: [1, 1], cpu_per_operation: [0.8, -1]}[.metric];
def held:
	asked as $a
	| (if $a[1] > 0 then "at least" else "at most" end) + " \($a[0]): "
		+ (if .lo == null then "undecided, without an interval"
		   elif (if $a[1] > 0 then .lo >= $a[0] else .hi <= $a[0] end) then "met"
		   elif (if $a[1] > 0 then .hi < $a[0] else .lo > $a[0] end) then "not met"
		   else "undecided" end);
def interval: if .lo == null then "no interval" else "\(.lo | decimals(3)) to \(.hi | decimals(3))" end;

.pairs[] | select(.b == "plimsoll" or .a == "plimsoll") | .verdicts[] | select(.per == "machine" and .ratio != null)
| "plimsoll / minio-go  \(.metric)  \(interval), estimate \(.ratio | decimals(3))  n \(.n)  \(held)"
