package bottleneck

import (
	"fmt"
	"math"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/stat"
)

// FaultCost is what a fault in the window cost: medians over the runs that it happened in.
type FaultCost struct {
	What   string `json:"what"`   // killed broker, lost drive or added broker
	Detail string `json:"detail"` // the broker or drive, of the first run
	N      int    `json:"n"`      // runs
	// until throughput was as before; nil if what it was before is unknown
	Recovery *float64 `json:"recovery_s"`
	// runs whose window, or next fault, came before that: their recovery is a lower bound
	Never  int      `json:"never"`
	Lost   *float64 `json:"lost_s"`   // of the throughput before, that is missing; likewise
	Outage *float64 `json:"outage_s"` // longest time with hardly any throughput; likewise
	// until all replicas were in sync, or the partitions reassigned; 0 for a drive
	Whole float64  `json:"whole_s"`
	Moved *float64 `json:"moved_bytes,omitempty"` // replicas that the added broker then had
}

// faultsOf returns the costs of the faults of trials, whose tracks are given.
func faultsOf(trials []record.Trial, tracks []Track) []FaultCost {
	var out []FaultCost
	for _, kind := range []struct{ what, prefix, whole string }{
		{BesideBroker, record.FaultPrefix, record.FaultInSync},
		{BesideDrive, record.FaultPrefix, record.FaultRecovery},
		{BesideAdded, record.AddPrefix, record.AddReassigned},
	} {
		f := FaultCost{What: kind.what}
		values := map[string][]float64{}
		for i, t := range trials {
			for _, v := range t.Values {
				values[v.Name] = append(values[v.Name], v.Value)
			}
			f.add(t, tracks[i], kind.prefix)
		}
		median := func(name string) *float64 {
			if len(values[name]) == 0 {
				return nil
			}
			m := stat.Median(values[name])
			return &m
		}
		if f.N = len(values[kind.whole]); f.N == 0 || kind.what == BesideDrive && f.Detail == "" {
			continue
		}
		if kind.what != BesideDrive { // nothing replaces the drive
			f.Whole = *median(kind.whole)
		}
		f.Recovery, f.Lost, f.Outage = median(kind.prefix+recovery), median(kind.prefix+lost), median(kind.prefix+outage)
		if kind.what == BesideAdded {
			f.Moved = median(record.AddMoved)
		}
		out = append(out, f)
	}
	return out
}

// The names of a fault's values, behind their prefix.
const (
	recovery = "recovery"
	lost     = "lost"
	outage   = "outage"
)

// add names the broker, and counts the trial if its throughput did not recover before its end or the next fault.
func (f *FaultCost) add(t record.Trial, track Track, prefix string) {
	marks := list.Filter(track.Marks, isFault)
	for i, m := range marks {
		if m.What != f.What {
			continue
		}
		end := track.seconds()
		if i+1 < len(marks) {
			end = math.Floor(marks[i+1].From/track.Step) * track.Step
		}
		if f.Detail == "" {
			f.Detail = m.Detail
		}
		if v, ok := t.Value(prefix + recovery); ok && m.From+v.Value > end-track.Step/2 {
			f.Never++
		}
	}
}

// isFault reports whether a mark is a fault's.
func isFault(m Mark) bool {
	return m.What == BesideBroker || m.What == BesideAdded || m.What == BesideDrive
}

// text says what happened and what it cost.
func (f FaultCost) text() string {
	what, whole := "was killed", "all replicas were in sync again after "
	switch f.What {
	case BesideDrive:
		what, whole = "was lost", "no acknowledged object was lost"
	case BesideAdded:
		what, whole = "was added", "it had its share of the partitions after "
	}
	text := fmt.Sprintf("%s %s: ", f.Detail, what)
	switch {
	case f.Recovery == nil:
		text += "too early in the window to know the throughput before it; "
	case f.Never > 0 && f.Never < f.N:
		text += fmt.Sprintf("throughput recovered after at least %s (in %d of %d runs not within the window), at least %s "+
			"of it was lost, the longest outage took at least %s; ",
			figure.Seconds(*f.Recovery), f.Never, f.N, figure.Seconds(*f.Lost), figure.Seconds(*f.Outage))
	case f.Never > 0:
		text += fmt.Sprintf("throughput had not recovered after %s, %s of it was lost, the longest outage took %s; ",
			figure.Seconds(*f.Recovery), figure.Seconds(*f.Lost), figure.Seconds(*f.Outage))
	case *f.Recovery == 0:
		text += "throughput did not fall by a tenth; "
	default:
		text += fmt.Sprintf("throughput recovered after %s, %s of it was lost, the longest outage took %s; ",
			figure.Seconds(*f.Recovery), figure.Seconds(*f.Lost), figure.Seconds(*f.Outage))
	}
	if text += whole; f.What != BesideDrive {
		text += figure.Seconds(f.Whole)
	}
	if f.Moved != nil {
		text += fmt.Sprintf(", %s of replicas", figure.Quantity(*f.Moved, "B"))
	}
	if f.N > 1 {
		text += fmt.Sprintf(" (medians of %d runs)", f.N)
	}
	return text
}
