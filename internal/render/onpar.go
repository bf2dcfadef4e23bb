package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/judge"
)

// onParText says up to how many CPUs the weaker side keeps up.
func onParText(o judge.OnPar, a, b string) string {
	weak, strong := a, b
	if o.Side == "b" {
		weak, strong = b, a
	}
	place := strings.Join(figure.NonEmpty(o.Workload, paramsText(finding.Major(o.Params, o.Minor)), o.Metric), ", ")
	if o.Runs > 0 {
		place += ", by estimate " + ofRuns(o.Runs) + ", no verdict"
	}
	if o.Until == 0 {
		return fmt.Sprintf("%s falls behind %s at every number of CPUs up to %d: %s", weak, strong, o.Of, place)
	}
	return fmt.Sprintf("%s stays on par with %s until %d of %d CPUs: %s", weak, strong, o.Until, o.Of, place)
}

// paramsText names parameters in a line.
func paramsText(params map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		out = append(out, name+"="+params[name])
	}
	return strings.Join(out, ", ")
}
