package explain

import (
	"slices"
	"strings"

	"plimsoll/internal/category"
	"plimsoll/internal/estimate"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/axis"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/finding/factorial"
	"plimsoll/internal/finding/profile"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// Explanation is why the two sides of one cell differ: the document of `explain` in `show --json` and `compare --json`. Costs are seconds for an
// operation, of the trials that were profiled where there are any.
type Explanation struct {
	Factor string `json:"factor,omitempty"` // in show: what is varied between a and b
	A      string `json:"a"`                // a machine or a level
	B      string `json:"b"`

	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Minor    []string          `json:"-"`
	Load     string            `json:"load"`

	Says string   `json:"says"` // the answer in one sentence
	More []string `json:"more"` // what is to be said besides
	N    int      `json:"n"`    // pairs, or trials of the smaller side where there are none

	Paired     bool       `json:"paired"`
	Profiled   bool       `json:"profiled"`   // CPU time is known by category
	Throughput *Quantity  `json:"throughput"` // of the trials that are compared; nil where they have none
	CPU        *CostPart  `json:"cpu"`        // all CPU time for an operation; nil where it is not known
	Categories []CostPart `json:"categories"` // of it, the largest difference first
	Waits      []CostPart `json:"waits"`      // what threads of the work wait for, likewise
	Quantities []Quantity `json:"quantities"` // what trials hold besides, where the sides differ in it
	Causes     []string   `json:"causes"`     // the categories that explain the difference, the largest first; none where no cause was found
	Residual   *CostPart  `json:"residual"`   // CPU time for an operation in which the sides differ beyond the causes; nil without a cause among it
	Tests      int        `json:"tests"`      // how many categories, waits and quantities were tested together (Holm)

	UnattributedA *float64          `json:"unattributed_a"` // share of the samples that no rule and no name says anything of, 0 to 1; nil without a profile
	UnattributedB *float64          `json:"unattributed_b"`
	Removes       []Removal         `json:"removes"`       // what takes causes away, as it was measured in these files
	KnownIssues   []Issue           `json:"known_issues"`  // that hold for a side
	GapByFactor   []factorial.Share `json:"gap_by_factor"` // machine x factor: how many times the CPU time of b over that of a becomes with each, where both machines ran one factorial
	Doubts        []note.Note       `json:"-"`

	labelA, labelB string // the sides in sentences
	by             string // what they differ in: record.KeyMachine or a factor
}

// Caveats returns the notes of the finding.
func (x Explanation) Caveats() []note.Note { return x.Doubts }

// CostPart is what a category takes for an operation on both sides, in seconds.
type CostPart struct {
	Category category.Name `json:"category"`
	A        float64       `json:"a"`
	B        float64       `json:"b"`
	Diff     float64       `json:"difference"` // b less a
	Lo       *float64      `json:"lo"`         // 95 %, of the difference; nil below three pairs
	Hi       *float64      `json:"hi"`
	P        *float64      `json:"p"`     // that sides which are alike differ as much, adjusted for all that was tested (Holm); nil where it was not tested
	Share    *float64      `json:"share"` // of the difference in CPU time; nil where that may be 0, and of waits
	ShareLo  *float64      `json:"share_lo"`
	ShareHi  *float64      `json:"share_hi"`
	Named    bool          `json:"named"`               // it differs by more than chance, and by enough to matter
	Test     string        `json:"test,omitempty"`      // which of its two tests says most: Tested*
	ThreadsA *float64      `json:"threads_a,omitempty"` // of a wait: threads that wait at a time, on average
	ThreadsB *float64      `json:"threads_b,omitempty"`
	Source   string        `json:"source,omitempty"`    // of a wait: "profile", or "server", which says what its sessions wait for
	Moved    []string      `json:"functions,omitempty"` // innermost functions that differ most
}

// Quantity is a value beside the primary one in which the sides differ.
type Quantity struct {
	Name     string        `json:"name"`
	Unit     string        `json:"unit"`
	A        float64       `json:"a"`
	B        float64       `json:"b"`
	Ratio    float64       `json:"ratio"` // b over a
	Lo       *float64      `json:"lo"`
	Hi       *float64      `json:"hi"`
	Category category.Name `json:"category,omitempty"` // what it speaks for
	P        *float64      `json:"p"`                  // likewise; nil where it was not tested
	Named    bool          `json:"named"`
}

// Removal is a change that was measured, and takes costs from the side that has more of them.
type Removal struct {
	Change   string        `json:"change"` // such as "broker.provider=corretto"
	Side     string        `json:"side"`   // on which it was measured: "a" or "b"
	Category category.Name `json:"category"`
	Wait     bool          `json:"wait"`  // the category is one of waits
	Share    float64       `json:"share"` // of that category's difference; 1 is all of it
	Lo       *float64      `json:"lo"`    // nil below three pairs
	Hi       *float64      `json:"hi"`
	N        int           `json:"n"`
	Removes  bool          `json:"removes"` // it takes 90 % of it or more, and by its interval half at least
}

// The tests of a category.
const (
	TestedDifference = "difference" // of seconds for an operation
	TestedRatio      = "ratio"      // of them, against the median over all categories: of CPU time
	TestedThreads    = "threads"    // that wait at a time: of waits
)

// Thresholds of explanations (docs/explain.md).
const (
	explainAlpha = .05 // error rate over all that is tested of one cell
	// enoughCost is what a category must have of an operation's time on either side to be tested, and what it must differ by to be named.
	enoughCost = .01
	// fewPairs is how many pairs tell most of what there is: with 3, t has to be about 17 among eight tests, with 5 about 6.
	fewPairs = 5
	// enoughThreads is by how much threads that wait at a time must differ to be named for that.
	enoughThreads = .05
	// enoughRatio is by how much a quantity must differ to be spoken of.
	enoughRatio = 1.1
	// enoughBusy is how busy a disk must be, in % of the time, for what it is asked to be a cause.
	enoughBusy = 5
	// leadingShare is the share of the gap from which a category stands before what the disk was asked for.
	leadingShare = .5
	// removesAll is the share of a difference that a change takes which is said to remove it.
	removesAll = .9
	// removesHalf is what it takes at least, by its interval, for that.
	removesHalf = .5
)

// explainer explains the cells of one comparison or of one session.
type explainer struct {
	read     finding.ProfileReader
	noIssues bool // leave the rules of known issues out
	fleet    trialset.Fleet
	measured map[trialCell][]record.Trial  // valid ones that count
	profiled map[trialCell][]profiledTrial // the profiled ones
	unread   map[trialCell][]note.Note
}

// trialCell is where a trial stands in its plan.
type trialCell struct {
	plan    string
	cell    int
	machine string
}

func trialCellOf(t record.Trial) trialCell {
	return trialCell{t.Plan, t.Cell, t.Keys[record.KeyMachine]}
}

// profiledTrial is a trial with its profiles, as far as it has them.
type profiledTrial struct {
	trial record.Trial
	cpu   *category.Costs
	waits *category.Costs
}

// explainerOf sorts the trials by cell, and reads the profiles of those that have some.
func explainerOf(in *finding.Input) *explainer {
	e := &explainer{
		read: in.Read.Profile, noIssues: in.Ask.NoKnownIssues, fleet: in.Fleet,
		measured: map[trialCell][]record.Trial{}, profiled: map[trialCell][]profiledTrial{}, unread: map[trialCell][]note.Note{},
	}
	for _, t := range trialset.Valid(in.Trials) {
		at := trialCellOf(t)
		switch {
		case t.Probe > 0: // at a load that its search chose
		case t.Profiled:
			if c := e.costsOf(t); c.cpu != nil || c.waits != nil {
				e.profiled[at] = append(e.profiled[at], c)
			}
		case t.Counts():
			e.measured[at] = append(e.measured[at], t)
		}
	}
	return e
}

// costsOf returns the trial with its profiles. One that cannot be read is noted, and left out.
func (e *explainer) costsOf(t record.Trial) profiledTrial {
	c := profiledTrial{trial: t}
	for _, series := range []struct {
		name string
		of   func(record.Trial, record.Profile) (category.Costs, bool)
		to   **category.Costs
	}{{record.ProfileCPU, category.CPUCosts, &c.cpu}, {record.ProfileWait, category.WaitCosts, &c.waits}} {
		p, ok, err := e.read(t, series.name)
		if err != nil {
			at := trialCellOf(t)
			e.unread[at] = append(e.unread[at], note.New("profile-of-trial-unreadable", t.ID, err))
			continue
		}
		if costs, held := series.of(t, p); ok && held {
			*series.to = &costs
		}
	}
	return c
}

// explain explains the difference between two sides of one cell; false where its trials hold nothing to explain it by, or there is nothing to explain.
func (e *explainer) explain(m trialset.Matched, by, a, b string) (Explanation, bool) {
	labelA, labelB := axis.Labels(by, a, b)
	x := Explanation{
		A: a, B: b, labelA: labelA, labelB: labelB, by: by, Workload: m.Place.Workload, Params: m.Params, Load: m.Place.Load,
		More: []string{}, Categories: []CostPart{}, Waits: []CostPart{}, Quantities: []Quantity{}, Causes: []string{}, Removes: []Removal{}, KnownIssues: []Issue{}, GapByFactor: []factorial.Share{}, Doubts: []note.Note{},
	}
	s := e.sidesOf(m)
	if s.n() == 0 {
		return x, false
	}
	x.N, x.Paired, x.Profiled = s.n(), s.paired, s.profiled
	e.parts(&x, s)
	if x.CPU == nil && len(x.Waits) == 0 && len(x.Quantities) == 0 {
		return x, false
	}
	e.removals(&x, s)
	if !e.noIssues {
		x.KnownIssues = e.issues(s)
	}
	e.doubt(&x, m)
	e.say(&x)
	return x, x.Profiled || len(x.Causes) > 0 || x.CPU != nil && x.CPU.Differs() || len(x.KnownIssues) > 0
}

// doubt says what weakens an explanation.
func (e *explainer) doubt(x *Explanation, m trialset.Matched) {
	if x.N < estimate.MinReplicates && len(x.Causes) == 0 {
		x.Doubts = append(x.Doubts, note.New("too-few-to-explain", x.each()))
	} else if x.N < estimate.MinReplicates { // what is no category of CPU time rests on trials that were not profiled, of which there are more
		x.Doubts = append(x.Doubts, note.New("too-few-profiles", x.each()))
	} else if x.N < fewPairs && x.Profiled && len(x.Causes) == 0 {
		x.Doubts = append(x.Doubts, note.New("few-to-explain", x.N, x.each(), fewPairs))
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

func (x *Explanation) each() string {
	if x.Paired {
		return "pairs"
	}
	return "runs a side"
}

// changeText is a change of parameters without the workload's name.
func changeText(workload, key, value string) string {
	return strings.TrimPrefix(key, workload+".") + "=" + value
}
