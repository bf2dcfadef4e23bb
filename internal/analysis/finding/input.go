package finding

import (
	"slices"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
)

// Input is the data of a set of sessions.
type Input struct {
	Trials    []record.Trial // all, failed and profiled ones too
	Machines  []record.Machine
	PlanLines []record.PlanLine
	Ask       Ask
	Read      Readers
	// reports whether nobody waits for the analysis any more, which then ends with partial results; nil: never
	Stopped func() bool

	Fleet     trialset.Fleet
	Plans     map[string]record.Plan // by hash
	Wordings  *Wordings              // of their cells
	Counted   []record.Trial         // those that count, in the order of their plans; searches with all of their probes
	Condensed []record.Trial         // likewise, one trial for each replicate of a search
	Swept     []record.Trial         // those of Counted at loads that no search chose
	Ramps     []loadline.Ramp        // sweeps of load in Swept
	Groups    []Group                // Condensed by cell, in their order
	Cells     []Cell                 // metrics of all cells, with earlier findings

	types map[string]catalog.Type // by machine, as far as they were asked for
	bases map[string]Basis        // by machine, as far as they were asked for
	once  map[any]any             // what Once has made
}

// Once returns what depends on the input alone, and is made once for all pairs of a comparison. The key is the
// caller's, of a type of its own. An input is for one goroutine.
func Once[T any](in *Input, key any, make func() T) T {
	if made, ok := in.once[key]; ok {
		return made.(T)
	}
	made := make()
	if in.once == nil {
		in.once = map[any]any{}
	}
	in.once[key] = made
	return made
}

// Halted reports whether the analysis has been stopped.
func (in *Input) Halted() bool { return in.Stopped != nil && in.Stopped() }

// Group is the trials of one cell.
type Group struct {
	Key    trialset.Key
	Trials []record.Trial
}

// Ask holds a user's requirements of the findings.
type Ask struct {
	Percentile    float64 // share of the time for the disk need, in %
	GiB           float64 // required storage; 0 for the size of the disk in use
	Volumes       bool    // list a provider's volumes for any machine
	Headroom      float64 // maximum load of a machine, as a fraction of its load line; 0 for the default
	Demand        *Demand // of a fleet; nil for no demand
	EqualCost     bool    // compare at equal cost
	NoKnownIssues bool    // leave the rules of known issues out

	Objectives map[string]float64 // latencies in seconds by statistic, to judge load lines by instead of those of the runs
}

// Readers read the data of a session besides trials. Each may be nil, which disables the findings that need it.
type Readers struct {
	Basis     func(record.Machine) Basis
	Type      func(record.Machine) (catalog.Type, bool)
	Catalogue *catalog.Catalog
	// counts of each step, by the series' name
	Windows func(t record.Trial, want func(record.Series) bool) (map[string][]int64, error)
	Profile ProfileReader
	Sorted  *category.Memory // of what Profile reads; nil sorts it anew each time
	Events  []record.Event
	HashOf  func(record.Plan) string // to find modified plans
}

// BasisOf returns the size, price and power of a machine by its name, even if its fingerprint is unknown; the zero
// Basis if there is no reader of them.
func (in *Input) BasisOf(machine string) Basis {
	if in.Read.Basis == nil {
		return Basis{}
	}
	return lookUp(in, &in.bases, machine, func(m record.Machine) Basis {
		b := in.Read.Basis(m)
		b.Doubts = slices.Clip(b.Doubts) // callers share it
		return b
	})
}

// TypeOf returns the instance type of a machine by its name; the zero Type if unknown.
func (in *Input) TypeOf(machine string) catalog.Type {
	if in.Read.Type == nil {
		return catalog.Type{}
	}
	return lookUp(in, &in.types, machine, func(m record.Machine) catalog.Type {
		t, _ := in.Read.Type(m)
		return t
	})
}

// lookUp returns what a reader knows of a machine by its name, and reads it once.
func lookUp[T any](in *Input, known *map[string]T, machine string, read func(record.Machine) T) T {
	if v, ok := (*known)[machine]; ok {
		return v
	}
	m := in.Fleet[machine]
	m.Name = machine
	if *known == nil {
		*known = map[string]T{}
	}
	v := read(m)
	(*known)[machine] = v
	return v
}

// ProfileReader reads a profile of a trial, by its series record.ProfileCPU or record.ProfileWait; false if it has
// none.
type ProfileReader func(t record.Trial, series string) (record.Profile, bool, error)

// NewInput indexes sessions. Ask and Read are left to be set.
func NewInput(trials []record.Trial, machines []record.Machine, plans []record.PlanLine) *Input {
	in := &Input{Trials: trials, Machines: machines, PlanLines: plans, Fleet: trialset.FleetOf(machines),
		Plans: trialset.PlansByHash(plans)}
	in.Wordings = newWordings(in.Plans)
	in.Counted = trialset.PrimaryFirst(trialset.InPlanOrder(trialset.Counting(trials)), in.Plans)
	_, in.Swept = loadline.Searching(in.Counted)
	in.Ramps = loadline.RampsOf(in.Swept)
	in.JudgeBy(nil)
	return in
}

// JudgeBy sets the objectives of load lines, and condenses searches by them.
func (in *Input) JudgeBy(objectives map[string]float64) {
	in.Ask.Objectives, in.Groups = objectives, nil
	in.Condensed = loadline.Condensed(in.Counted, in.Plans, objectives)
	order, groups := trialset.GroupByKeys(in.Condensed,
		func(t record.Trial) trialset.Key { return trialset.KeyOf(t, "", nil) })
	for _, at := range trialset.Ascending(order) {
		in.Groups = append(in.Groups, Group{at, groups[at]})
	}
}

// Primary returns the cells' primary metrics with the trials of each that are in a set, by id. Cells without one are
// left out.
func (in *Input) Primary(of func(record.Trial) bool) []PrimaryCell {
	byID := map[string]int{}
	for i := range in.Counted {
		if t := in.Counted[i]; of(t) {
			byID[t.ID] = i
		}
	}
	var out []PrimaryCell
	for _, c := range in.Cells {
		if !c.Primary || len(byID) == 0 {
			continue
		}
		var own []int
		for _, v := range c.Trials {
			if i, ok := byID[v.ID]; ok {
				own = append(own, i)
			}
		}
		if len(own) > 0 {
			out = append(out, PrimaryCell{c, trialset.Chosen(in.Counted, own)})
		}
	}
	return out
}

// PrimaryCell is the primary metric of a cell, and some of its trials.
type PrimaryCell struct {
	Cell
	Own []record.Trial
}

// Key returns the key of a cell's trials.
func (c Cell) Key() trialset.Key {
	return trialset.Key{Machine: c.Machine, Workload: c.Workload, Params: trialset.ParamsText(c.Params), Load: c.Load}
}
