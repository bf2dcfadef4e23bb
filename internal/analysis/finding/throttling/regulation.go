package throttling

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// The classes of Regulation.
const (
	Quantum = stat.Quantum
	Credit  = stat.Credit
	Bursts  = stat.Bursts
	Stalls  = stat.Stalls
	Smooth  = stat.Smooth
)

// Regulation is how a disk or network is throttled, over the replicates of a benchmark: the most frequent class, and
// the parameters of its runs. Parameters that a class lacks are nil. Rates are bytes per second.
type Regulation struct {
	Class   string         `json:"class"`   // Quantum, Credit, Bursts, Stalls or Smooth
	N       int            `json:"n"`       // runs of that class
	Classes map[string]int `json:"classes"` // number of runs by class

	PeriodS      *float64 `json:"period_s"`
	QuantumBytes *float64 `json:"quantum_bytes"`
	Rate         *float64 `json:"rate"` // sustained
	BurstRate    *float64 `json:"burst_rate"`
	AtLeast      bool     `json:"burst_rate_at_least"` // bursts are too short in at least one run: a lower bound
	Duty         *float64 `json:"duty"`
	ZeroFraction *float64 `json:"zero_fraction"`
	BucketBytes  *float64 `json:"bucket_bytes"`
	ExhaustedS   *float64 `json:"exhausted_s"`
	SafeRate     *float64 `json:"safe_rate"`
	SafeBurst    *float64 `json:"safe_burst_bytes"`
	ZeroP50S     *float64 `json:"zero_p50_s"` // of the stalls
	ZeroP99S     *float64 `json:"zero_p99_s"`
	ZeroMaxS     *float64 `json:"zero_max_s"`  // the longest in any run
	ObservedS    float64  `json:"observed_s"`  // the shortest run
	ObservedB    float64  `json:"moved_bytes"` // least bytes of any run: a credit larger than that would not show
	// what the load kept in flight; null if unknown
	InFlight *float64 `json:"in_flight_bytes"`
	// the class that full load showed, if the runs near its safe rate refuted it; else null
	Refuted *string `json:"refuted"`

	Intervals map[string]Range `json:"intervals"` // 95%, by the keys above; for three runs or more
	Verified  *Verified        `json:"verified,omitempty"`
	Doubts    []note.Note      `json:"-"`
}

// Caveats returns the notes of the finding.
func (g Regulation) Caveats() []note.Note { return g.Doubts }

// Range is an interval.
type Range struct {
	figure.Bounds
}

// regulationOf judges the valid trials of a cell; nil if none of them has a timeline, or the load was open: an offered
// rate reveals nothing about the disk's limit.
func regulationOf(trials []record.Trial) *Regulation {
	classified := trialset.Filter(trialset.Valid(trials),
		func(t *record.Trial) bool { return t.Regulation != nil && t.Load.Kind == record.Closed })
	if len(classified) == 0 {
		return nil
	}
	out := Regulation{Classes: map[string]int{}, Intervals: map[string]Range{}, Doubts: []note.Note{}}
	for _, t := range classified {
		out.Classes[t.Regulation.Class]++
	}
	out.Class = commonest(out.Classes)
	drained := drainedBucket(classified)
	if drained > 0 {
		out.Class = stat.Credit
	}
	of := trialset.Filter(classified, func(t *record.Trial) bool { return t.Regulation.Class == out.Class })
	out.N = len(of)
	out.combine(of)
	out.doubt(of, len(classified), drained)
	return &out
}

// commonest returns the most frequent class; among equals, the weakest claim.
func commonest(classes map[string]int) string {
	best := ""
	for _, c := range stat.Classes() {
		if classes[c] > classes[best] {
			best = c
		}
	}
	return best
}

// drainedBucket returns the number of trials that began with the credit spent by an earlier one: they are smooth, at
// the baseline rate. It is 0 if some trials are of other classes.
func drainedBucket(classified []record.Trial) int {
	const alike = .10
	left := 0.0
	for _, t := range classified {
		if t.Regulation.Class == stat.Credit {
			left = t.Regulation.Rate
			break
		}
	}
	n := 0
	for _, t := range classified {
		r := t.Regulation
		switch {
		case left == 0 || r.Class != stat.Smooth && r.Class != stat.Credit:
			return 0
		case r.Class == stat.Smooth && math.Abs(r.Rate/left-1) > alike:
			return 0
		case r.Class == stat.Smooth:
			n++
		}
	}
	return n
}

