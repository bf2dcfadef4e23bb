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
	w := wording{cells: map[string]int{}, with: map[setting]int{},
		begins: regexp.MustCompile(`^[a-z][\w.-]*=`)}
	inA, inB := w.count(a), w.count(b)
	w.both = func(workload string) bool { return inA[workload] && inB[workload] }
	return w.brief(a), w.brief(b)
}

// wording words cells by the parameters that differ among the cells of their workloads.
type wording struct {
	cells  map[string]int  // by workload, of both sides
	with   map[setting]int // the cells that have it
	both   func(workload string) bool
	begins *regexp.Regexp // the first word of NAME=VALUE
}

// setting is a NAME=VALUE of a workload.
type setting struct{ workload, param string }

// count counts cells and their parameters, and returns the workloads.
func (w wording) count(side []trialset.Key) map[string]bool {
	out := map[string]bool{}
	for _, k := range side {
		out[k.Workload] = true
		w.cells[k.Workload]++
		params := w.paramsOf(k)
		for i, p := range params {
			if slices.Index(params, p) == i {
				w.with[setting{k.Workload, p}]++
			}
		}
	}
	return out
}

// brief returns the cells of one of two sides.
func (w wording) brief(side []trialset.Key) []string {
	var out []string
	seen := map[string]bool{}
	for _, k := range side {
		params := w.paramsOf(k)
		k.Params = ""
		for _, p := range params {
			name, value, _ := strings.Cut(p, "=")
			load := k.Load != "" && slices.Contains([]string{record.ParamClients, record.ParamRate, record.ParamCPUs}, name)
			everywhere := w.with[setting{k.Workload, p}] == w.cells[k.Workload]
			if w.both(k.Workload) && !load && !everywhere && value != "" {
				k.Params = strings.TrimSpace(k.Params + " " + p)
			}
		}
		if text := k.String(); !seen[text] {
			seen[text] = true
			out = append(out, text)
		}
	}
	return out
}

// paramsOf returns each NAME=VALUE of a cell. A value may have spaces.
func (w wording) paramsOf(k trialset.Key) []string {
	var out []string
	for _, word := range strings.Split(k.Params, " ") {
		if n := len(out); n > 0 && !w.begins.MatchString(word) {
			out[n-1] += " " + word
			continue
		}
		out = append(out, word)
	}
	return out
}
