package trialset

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
)

// Kept is how a load generator kept up in one trial, and what its lateness is
// to be held against.
type Kept struct {
	record.LoadUse
	SLO     float64 // seconds; 0: none
	WindowS float64 // seconds measured; 0: unknown
}

// Trust says whether a trial can be trusted, by its load generator.
type Trust struct {
	Void   string      // why it cannot; "" where it can
	Over   bool        // void since the target did not carry the load, which is an answer where a load line is sought
	Doubts []note.Note // about one that can be trusted
}

// The limits of docs/method.md, "A trial".
const (
	MaxLag        = 0.05  // of the SLO; of the base latency where there is none it is a doubt on the line
	maxUseful     = 0.80  // above it the generator itself is loaded
	doubtUseful   = 0.50  // above it that is close
	MinDone       = 0.99  // of what was offered
	underWay      = 2     // operations that the end of any window may catch: of few offered they are over 1 %
	stall         = 0.05  // seconds for which a machine that others use may stand still at the end of a window: what was due in them says nothing of the target
	maxErrors     = 0.001 // of what was tried
	backlogShare  = 0.001 // of what was offered: a growth that is not a matter of the instant
	backlogSigmas = 3     // of the Poisson scatter of two counts
)

// TrustIn judges a trial by how its load was kept. A closed load offers nothing, so that only its
// errors and its generator's work are judged.
func TrustIn(p Kept) Trust {
	if why := p.generatorFailed(); why != "" {
		return Trust{Void: why}
	}
	// What the target has not carried is sent late as well, for want of a lane: that is no fault of the generator's.
	if why := p.targetFailed(); why != "" {
		return Trust{Void: why, Over: true}
	}
	if p.SLO > 0 && p.SendLagP99 > MaxLag*p.SLO {
		return Trust{Void: note.New("generator-late", 1e3*p.SendLagP99, 1e3*p.SLO).Text()}
	}
	var out Trust
	if p.Useful > doubtUseful {
		out.Doubts = append(out.Doubts, note.New("generator-busy", 100*p.Useful))
	}
	if p.crowded() {
		out.Doubts = append(out.Doubts, note.New("operations-late", p.SendLagP99))
	}
	return out
}

// generatorFailed says why nothing is known of the target.
func (p Kept) generatorFailed() string {
	tried := p.Done + p.Errors
	switch {
	case tried == 0 && p.Offered > 0:
		return note.New("nothing-done-of-offered", p.Offered, 100*p.Useful).Text()
	case tried == 0:
		return note.New("nothing-done").Text()
	case p.Failed(): // before the generator's own work: to be refused at once takes a lot of it
		return note.New("operations-failed", p.Errors, tried, byClass(p.ErrorsBy)+p.firstOf()).Text()
	case p.Useful > maxUseful:
		return note.New("generator-loaded", 100*p.Useful).Text()
	}
	return ""
}

// firstOf is what the first error said.
func (p Kept) firstOf() string {
	if p.First == "" {
		return ""
	}
	return "; first: " + p.First
}

// Failed says whether too many operations did.
func (p Kept) Failed() bool { return float64(p.Errors) > maxErrors*float64(p.Done+p.Errors) }

// TrustStated judges a trial by the errors that it states among its values, as those of other tools do, or that
// were counted in their output: they are held to the same limit as those that our generator saw.
func TrustStated(t record.Trial) Trust {
	share, known := statedErrors(t)
	switch {
	case share > maxErrors:
		by := ""
		if t.Generator != nil {
			by = byClass(t.Generator.ErrorsBy)
		}
		return Trust{Void: note.New("stated-failures", shareText(share), by).Text()}
	case !known:
		return Trust{Doubts: []note.Note{note.New("errors-of-unknown-total")}}
	}
	return Trust{}
}