// parameters lists the parameters averaged over trials of one class.
func parameters() map[string]func(*record.Regulation) *float64 {
	return map[string]func(*record.Regulation) *float64{
		"period_s":         func(r *record.Regulation) *float64 { return r.PeriodS },
		"quantum_bytes":    func(r *record.Regulation) *float64 { return r.QuantumBytes },
		"rate":             func(r *record.Regulation) *float64 { return &r.Rate },
		"burst_rate":       func(r *record.Regulation) *float64 { return r.BurstRate },
		"duty":             func(r *record.Regulation) *float64 { return r.Duty },
		"zero_fraction":    func(r *record.Regulation) *float64 { return &r.ZeroFraction },
		"bucket_bytes":     func(r *record.Regulation) *float64 { return r.BucketBytes },
		"exhausted_s":      func(r *record.Regulation) *float64 { return r.ExhaustedS },
		"safe_rate":        func(r *record.Regulation) *float64 { return r.SafeRate },
		"safe_burst_bytes": func(r *record.Regulation) *float64 { return r.SafeBurst },
		"zero_p50_s":       func(r *record.Regulation) *float64 { return r.ZeroP50S },
		"zero_p99_s":       func(r *record.Regulation) *float64 { return r.ZeroP99S },
	}
}

// Throttled reports whether a regulator holds the disk back.
func (g *Regulation) Throttled() bool { return g != nil && (g.Class == Quantum || g.Class == Credit) }

// HeldTo returns the rate to which the disk is throttled, as text; "" if none was found.
func (g *Regulation) HeldTo() string {
	if !g.Throttled() {
		return ""
	}
	return figureText(*g, "rate", g.Rate, "B/s")
}

// withdraw takes a quota or a credit back that the trials near its safe rate refuted: what a regulator would let pass
// is unknown then, and so is how fast the disk is without it.
func (g *Regulation) withdraw() {
	was := g.Class
	g.Refuted, g.Class = &was, Stalls
	if was == Credit {
		g.Class = Smooth
	}
	for name, field := range g.fields() {
		switch name {
		case "rate", "zero_fraction", "zero_p50_s", "zero_p99_s":
		default:
			*field = nil
			delete(g.Intervals, name)
		}
	}
	g.AtLeast = false
}

// fields returns the parameters by their names in parameters.
func (g *Regulation) fields() map[string]**float64 {
	return map[string]**float64{
		"period_s": &g.PeriodS, "quantum_bytes": &g.QuantumBytes, "rate": &g.Rate, "burst_rate": &g.BurstRate,
		"duty":          &g.Duty,
		"zero_fraction": &g.ZeroFraction, "bucket_bytes": &g.BucketBytes, "exhausted_s": &g.ExhaustedS,
		"safe_rate":        &g.SafeRate,
		"safe_burst_bytes": &g.SafeBurst, "zero_p50_s": &g.ZeroP50S, "zero_p99_s": &g.ZeroP99S,
	}
}

func (g *Regulation) combine(of []record.Trial) {
	fields := g.fields()
	for name, from := range parameters() {
		values := trialset.Known(of, from)
		if len(values) == 0 {
			continue
		}
		e := estimate.Of(values)
		*fields[name] = &e.Value
		if e.Bounded() {
			g.Intervals[name] = Range{e.Bounds}
		}
	}
	g.ObservedS, g.ObservedB = math.Inf(1), math.Inf(1)
	for _, t := range of {
		if n := t.Regulation.InFlight; n > 0 && (g.InFlight == nil || n > *g.InFlight) {
			g.InFlight = &n
		}
		g.AtLeast = g.AtLeast || t.Regulation.AtLeast
		g.ObservedS, g.ObservedB = min(g.ObservedS, t.Regulation.ObservedS), min(g.ObservedB, t.Regulation.Bytes)
		if most := t.Regulation.ZeroMaxS; most != nil && (g.ZeroMaxS == nil || *most > *g.ZeroMaxS) {
			g.ZeroMaxS = most
		}
	}
	g.fullBucket(of)
}

