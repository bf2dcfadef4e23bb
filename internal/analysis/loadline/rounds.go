package loadline

import (
	"math"
	"slices"

	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// roundLine is the result of one replicate of a sweep.
type roundLine struct {
	base    float64 // seconds; 0 if unknown
	limit   float64 // seconds
	max     float64 // carried
	crossed bool

	atMost    float64      // offered load; 0 if unknown
	bracket   stat.Bracket // of a search
	low, high float64      // of a search: 95% interval of its line by its own probes, op/s; 0 if unknown
	sure      bool         // of a search: one alone tells the line
	hangs     *hanging     // of a search without an objective: nil if its line does not hang on a few probes
	steeredBy string       // the objectives that placed the probes, if they were others than the line's

	// of a search: latency of a further run at the line, over the limit, that the probes' scatter explains
	most      float64
	confirmed *Confirmation // nil: no run at the line followed the search
}

// between makes a line what its bracket says, and no more.
func (l *roundLine) between(b stat.Bracket) {
	l.crossed, l.max, l.atMost, l.bracket = false, b.Within.Load, b.Above.Load, b
}

// stated returns the line of a search as it can be stated without further searches: the bracket of its probes if they
// scatter too much for more, or if no fresh run confirmed it; and the range that the base leaves open.
func (l roundLine) stated() roundLine {
	switch {
	case l.hangs != nil:
		l.crossed, l.max, l.atMost = false, l.hangs.low, l.hangs.high
	case l.crossed && !l.sure:
		l.between(l.bracket)
	}
	return l
}

// roundLinesOf returns the line of each replicate, and the reasons for those without one.
func roundLinesOf(rounds []Ramp, carried, latency string, objective float64) (found []roundLine, reasons []note.Note) {
	for _, round := range rounds {
		line, reason := roundLineOf(round.probes(carried, latency), objective)
		if !reason.IsZero() {
			reasons = append(reasons, reason)
			continue
		}
		found = append(found, line)
	}
	return found, reasons
}

// roundLineOf returns the line of one replicate, or a note with the reason if there is none.
func roundLineOf(probes []Probe, objective float64) (roundLine, note.Note) {
	line := roundLine{limit: objective}
	base, ok := baseOf(probes)
	if ok {
		line.base = base
	}
	if objective == 0 {
		line.limit = 2 * base
	}
	if !ok && objective == 0 {
		return line, noBase(probes)
	}
	var loads, latencies, values []float64
	for _, p := range probes {
		loads, latencies, values = append(loads, p.Level), append(latencies, p.Latency), append(values, p.Value)
	}
	at, ok := stat.LoadLine(loads, latencies, line.limit)
	if !ok {
		return line, note.New("always-over-line")
	}
	line.crossed = at.Crossed
	line.max = carriedAt(loads, values, at.Load)
	return line, note.Note{}
}

// noBase returns the reason if nothing is known of latency below 20% CPU.
func noBase(probes []Probe) note.Note {
	lowest := math.Inf(1)
	for _, p := range probes {
		if p.CPU != nil {
			lowest = min(lowest, *p.CPU)
		}
	}
	if math.IsInf(lowest, 1) {
		return note.New("no-base-without-cpu")
	}
	return note.New("no-base", lowest, idleCPU)
}

// carriedAt interpolates the carried rate at a load between its probes.
func carriedAt(loads, values []float64, load float64) float64 {
	if i := slices.Index(loads, load); i >= 0 {
		return values[i]
	}
	x := stat.Logs(loads)
	at := min(max(math.Log(load), x[0]), x[len(x)-1])
	v, _ := stat.Between(x, stat.Logs(values), at)
	return math.Exp(v)
}
