package loadline

import (
	"cmp"

	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Confirmation is a fresh run at the line that a search found. The search's own probes are selected by their latencies,
// so that they say too much of it; this run is not, and enters neither the line that it confirms nor its interval. It
// contradicts the line if the target did not sustain it, or if latency is over the limit by more than the search's
// probes scatter; then it is one more probe, and the search goes on while it has time.
type Confirmation struct {
	Replicate int      `json:"replicate"`
	Load      float64  `json:"load"`     // offered, operations per second
	Latency   *float64 `json:"latency"`  // seconds, of the line's statistic; nil if not handled, or failed
	Limit     float64  `json:"limit"`    // seconds: that of this search
	OfLimit   *float64 `json:"of_limit"` // Latency / Limit
	// OfLimit up to which the scatter of the search's probes explains it, one-sided 95%
	Most      float64 `json:"most"`
	Handled   bool    `json:"handled"`          // the target sustained the load
	Confirmed bool    `json:"confirmed"`        // Handled, and OfLimit at most Most
	Requests  int64   `json:"requests"`         // 0 if unknown
	Failed    string  `json:"failed,omitempty"` // why the run says nothing, such as a late generator
}

// confirmationOf returns what a fresh run says of a line of a statistic.
func confirmationOf(t record.Trial, statistic string, line stat.FoundLine) Confirmation {
	out := Confirmation{Replicate: t.Replicate, Load: t.Load.Level, Limit: line.Limit, Most: mostAt(line),
		Handled: !t.Over}
	if t.Generator != nil {
		out.Requests = t.Generator.Done
	}
	v, ok := t.Value(record.Latency + "_" + statistic)
	probe := stat.LineProbe{Latency: v.Value, Late: t.Generator.LateAt(statistic)}
	switch {
	case t.Over:
	case t.Void != "" || !ok:
		out.Handled, out.Failed = false, cmp.Or(t.Void, "it has no "+statistic)
	case probe.Side(out.Most*line.Limit) == stat.InDoubt:
		out.Failed = note.New("late-over-limit", 1e3*probe.Latency, 1e3*probe.Late).Text()
	default:
		of := v.Value / line.Limit
		out.Latency, out.OfLimit, out.Confirmed = &v.Value, &of, of <= out.Most
	}
	return out
}

// doubtConfirmations adds a doubt if most of the runs that say something contradict the lines found.
func (l *Line) doubtConfirmations() {
	told, against := 0, 0
	for _, c := range l.Confirmations {
		if c.Failed == "" {
			told++
			if !c.Confirmed {
				against++
			}
		}
	}
	if 2*against > told {
		l.doubt("line-not-confirmed", against, told)
	}
}
