# How many times a fixed protocol's time Plimsoll measured, and took in all, until it had decided, with the 95 % interval.
# Input: plimsoll compare --json. Argument: peer.
include "digits";
def interval: if .lo == null then "no interval" else "\(.lo | decimals(3)) to \(.hi | decimals(3))" end;

.pairs[] | select(.b == "plimsoll" or .a == "plimsoll") | .verdicts[] | select(.per == "machine" and .ratio != null)
| "plimsoll / \($peer)  \(.workload)  \(.metric)  \(interval), estimate \(.ratio | decimals(2))  n \(.n)  no bound"
