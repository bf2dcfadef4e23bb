# The ratios of one side to the other, with their 95 % intervals. Input: plimsoll compare --json. Arguments: a, b: what the sides are called.
include "digits";
def interval: if .lo == null then "no interval" else "\(.lo | decimals(3)) to \(.hi | decimals(3))" end;
def held:
	if $a != "psql" or .metric != "throughput" then ""
	else "  at least 1: " + (if .lo == null then "undecided, an interval needs 3 rounds" elif .lo >= 1 then "met" elif .hi < 1 then "not met" else "undecided" end) end;

.pairs[].verdicts[] | select(.per == "machine" and .ratio != null)
| select(.metric | test("^(throughput|cpu_per_op|new_orders_per_min|.*_p50|.*_p99|wal_bytes_per_op)$"))
| "\($b) / \($a)  \(.metric)  \(interval), estimate \(.ratio | decimals(3))  n \(.n)\(held)"