// fullBucket takes the largest bucket, and the longest time to drain it, if the trials differ: the others had not
// refilled since the trial before. A bound has no interval.
func (g *Regulation) fullBucket(of []record.Trial) {
	const alike = 1.2
	buckets := trialset.Known(of, func(r *record.Regulation) *float64 { return r.BucketBytes })
	if len(buckets) == 0 || slices.Max(buckets) < alike*slices.Min(buckets) {
		return
	}
	for name, field := range map[string]**float64{"bucket_bytes": &g.BucketBytes, "exhausted_s": &g.ExhaustedS,
		"safe_burst_bytes": &g.SafeBurst} {
		most := slices.Max(trialset.Known(of, parameters()[name]))
		*field = &most
		delete(g.Intervals, name)
	}
	g.Doubts = append(g.Doubts, note.New("bucket-not-full"))
}

func (g *Regulation) doubt(of []record.Trial, classified, drained int) {
	if drained > 0 {
		g.Doubts = append(g.Doubts, note.New("bucket-empty", drained, classified))
	} else if len(of) < classified {
		var others []string
		for _, c := range slices.Sorted(maps.Keys(g.Classes)) {
			if c != g.Class {
				others = append(others, fmt.Sprintf("%d %s", g.Classes[c], c))
			}
		}
		g.Doubts = append(g.Doubts, note.New("another-class", classified-len(of), classified, strings.Join(others, ", ")))
	}
	unseen, onDisk := 0.0, trialset.WorkloadOf(of[0]) != NetworkWorkload // whose queue is not the load's
	for _, t := range of {
		unseen = max(unseen, t.Regulation.Unseen)
		if n, short := tooShort(t.Regulation, t.WarmupS); short && (onDisk || n.Code != "few-operations-of-disk") {
			g.Doubts = note.With(g.Doubts, n)
		}
		if r := t.Regulation; r.PeriodS != nil && r.AutoPeriodS != nil && unlike(*r.AutoPeriodS / *r.PeriodS) {
			g.Doubts = append(g.Doubts, note.New("unlike-periods", *r.AutoPeriodS, *r.PeriodS))
		}
		if r := t.Regulation; r.Class == Bursts && onDisk && !toldApart(r) {
			g.Doubts = note.With(g.Doubts, note.New("bursts-undecided"))
		}
	}
	if unseen >= muchUnseen {
		g.Doubts = append(g.Doubts, note.New("disk-unseen", 100*unseen))
	}
}

const muchUnseen = .1 // of the time

// unlike reports whether two periods of this ratio contradict each other: a quota of 12.5 operations lets 12 and 13
// pass by turns, which resembles itself most after two periods.
func unlike(ratio float64) bool { return math.Abs(ratio-max(1, math.Round(ratio))) > .05 }

// toldApart reports whether the shallower load after a trial shows that no quota made its bursts: as fast, it met none.
func toldApart(r *record.Regulation) bool {
	const asFast = .9 // a load that is slower need not meet the quota
	s := r.Shallow
	return s != nil && s.Rate >= asFast*r.Rate && (s.Class == Bursts || s.Class == Smooth)
}

// tooShort returns the reason why a longer trial, or one with more operations, might give another result; false if it
// would not.
func tooShort(r *record.Regulation, warmup float64) (note.Note, bool) {
	const (
		enough = 3    // multiple of the credit's duration (docs/derivations.md#throttling)
		coarse = .005 // s: resolves the shortest period that is certified, 20 ms, into four bins
	)
	switch {
	case r.Class == stat.Stalls && r.Cycles < stat.MinCycles:
		return note.New("few-cycles", r.Cycles, stat.MinCycles,
			math.Ceil(1.3*stat.MinCycles*r.ObservedS/float64(r.Cycles+1))), true
	case r.Class == stat.Smooth && r.BinS > coarse:
		return note.New("few-operations-of-disk", 4e3*r.BinS), true
	case r.ExhaustedS != nil && r.ObservedS < enough*(*r.ExhaustedS-warmup):
		lasted := *r.ExhaustedS - warmup // in the observed time
		return note.New("credit-too-long", lasted, r.ObservedS, math.Ceil(enough*lasted)), true
	}
	return note.Note{}, false
}
