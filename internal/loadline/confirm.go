package loadline

import (
	"cmp"

	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// Confirmation is a fresh run at the line that a search found. The search's own probes are selected by their latencies,
// so that they say too much of it; this run is not, and enters neither the line nor its interval. It contradicts the
// line if the target did not sustain it, or if latency is over the limit by more than the search's probes scatter.
type Confirmation struct {
	Replicate int      `json:"replicate"`
	Load      float64  `json:"load"`     // offered, operations per second
	Latency   *float64 `json:"latency"`  // seconds, of the line's statistic; nil if not handled, or failed
	Limit     float64  `json:"limit"`    // seconds: that of this search
	OfLimit   *float64 `json:"of_limit"` // Latency / Limit
	// OfLimit up to which the scatter of the search's probes explains it, one-sided 95 %
	Most      float64 `json:"most"`
	Handled   bool    `json:"handled"`          // the target sustained the load
	Confirmed bool    `json:"confirmed"`        // Handled, and OfLimit at most Most
	Requests  int64   `json:"requests"`         // 0 if unknown
	Failed    string  `json:"failed,omitempty"` // why the run says nothing, such as a late generator
}

// sought leaves out the runs that confirm lines: no search takes anything from them.
func sought(probes []record.Trial) []record.Trial {
	return trialset.Filter(probes, func(t *record.Trial) bool { return t.Confirms == "" })
}

// confirmationOf returns the last run that confirms a search's line of a statistic; nil if there is none.
func confirmationOf(probes []record.Trial, statistic string, line roundLine) *Confirmation {
	var out *Confirmation
	for _, t := range probes {
		if t.Confirms != statistic {
			continue
		}
		out = &Confirmation{Replicate: t.Replicate, Load: t.Load.Level, Limit: line.limit, Most: line.most, Handled: !t.Over}
		if t.Generator != nil {
			out.Requests = t.Generator.Done
		}
		v, ok := t.Value(record.Latency + "_" + statistic)
		switch {
		case t.Over:
		case t.Void != "" || !ok:
			out.Handled, out.Failed = false, cmp.Or(t.Void, "it has no "+statistic)
		default:
			of := v.Value / line.limit
			out.Latency, out.OfLimit, out.Confirmed = &v.Value, &of, of <= line.most
		}
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
