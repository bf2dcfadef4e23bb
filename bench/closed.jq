# The figures of each client of a closed load. Input: plimsoll show --json.
include "digits";
include "plimsoll";
def figure: if .unit == "s" then "\(.value * 1e6 | decimals(2)) us" else "\(.value | round) \(.unit)" end;
metrics | select(.value != null) | "\(.machine)  \(.metric)  \(figure)  n \(.n)"
