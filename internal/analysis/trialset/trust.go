package trialset

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// Kept holds how well a load generator kept its schedule in one trial. Its lateness voids nothing: latency runs from
// the intended start, so that the lateness is in it (docs/derivations.md#max-load).
type Kept struct {
	record.LoadUse
	WindowS float64 // seconds measured; 0 if unknown
	WarmupS float64 // seconds of load before them
	MedianS float64 // latency of half of the operations, seconds; 0 if unknown
	Target  float64 // share of the target's CPUs that it used, 0 to 1; 0 if unknown

	Connections *record.Connections // of a service to its database; nil if unknown
}

// Trust is the outcome of checking a trial by its load generator.
type Trust struct {
	Void   string      // the reason for a void trial, else ""
	Over   bool        // void since the target did not carry the load, which is a result if a load line is sought
	Doubts []note.Note // about a trial that can be trusted
}

// The limits of docs/derivations.md#runs.
const (
	MaxLag        = 0.05  // of a base latency: more is a doubt on the load line that rests on it
	maxUseful     = 0.80  // above it the generator itself is the bottleneck, unless the target is
	targetFull    = 0.95  // of the target's CPUs: no generator could raise the throughput by more than the rest
	doubtUseful   = 0.50  // above it the generator is close to that
	MinDone       = 0.99  // of the offered operations
	UnderWay      = 2     // operations that the end of any window may catch: if few were offered they exceed 1%
	stall         = 0.05  // seconds that a shared machine may stand still at the end of a window
	maxErrors     = 0.001 // of the attempted operations
	maxUnbalanced = 0.05  // of the operations in flight, beside those at the edges of the window
	backlogShare  = 0.001 // of the offered operations: growth beyond a momentary one
	backlogSigmas = 3     // of the Poisson scatter of two counts
)

// TrustIn checks a trial by how its load was kept. A closed load offers nothing, so only its errors and its generator's
// CPU use are checked.
func TrustIn(p Kept) Trust {
	if why := p.generatorFailed(); why != "" {
		return Trust{Void: why}
	}
	// A target that falls behind also delays the sends, for lack of a lane: the generator is not at fault.
	if why := p.targetFailed(); why != "" {
		return Trust{Void: why, Over: true}
	}
	var out Trust
	if p.Useful > doubtUseful && !p.Ends {
		out.Doubts = append(out.Doubts, note.New("generator-busy", 100*p.Useful))
	}
	if p.crowded() {
		out.Doubts = append(out.Doubts, note.New("operations-late", p.SendLagP99))
	}
	return out
}

// generatorFailed returns the reason if the generator failed, so that nothing is known about the target, else "".
func (p Kept) generatorFailed() string {
	tried := p.Done + p.Errors
	switch {
	case tried == 0 && p.Starved > 0:
		return note.New("nobody-answered", p.Clients, p.firstOf()+p.heldOpen()).Text()
	case tried == 0 && p.Offered > 0:
		return note.New("nothing-done-of-offered", p.Offered, 100*p.Useful, p.firstOf()).Text()
	case tried == 0:
		return note.New("nothing-done").Text()
	case p.Failed(): // before the generator's CPU use: immediate refusals raise it
		return note.New("operations-failed", p.Errors+p.silent(), tried+p.silent(),
			p.byClass()+p.firstOf()+p.heldOpen()).Text()
	case !p.Balanced():
		return note.New("little-disagrees", p.Accounted, p.InFlight).Text()
	case p.Useful > maxUseful && p.Target < targetFull && !p.Ends:
		return note.New("generator-loaded", 100*p.Useful).Text()
	}
	return ""
}

// Balanced reports whether Little's law agrees: the throughput times the mean latency, with what failed or had no
// answer, is the number of operations in flight, but for those that cross an edge of the window.
func (p Kept) Balanced() bool {
	return math.Abs(p.Accounted-p.InFlight) <= maxUnbalanced*p.InFlight+p.Crossing
}

// firstOf returns the first error's message.
func (p Kept) firstOf() string {
	if p.First == "" {
		return ""
	}
	return "; first: " + p.First
}

// heldOpen states that most of a service's connections to its database are in a transaction that stays open, as the
// reason why requests are not answered; "" if they are not.
func (p Kept) heldOpen() string {
	c := p.Connections
	if c == nil || c.All <= 0 || c.Open < c.All/2 {
		return ""
	}
	return fmt.Sprintf("; %.0f of the service's %.0f connections to PostgreSQL are idle in a transaction", c.Open, c.All)
}

// Failed reports whether too many operations failed.
func (p Kept) Failed() bool {
	failed := p.Errors + p.silent()
	return TooManyFailed(p.Done, failed)
}

// TooManyFailed reports whether more of the attempted operations failed than a valid run may have.
func TooManyFailed(done, failed int64) bool { return float64(failed) > maxErrors*float64(done+failed) }

