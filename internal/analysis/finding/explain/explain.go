package explain

import (
	"slices"
	"strings"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/finding/factorial"
	"plimsoll/internal/analysis/finding/profile"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// Explanation is the cause of a difference between the two sides of one benchmark: the document of `explain` in `show
// --json` and `compare --json`. Costs are seconds per operation, of profiled trials if there are any.
type Explanation struct {
	Factor string `json:"factor,omitempty"` // in show: the factor that varies between a and b
	A      string `json:"a"`                // a machine or a level
	B      string `json:"b"`

	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Wording  finding.Wording   `json:"-"`
	Load     string            `json:"load"`

	Says string   `json:"says"` // the answer in one sentence
	More []string `json:"more"` // further sentences
	// sides that exceeded a network allowance of their instance type, in words
	Allowances []string `json:"network_allowances,omitempty"`
	N          int      `json:"n"` // pairs, or runs of the smaller side if unpaired

	Paired     bool       `json:"paired"`
	Profiled   bool       `json:"profiled"`   // CPU time is known by category
	Throughput *Quantity  `json:"throughput"` // of the compared runs; nil if they have none
	CPU        *CostPart  `json:"cpu"`        // total CPU time per operation; nil if unknown
	Categories []CostPart `json:"categories"` // its parts, largest difference first
	Waits      []CostPart `json:"waits"`      // waits of the work's threads, likewise
	Quantities []Quantity `json:"quantities"` // other metrics of the runs that differ between the sides
	// tables of which transactions read many more rows by sequential scan on one side, most first
	Scans []ScanChange `json:"scans,omitempty"`
	// the categories that explain the difference, largest first; empty if no cause was found
	Causes []string `json:"causes"`
	// difference in CPU time per operation that the causes leave; nil if none of them is CPU time
	Residual *CostPart `json:"residual"`
	Tests    int       `json:"tests"` // number of categories, waits and quantities tested together (Holm)

	// share of the samples without a category, 0 to 1; nil without a profile
	UnattributedA *float64  `json:"unattributed_a"`
	UnattributedB *float64  `json:"unattributed_b"`
	Removes       []Removal `json:"removes"`      // measured changes that remove causes
	KnownIssues   []Issue   `json:"known_issues"` // those that apply to a side
	// machine x factor: multiplier of the ratio of CPU time (b over a) by each factor, if both machines ran one factorial
	GapByFactor []factorial.Share `json:"gap_by_factor"`
	Doubts      []note.Note       `json:"-"`

	waits          string // the bottleneck of the slower side's service, if it isn't a resource; else ""
	labelA, labelB string // the sides in sentences
	by             string // the dimension in which they differ: record.KeyMachine or a factor
}

// Caveats returns the notes of the finding.
func (x Explanation) Caveats() []note.Note { return x.Doubts }

// CostPart is the cost of a category per operation on both sides, in seconds.
type CostPart struct {
	Category category.Name `json:"category"`
	A        float64       `json:"a"`
	B        float64       `json:"b"`
	Diff     float64       `json:"difference"` // b less a, within lo and hi at 95%
	figure.Bounds
	// probability of such a difference between equal sides, adjusted for all tests (Holm); nil if not tested
	P        *float64 `json:"p"`
	Share    *float64 `json:"share"` // of the difference in CPU time; nil if that may be 0, and for waits
	ShareLo  *float64 `json:"share_lo"`
	ShareHi  *float64 `json:"share_hi"`
	Named    bool     `json:"named"`               // the difference is significant and large enough to matter
	Test     string   `json:"test,omitempty"`      // the test with the smaller p-value: Tested*
	ThreadsA *float64 `json:"threads_a,omitempty"` // for waits: mean number of waiting threads
	ThreadsB *float64 `json:"threads_b,omitempty"`
	Source   string   `json:"source,omitempty"`    // for waits: "profile", or "server" for the server's own statistics
	Moved    []string `json:"functions,omitempty"` // innermost functions with the largest differences
	// of a named broad category: its parts whose differences are largest and significant
	Details []Detail `json:"details,omitempty"`
}

// Quantity is a secondary metric that differs between the sides.
type Quantity struct {
	Name  string  `json:"name"`
	Unit  string  `json:"unit"`
	A     float64 `json:"a"`
	B     float64 `json:"b"`
	Ratio float64 `json:"ratio"` // b over a
	figure.Bounds
	Category category.Name `json:"category,omitempty"` // the category that it is evidence for
	P        *float64      `json:"p"`                  // likewise; nil if not tested
	Named    bool          `json:"named"`
	Details  []Detail      `json:"details,omitempty"` // of throughput: the statements of a script whose mean time differs
}

// beyond reports whether a change saves more than the whole difference for certain: then it saves what both sides
// need, and not only what tells them apart.
func (r Removal) beyond() bool { return r.Above(1) }

// Removal is a measured change that removes costs from the more expensive side.
type Removal struct {
	Change   string        `json:"change"` // such as "broker.provider=corretto"
	Side     string        `json:"side"`   // the side that it was measured on: "a" or "b"
	Category category.Name `json:"category"`
	Wait     bool          `json:"wait"`  // the category is a wait
	Share    float64       `json:"share"` // of that category's difference; 1 is all of it
	figure.Bounds
	N       int  `json:"n"`
	Removes bool `json:"removes"` // it removes 90% or more, with at least half as its lower bound
}

// The tests of a category.
const (
	TestedDifference = "difference" // of seconds per operation
	TestedRatio      = "ratio"      // of CPU time per operation to the median over all categories
	TestedThreads    = "threads"    // mean number of waiting threads
)

// Thresholds of explanations (docs/explain.md).
const (
	explainAlpha = .05 // error rate over all tests of one cell
	// enoughCost is the least share of an operation's time on either side for a category to be tested, and the least
	// difference to be named.
	enoughCost = .01
	// fewPairs is the number of pairs at which tests gain most of their power: among eight tests, t must be about 17
	// with 3 pairs, and about 6 with 5.
	fewPairs = 5
	// enoughThreads is the least difference in waiting threads that is named.
	enoughThreads = .05
	// enoughRatio is the least ratio of a quantity that is mentioned.
	enoughRatio = 1.1
	// enoughBusy is the least disk utilization, %, for its I/O to be a cause.
	enoughBusy = 5
	// leadingShare is the share of the gap from which a category precedes disk I/O.
	leadingShare = .5
	// removesAll is the share of a difference from which a change removes it.
	removesAll = .9
	// removesHalf is the lower bound that this share must have.
	removesHalf = .5
)

// explainer explains the cells of one comparison or of one session.
type explainer struct {
	read     finding.ProfileReader
	sorted   *category.Memory
	noIssues bool // leave the rules of known issues out
	fleet    trialset.Fleet
	typeOf   func(machine string) catalog.Type
	measured map[trialCell][]record.Trial  // valid ones that count
	order    []trialCell                   // of measured
	profiled map[trialCell][]profiledTrial // the profiled ones
	unread   map[trialCell][]note.Note
}

// trialCell identifies a cell of a plan on a machine.
type trialCell struct {
	plan    string
	cell    int
	machine string
}

func trialCellOf(t record.Trial) trialCell {
	return trialCell{t.Plan, t.Cell, t.Keys[record.KeyMachine]}
}

// profiledTrial is a trial with its profiles, if any.
type profiledTrial struct {
	trial *record.Trial
	cpu   *category.Costs
	waits *category.Costs
}

// explainerOf sorts the trials by cell, and reads their profiles.
func explainerOf(in *finding.Input) *explainer {
	e := &explainer{
		read: in.Read.Profile, sorted: in.Read.Sorted, noIssues: in.Ask.NoKnownIssues, fleet: in.Fleet, typeOf: in.TypeOf,
		profiled: map[trialCell][]profiledTrial{}, unread: map[trialCell][]note.Note{},
	}
	valid := trialset.Valid(in.Trials)
	e.order, e.measured = trialset.GroupBy(trialset.Valid(in.Swept), trialCellOf)
	slices.SortFunc(e.order, trialCell.compare)
	for i := range valid {
		if valid[i].Role() != record.RoleProfile {
			continue
		}
		if c := e.costsOf(&valid[i]); c.cpu != nil || c.waits != nil {
			at := trialCellOf(valid[i])
			e.profiled[at] = append(e.profiled[at], c)
		}
	}
	return e
}

// costsOf returns the trial with its profiles. An unreadable one is noted and omitted.
func (e *explainer) costsOf(t *record.Trial) profiledTrial {
	c := profiledTrial{trial: t}
	for _, series := range []struct {
		name string
		of   func(record.Trial, record.Profile) (category.Costs, bool)
		to   **category.Costs
	}{{record.ProfileCPU, e.sorted.CPUCosts, &c.cpu}, {record.ProfileWait, e.sorted.WaitCosts, &c.waits}} {
		p, ok, err := e.read(*t, series.name)
		if err != nil {
			at := trialCellOf(*t)
			e.unread[at] = append(e.unread[at], note.New("profile-of-trial-unreadable", t.ID, err))
			continue
		}
		if costs, held := series.of(*t, p); ok && held {
			*series.to = &costs
		}
	}
	return c
}

// explain explains the difference between two sides of one cell; false if there is nothing to explain, or no data to
// explain it.
func (e *explainer) explain(m trialset.Matched, by, a, b string) (Explanation, bool) {
	labelA, labelB := axis.Labels(by, a, b)
	x := Explanation{
		A: a, B: b, labelA: labelA, labelB: labelB, by: by, Workload: m.Place.Workload, Params: m.Params, Load: m.Place.Load,
		More: []string{}, Categories: []CostPart{}, Waits: []CostPart{}, Quantities: []Quantity{}, Causes: []string{},
		Removes: []Removal{}, KnownIssues: []Issue{}, GapByFactor: []factorial.Share{}, Doubts: []note.Note{},
	}
	s := e.sidesOf(m)
	if s.n() == 0 {
		return x, false
	}
	x.N, x.Paired, x.Profiled = s.n(), s.paired, s.profiled
	e.parts(&x, s)
	e.allowance(&x, s)
	if x.CPU == nil && len(x.Waits) == 0 && len(x.Quantities) == 0 && len(x.Allowances) == 0 {
		return x, false
	}
	x.waits = e.serviceWait(&x, s)
	e.removals(&x, s)
	e.details(&x, s)
	x.Scans = scanChanges(s)
	if !e.noIssues {
		x.KnownIssues = e.issues(s)
	}
	e.doubt(&x, m, s)
	e.say(&x)
	return x, x.Profiled || len(x.Causes) > 0 || len(x.scriptTexts()) > 0 || x.CPU != nil && x.CPU.Excludes(0) ||
		len(x.KnownIssues) > 0
}

// doubt adds the notes that weaken an explanation.
func (e *explainer) doubt(x *Explanation, m trialset.Matched, s sides) {
	if len(s.thin) > 0 {
		x.Doubts = append(x.Doubts, note.New("thin-profiles", trialset.FirstFew(s.thin), 100*thinnest))
	}
	if x.N < estimate.MinReplicates && len(x.Causes) == 0 {
		x.Doubts = append(x.Doubts, note.New("too-few-to-explain", x.each().Many()))
	} else if x.N < estimate.MinReplicates {
		// causes other than CPU time rest on unprofiled trials, of which there are more
		x.Doubts = append(x.Doubts, note.New("too-few-profiles", x.each().Many()))
	} else if x.N < fewPairs && x.Profiled && len(x.Causes) == 0 {
		x.Doubts = append(x.Doubts, note.New("few-to-explain", x.N, x.each().Many(), fewPairs))
	}
	for _, side := range []struct {
		name  string
		share *float64
	}{{x.labelA, x.UnattributedA}, {x.labelB, x.UnattributedB}} {
		if side.share != nil && *side.share > profile.MostUnattributed {
			x.Doubts = append(x.Doubts, note.New("side-unattributed", side.name, bottleneck.Pct(*side.share)))
		}
	}
	for _, at := range cellsOfTrials(slices.Concat(m.A, m.B)) {
		x.Doubts = append(x.Doubts, e.unread[at]...)
	}
}

// each returns what N counts.
func (x *Explanation) each() figure.Each { return figure.PairOrRun(x.Paired) }

// changeText formats a change of parameters without the workload's name.
func changeText(workload, key, value string) string {
	return strings.TrimPrefix(key, workload+".") + "=" + value
}
