# One line for each metric asked for, with its 95 % interval. Input: plimsoll show --json. Arguments: row, metrics (a list).
include "digits";
include "plimsoll";
metrics | select(.metric as $m | $metrics | index($m))
| "\($row)  \(.params.command)  \(.metric) \(within)  n \(.n)  no bound"
