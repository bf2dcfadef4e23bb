package compare

import (
	"regexp"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// unlike words the cells of two sides without a common cell. Cells of a workload that both have are worded by the
// parameters that differ, others without parameters.
func unlike(a, b []trialset.Key) (onlyA, onlyB []string) {
	return brief(a, b, a), brief(a, b, b)
}

// brief returns the cells of one of two sides.
func brief(a, b, side []trialset.Key) []string {
	var out []string
	for _, k := range side {
		both := has(a, k.Workload) && has(b, k.Workload)
		params := paramsOf(k)
		k.Params = ""
		for _, p := range params {
			name, value, _ := strings.Cut(p, "=")
			load := k.Load != "" && slices.Contains([]string{record.ParamClients, record.ParamRate, record.ParamCPUs}, name)
			if both && !load && !everywhere(slices.Concat(a, b), k.Workload, p) && value != "" {
				k.Params = strings.TrimSpace(k.Params + " " + p)
			}
		}
		if text := k.String(); !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

func has(keys []trialset.Key, workload string) bool {
	return slices.ContainsFunc(keys, func(k trialset.Key) bool { return k.Workload == workload })
}

// everywhere reports whether all cells of a workload have a parameter with that value.
func everywhere(keys []trialset.Key, workload, param string) bool {
	return !slices.ContainsFunc(keys, func(k trialset.Key) bool {
		return k.Workload == workload && !slices.Contains(paramsOf(k), param)
	})
}

// paramsOf returns each NAME=VALUE of a cell. A value may have spaces.
func paramsOf(k trialset.Key) []string {
	var out []string
	for _, word := range strings.Split(k.Params, " ") {
		if n := len(out); n > 0 && !regexp.MustCompile(`^[a-z][\w.-]*=`).MatchString(word) {
			out[n-1] += " " + word
			continue
		}
		out = append(out, word)
	}
	return out
}
