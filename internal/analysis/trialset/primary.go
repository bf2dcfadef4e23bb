package trialset

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// IsLatency reports whether a metric is a latency, of any statistic.
func IsLatency(m record.Metric) bool {
	return m.Better == record.Lower && (m.Name == record.Latency || strings.HasPrefix(m.Name, record.Latency+"_"))
}

// PrimaryFirst moves the metric that a trial's plan registered for verdicts before the others, if it was measured: the
// first one decides.
func PrimaryFirst(trials []record.Trial, plans map[string]record.Plan) []record.Trial {
	primaries := map[string]map[string]string{}
	for hash, p := range plans {
		if len(p.Primary) > 0 {
			primaries[hash] = p.Primary
		}
	}
	if len(primaries) == 0 {
		return trials
	}
	out, changed := trials, false
	for i := range trials {
		t := &trials[i]
		name := primaries[t.Plan][t.Keys[record.KeyWorkload]]
		at := slices.IndexFunc(t.Values, func(v record.Value) bool { return v.Name == name })
		if at <= 0 {
			continue
		}
		if !changed {
			out, changed = slices.Clone(trials), true
		}
		out[i].Values = slices.Insert(slices.Delete(slices.Clone(t.Values), at, at+1), 0, t.Values[at])
	}
	return out
}

// UndecidedBy returns a note if the sides have no single metric to decide, since their trials were to be judged by
// several. It returns a zero note if there is one.
func UndecidedBy(sides ...[]record.Trial) note.Note {
	var names []string
	for _, trials := range sides {
		for i := range trials {
			if values := trials[i].Values; len(values) > 0 {
				names = AppendNew(names, values[0].Name)
			}
		}
	}
	if len(names) < 2 {
		return note.Note{}
	}
	return note.New("several-deciders", strings.Join(names, " and "))
}

// FirstFew returns the first few names as a list.
func FirstFew(names []string) string {
	const few = 3
	if len(names) == 0 {
		return "nothing"
	}
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], "; "), len(names)-few)
	}
	return strings.Join(names, "; ")
}

// AppendNew inserts a value into an ascending list unless it is there.
func AppendNew[T cmp.Ordered](values []T, v T) []T {
	at, ok := slices.BinarySearch(values, v)
	if ok {
		return values
	}
	return slices.Insert(values, at, v)
}

// Ingest is the value that states the bytes of records that were acknowledged, B/s.
const Ingest = "ingest"

// Egress is the value that states the bytes of records that were read, B/s.
const Egress = "egress"

// IsRate reports whether a metric is a rate of which more is better, which can be put in relation to vCPUs, dollars and
// watts.
func IsRate(m record.Metric) bool { return m.Better == record.Higher && CountedIn(m.Unit) != "" }

// CountedIn returns the unit that a rate counts by the second, such as "B" of B/s and "transaction" of tps; "" if the
// unit is none of a rate.
func CountedIn(unit string) string {
	for _, second := range []string{"/s", "/sec", "/second"} {
		if of, ok := strings.CutSuffix(unit, second); ok {
			return of
		}
	}
	return map[string]string{"tps": "transaction", "qps": "query", "rps": "request", "ops": "op",
		"iops": "op"}[strings.ToLower(unit)]
}
