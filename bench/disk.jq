# The lines of each pair: bandwidth and CPU time for an operation, plimsoll over the peer, with 95 % intervals.
# Input: plimsoll compare --json. Arguments: row, peer.
include "digits";
def interval: if .lo == null then "no interval" else "\(.lo | decimals(3)) to \(.hi | decimals(3))" end;

.pairs[] | select(.b == "plimsoll" and .a == $peer) | .verdicts[] | select(.per == "machine" and (.metric == "throughput" or .metric == "cpu_per_op"))
| "\($row)  plimsoll / \($peer)  \({throughput: "bandwidth", cpu_per_op: "CPU an operation"}[.metric])  \(interval), estimate \(.ratio | decimals(3))  n \(.n)"