// FellBehind reports whether less was done than was offered, by more operations than the end of a run may catch.
func FellBehind(done, offered, atTheEnd float64) bool {
	return done < MinDone*offered && offered-done > atTheEnd
}

// CompareInFlight compares the operations in flight by Little's law to a closed load's clients: 1 if they are more than
// twice as many, -1 if they are fewer than half, else 0. Definitions of latency differ often enough to differ by less.
func CompareInFlight(inFlight, clients float64) int {
	const much = 2
	switch {
	case inFlight > much*clients:
		return 1
	case inFlight*much < clients:
		return -1
	}
	return 0
}

// silent returns the operations of an open loop that got no answer: they failed as do those for which the window was
// long enough to time out. The clients of a closed loop that get no answer lower its rate, and are named.
func (p Kept) silent() int64 {
	if p.Clients > 0 {
		return 0
	}
	return p.Unanswered
}

// byClass returns how many operations failed by class of error, and how many had no answer.
func (p Kept) byClass() string {
	if p.silent() == 0 {
		return byClass(p.ErrorsBy)
	}
	by := maps.Clone(p.ErrorsBy)
	if by == nil {
		by = map[string]int64{}
	}
	by["without an answer"] = p.silent()
	return byClass(by)
}

// TrustStated checks a trial by the errors among its values, as other tools state them, or as counted in their output.
// The limit is that of our own generator.
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
		return fmt.Sprintf("%.2g%%", 100*share)
	}
	return fmt.Sprintf("%.1f%%", 100*share)
}

// statedErrors returns the largest share of attempted operations that a trial states as failed; known is false if it
// counts errors without the number of operations.
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
			done = CarriedBy(t)
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

// CarriedBy returns a trial's throughput in operations per second, or 0 if it has none.
func CarriedBy(t record.Trial) float64 {
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

// VoidImports voids imported trials that an older version accepted although too many of their operations failed.
func VoidImports(trials []record.Trial) {
	for i := range trials {
		if t := &trials[i]; t.Void == "" && t.Keys[record.KeyImported] != "" {
			t.Void = TrustStated(*t).Void
		}
	}
}

// targetFailed returns how the target fell behind, or "" if it did not.
func (p Kept) targetFailed() string {
	offered := p.Offered - p.Unanswered // each of these was begun in time
	switch {
	case FellBehind(float64(p.Done), float64(offered), p.atTheEnd()):
		if p.crowded() {
			return note.New("offered-not-done-crowded", p.Done, p.Offered, p.SendLagP99).Text()
		}
		return note.New("offered-not-done", p.Done, p.Offered).Text()
	case p.backlogGrew():
		return note.New("backlog-grew", p.BacklogStart, p.BacklogEnd).Text()
	}
	return ""
}

// atTheEnd returns by how much more operations may be unfinished at the end of a window than at its start although the
// target carries its load. Those due while a shared machine stands still, or while the generator is late, say nothing
// about the target, nor do those that wait to be sent with others, unless as many waited at the start.
func (p Kept) atTheEnd() float64 {
	if p.WindowS <= 0 {
		return UnderWay
	}
	rate := float64(p.Offered) / p.WindowS
	return max(UnderWay, max(stall, p.LateAt("p99"))*rate) + max(0, p.HeldS*rate-float64(p.BacklogStart))
}

// crowded reports whether operations waited for a lane: they were sent much later than a thread that only spins could
// have sent them. Then more were in flight than the generator has lanes, so not only the target was saturated.
func (p Kept) crowded() bool {
	const much, least = 100, 0.010 // times the control's lateness; seconds
	return p.SendLagP99 >= max(least, much*p.ControlP99)
}

// backlogGrew reports whether the backlog grew by more than scatter: the number outstanding varies from instant to
// instant even if the target carries the load.
func (p Kept) backlogGrew() bool {
	growth := float64(p.BacklogEnd - p.BacklogStart)
	scatter := backlogSigmas * math.Sqrt(float64(p.BacklogStart+p.BacklogEnd))
	return growth > backlogShare*float64(p.Offered) && growth > scatter && growth > p.atTheEnd() && !p.filling(scatter)
}

// filling reports whether a backlog grew because the first answers came in the window. After a warm-up shorter than
// the latency, the operations in flight only then become as many as Little's law requires. A target that falls behind
// has twice as many as by the median, or 4/3 if the warm-up is as long as the window.
func (p Kept) filling(scatter float64) bool {
	const most = 1.2
	if p.WindowS <= p.WarmupS || p.WarmupS >= p.MedianS {
		return false
	}
	return float64(p.BacklogEnd) <= most*p.MedianS*float64(p.Offered)/p.WindowS+scatter
}

// byClass returns how many operations failed by class of error, most frequent first.
func byClass(errors map[string]int64) string {
	classes := slices.Sorted(maps.Keys(errors))
	slices.SortStableFunc(classes, func(a, b string) int { return cmp.Compare(errors[b], errors[a]) })
	parts := list.Map(classes, func(c string) string { return fmt.Sprintf("%d %s", errors[c], c) })
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}
