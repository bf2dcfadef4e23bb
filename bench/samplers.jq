# The CPU time that watching a run takes, in % of one CPU: Plimsoll's ledger, disks every 100 ms and clocks every 250 ms, then sysstat's
# programs every second. Input: the lines of both sessions. Argument: row.
def mean: add / length;
def trials($workload): [.[] | select(.kind == "trial" and .void == null and .keys.workload == $workload)];
def percent: . * 1000 | round / 1000 | "\(.) %";
(trials("http") | map(([.ledger.cost_s, .disk.cost_s, .clock.cost_s] | map(. // 0) | add) / .duration_s * 100)) as $own
| (trials("exec") | map(.cpu.work_s / .duration_s * 100)) as $peer
| "\($row)  plimsoll \($own | mean | percent) of one CPU, most \($own | max | percent), n \($own | length); pidstat, mpstat and iostat every second \($peer | mean | percent), n \($peer | length)"
