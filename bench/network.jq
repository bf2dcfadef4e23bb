# The lines of a peer: each metric, plimsoll over the peer, with 95 % intervals.
# Input: plimsoll compare --json. Arguments: row, peer.
include "digits";
def interval: if .lo == null then "no interval" else "\(.lo | decimals(3)) to \(.hi | decimals(3))" end;

.pairs[] | select(.b == "plimsoll" and .a == $peer) | .verdicts[] | select(.per == "machine")
| "\($row)  plimsoll / \($peer)  \({throughput: "bandwidth", cpu_per_gb: "CPU per GB", latency_p50: "p50", latency_p99: "p99"}[.metric])  \(interval), estimate \(.ratio | decimals(3))  n \(.n)"