func shareText(share float64) string {
	if share < .01 {
		return fmt.Sprintf("%.2g %%", 100*share)
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

// statedErrors is the largest share of what was tried that a trial says to have failed; not known where it
// counts errors and does not say of how many operations.
func statedErrors(t record.Trial) (share float64, known bool) {
	known = true
	if g := t.Generator; g != nil && g.Errors > 0 {
		share = float64(g.Errors) / float64(g.Done+g.Errors)
	}
	for _, name := range []string{record.Failed, record.Errors} {
		v, ok := t.Value(name)
		if !ok || !(v.Value > 0) {
			continue
		}
		done := 0.0
		switch v.Unit {
		case "%":
			share = max(share, v.Value/100)
			continue
		case "op/s":
			done = carriedBy(t)
		case "", "op":
			done = operationsOf(t)
		}
		if done > 0 {
			share = max(share, v.Value/(done+v.Value))
		} else if share == 0 {
			known = false
		}
	}
	return share, known
}

// carriedBy is a trial's throughput in operations a second; 0 where it has none.
func carriedBy(t record.Trial) float64 {
	if v, ok := t.Value(record.Throughput); ok && v.Unit == "op/s" {
		return v.Value
	}
	return 0
}

func operationsOf(t record.Trial) float64 {
	if v, ok := t.Value(record.Operations); ok && (v.Unit == "" || v.Unit == "op") {
		return v.Value
	}
	return t.Operations()
}

// VoidImports voids the imported trials that an older version took although too much of them failed.
func VoidImports(trials []record.Trial) {
	for i := range trials {
		if t := &trials[i]; t.Void == "" && t.Keys[record.KeyImported] != "" {
			t.Void = TrustStated(*t).Void
		}
	}
}

// targetFailed says how the target fell behind.
func (p Kept) targetFailed() string {
	switch {
	case float64(p.Done) < MinDone*float64(p.Offered) && float64(p.Offered-p.Done) > p.atTheEnd():
		if p.crowded() {
			return note.New("offered-not-done-crowded", p.Done, p.Offered, p.SendLagP99).Text()
		}
		return note.New("offered-not-done", p.Done, p.Offered).Text()
	case p.backlogGrew():
		return note.New("backlog-grew", p.BacklogStart, p.BacklogEnd).Text()
	}
	return ""
}

// atTheEnd is how many operations the end of a window may catch that a target carries well.
func (p Kept) atTheEnd() float64 {
	if p.WindowS <= 0 {
		return underWay
	}
	return max(underWay, stall*float64(p.Offered)/p.WindowS)
}

// crowded says that operations waited for a lane: they were sent much later
// than a thread that only spins could have. Then more were in flight than the
// generator has lanes, and not only the target was at its end.
func (p Kept) crowded() bool {
	const much, least = 100, 0.010 // times the control's lateness; seconds
	return p.SendLagP99 >= max(least, much*p.ControlP99)
}

// SLOOf is the latency that a search's probes were asked to keep, seconds: that of p99, else of the median; 0 of none.
func SLOOf(s *record.Search) float64 {
	if s == nil {
		return 0
	}
	if slo := s.Objectives["p99"]; slo > 0 {
		return slo
	}
	return s.Objectives["p50"]
}

// backlogGrew needs more than scatter: the number outstanding at an instant varies
// under a load that is carried well.
func (p Kept) backlogGrew() bool {
	growth := float64(p.BacklogEnd - p.BacklogStart)
	scatter := backlogSigmas * math.Sqrt(float64(p.BacklogStart+p.BacklogEnd))
	return growth > backlogShare*float64(p.Offered) && growth > scatter && growth > p.atTheEnd()
}

// byClass says how many operations failed in which way, the most first.
func byClass(errors map[string]int64) string {
	classes := slices.Sorted(maps.Keys(errors))
	slices.SortStableFunc(classes, func(a, b string) int { return cmp.Compare(errors[b], errors[a]) })
	var parts []string
	for _, c := range classes {
		parts = append(parts, fmt.Sprintf("%d %s", errors[c], c))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
