# How late each client was at each rate: the estimate over all rounds, with its 95 % interval, and the quietest round. Input: plimsoll show --json.
include "digits";
include "plimsoll";
def us: . * 1e6 | decimals(1);
def least: [.trials[] | .value | values] | min | us;
def figure: if . == null then "n/a" elif .lo == null then "\(.value | us)" else "\(.value | us) (\(.lo | us) to \(.hi | us)), least \(least)" end;
[metrics | select(.metric | startswith("late_"))]
| group_by([(.load | capture("^(?<rate>[0-9]+)").rate | tonumber), .machine])[]
| . as $rows | ($rows | map({(.metric): .}) | add) as $of
| "\($rows[0].load)  \($rows[0].machine)  p50 \($of.late_p50 | figure)  p99 \($of.late_p99 | figure)  max \($of.late_max | figure)  n \($rows[0].n)"
