package profile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/axis"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// Profile is the breakdown of a benchmark's time, from its profiled runs: the document of `profile` in `show --json`.
// It belongs to the primary metric.
type Profile struct {
	N       int                `json:"n"`          // profiled runs
	Samples int64              `json:"samples"`    // of CPU time, of all runs
	Clock   string             `json:"clock"`      // the source of the samples: record.Clock*
	PeriodS float64            `json:"period_s"`   // mean time per sample
	PerOp   *estimate.Estimate `json:"cpu_per_op"` // s, while profiled; nil if unknown
	CPU     []Spent            `json:"cpu"`        // largest first
	Waits   []Spent            `json:"waits"`      // likewise, of waiting threads
	Doubts  []note.Note        `json:"-"`
}

// Caveats returns the notes of the finding.
func (p Profile) Caveats() []note.Note { return p.Doubts }

// Spent is the time in a category.
type Spent struct {
	Category category.Name      `json:"category"`
	Samples  int64              `json:"samples"`
	Share    estimate.Estimate  `json:"share"`  // of all samples, the mean over the runs, 0 to 1
	PerOp    *estimate.Estimate `json:"per_op"` // s per operation, of CPU or of waiting threads; nil if unknown
}

// MostUnattributed is the share of unattributed samples above which a note is added.
const MostUnattributed = .1

// fewSamples is the number of samples per trial below which a share of a tenth has a standard error over a hundredth.
const fewSamples = 1000

// profileFindings returns the breakdowns of the profiled cells.
func profileFindings(in *finding.Input) []finding.Finding {
	if in.Read.Profile == nil {
		return nil
	}
	measured := map[trialset.Key]bool{}
	for _, c := range in.Cells {
		measured[c.Key()] = true
	}
	var out []finding.Finding
	for _, c := range Cells(in.Trials) {
		p := sumProfiles(c.Trials, in.Read)
		at := trialset.KeyOf(c.Trials[0], "", nil)
		switch {
		case measured[at]:
			out = append(out, KindProfile.New(p, at)...)
		case p != nil:
			out = append(out, finding.Finding{Notes: []note.Note{note.New("profile-not-shown", c)}})
		}
	}
	return out
}

// Cell is a profiled cell.
type Cell struct {
	Machine  string
	Workload string
	Params   map[string]string
	Load     string         // record.LoadPoint's text form
	Trials   []record.Trial // the profiled ones that are valid

	told map[string]string // of Params, those that differ between profiled cells of the workload
}

// String names the cell among the profiled ones of all machines.
func (c Cell) String() string {
	return c.Machine + ": " + trialset.Key{Workload: c.Workload, Params: trialset.ParamsText(c.told),
		Load: c.Load}.String()
}

// tellApart sets the parameters that distinguish the cells of one workload.
func tellApart(cells []*Cell) {
	for _, c := range cells {
		c.told = map[string]string{}
		for name, v := range c.Params {
			if slices.ContainsFunc(cells, func(o *Cell) bool { return o.Workload == c.Workload && o.Params[name] != v }) {
				c.told[name] = v
			}
		}
	}
}

// Cells returns the cells with valid profiled trials, in the order of their plans.
func Cells(trials []record.Trial) []Cell {
	order, groups := trialset.GroupByKeys(trialset.InPlanOrder(validProfiled(trials)),
		func(t record.Trial) trialset.Key { return trialset.KeyOf(t, "", nil) })
	out := make([]Cell, len(order))
	at := make([]*Cell, len(order))
	for i, p := range order {
		out[i] = cellOf(groups[p])
		at[i] = &out[i]
	}
	tellApart(at)
	return out
}

func validProfiled(trials []record.Trial) []record.Trial {
	return trialset.Filter(trials, func(t *record.Trial) bool { return t.Profiled && t.Void == "" })
}

func cellOf(trials []record.Trial) Cell {
	t := trials[0]
	return Cell{Machine: t.Keys[record.KeyMachine], Workload: trialset.WorkloadOf(t), Params: trialset.ParamsOf(t, nil),
		Load: trialset.LoadOf(t), Trials: trials}
}

// Pair is a cell profiled on both sides of a comparison.
type Pair struct {
	By      string // "machine" or a factor
	Machine string // of both sides; "" if machines are compared
	LevelA  string // the baseline
	LevelB  string
	A, B    Cell
}

// Pairs returns the cells profiled on the baseline and on another side of an axis, machines or a factor. An empty
// result is no error.
func Pairs(trials []record.Trial, plans []record.PlanLine, by string) []Pair {
	trials = trialset.InPlanOrder(validProfiled(trials))
	ax, err := axis.New(by, "", nil, trials, plans)
	if err != nil {
		return nil // profiled on one side alone
	}
	var out []Pair
	for _, scope := range ax.Scopes(trials) {
		of := ax.Sides(scope)
		for _, b := range ax.Levels[1:] {
			both, _, _ := ax.Match(of(ax.Levels[0], b), ax.Levels[0], b)
			for _, m := range both {
				p := Pair{By: by, LevelA: ax.Levels[0], LevelB: b, A: cellOf(m.A), B: cellOf(m.B)}
				if !trialset.AcrossMachines(by) {
					p.Machine = p.A.Machine
				}
				out = append(out, p)
			}
		}
	}
	var at []*Cell
	for i := range out {
		at = append(at, &out[i].A, &out[i].B)
	}
	tellApart(at)
	return out
}

// String names the common properties of both sides among the pairs of their axis.
func (p Pair) String() string {
	told := maps.Clone(p.A.told)
	maps.DeleteFunc(told, func(name, v string) bool { return p.B.Params[name] != v })
	common := trialset.Key{Workload: p.A.Workload, Params: trialset.ParamsText(told), Load: p.A.Load}
	if p.B.Load != p.A.Load {
		common.Load = ""
	}
	if p.Machine == "" {
		return common.String()
	}
	return p.Machine + ": " + common.String()
}

// Sides returns the names of the baseline and the other side.
func (p Pair) Sides() (a, b string) {
	return axis.Label(p.By, p.LevelA), axis.Label(p.By, p.LevelB)
}

// sumProfiles summarizes the profiles of one cell's trials; nil if none is readable.
func sumProfiles(trials []record.Trial, read finding.Readers) *Profile {
	p := &Profile{CPU: []Spent{}, Waits: []Spent{}, Doubts: []note.Note{}}
	var cpu, waits []category.Costs
	var perOp []float64
	sampled := 0.0 // s
	fewest := int64(math.MaxInt64)
	for _, t := range trials {
		of, err := costsIn(t, read)
		if err != nil {
			p.Doubts = append(p.Doubts, note.New("profile-unreadable", record.RunNumber(t.Replicate), err))
			continue
		}
		p.Clock = of.profile.Clock
		sampled += float64(of.cpu.Samples) * float64(of.profile.PeriodNs) * 1e-9
		p.N, p.Samples, fewest = p.N+1, p.Samples+of.cpu.Samples, min(fewest, of.cpu.Samples)
		cpu, perOp = append(cpu, of.cpu), append(perOp, of.cpu.PerOp)
		if of.waits.Samples > 0 {
			waits = append(waits, of.waits)
		}
	}
	if p.N == 0 {
		return nil
	}
	p.PeriodS = sampled / float64(p.Samples)
	p.PerOp = meanOfKnown(perOp)
	p.CPU, p.Waits = spentOn(cpu), spentOn(waits)
	p.doubtShares(fewest)
	return p
}

// profileCosts is the breakdown of one trial's time.
type profileCosts struct {
	profile    record.Profile // of CPU time
	cpu, waits category.Costs
}

func costsIn(t record.Trial, read finding.Readers) (out profileCosts, err error) {
	p, _, err := read.Profile(t, record.ProfileCPU)
	if err != nil {
		return out, fmt.Errorf("its profile cannot be read: %w", err)
	}
	out.profile = p
	cpu, ok := read.Sorted.CPUCosts(t, p)
	if out.cpu = cpu; !ok {
		return out, errors.New("its profile has no samples of CPU time")
	}
	w, _, err := read.Profile(t, record.ProfileWait)
	if err != nil {
		return out, fmt.Errorf("the profile of its waits cannot be read: %w", err)
	}
	out.waits, _ = read.Sorted.WaitCosts(t, w)
	return out, nil
}

func (p *Profile) doubtShares(fewest int64) {
	for _, s := range p.CPU {
		if s.Category == category.Unattributed && s.Share.Value > MostUnattributed {
			p.Doubts = append(p.Doubts, note.New("unattributed", 100*s.Share.Value, 100*MostUnattributed))
		}
	}
	if fewest < fewSamples {
		p.Doubts = append(p.Doubts, note.New("few-samples", fewest, 100*shareError(.1, float64(fewest))))
	}
}

// spentOn returns the categories' means over trials. A trial without a sample of a category spent nothing on it.
func spentOn(trials []category.Costs) []Spent {
	shares, costs, samples := map[category.Name][]float64{}, map[category.Name][]float64{}, map[category.Name]int64{}
	total, known := 0.0, true
	for i, c := range trials {
		total += float64(c.Samples)
		known = known && c.PerOp > 0
		for _, of := range c.Each {
			if shares[of.Category] == nil {
				shares[of.Category], costs[of.Category] = make([]float64, len(trials)), make([]float64, len(trials))
			}
			shares[of.Category][i], costs[of.Category][i] = of.Share, of.PerOp
			samples[of.Category] += of.Samples
		}
	}
	out := []Spent{}
	for name, s := range shares {
		share := stat.Mean(s)
		floor := shareError(share, total/float64(len(trials)))
		spent := Spent{Category: name, Samples: samples[name], Share: estimate.MeanOf(s, floor).Within(0, 1)}
		if known {
			perOp := estimate.MeanOf(costs[name], stat.Mean(costs[name])*floor/share).Within(0, math.Inf(1))
			spent.PerOp = &perOp
		}
		out = append(out, spent)
	}
	slices.SortFunc(out, func(a, b Spent) int {
		return cmp.Or(cmp.Compare(b.Share.Value, a.Share.Value), cmp.Compare(a.Category, b.Category))
	})
	return out
}

// shareError returns the standard error of a share of n independent samples, √(share·(1−share)/n).
func shareError(share, n float64) float64 { return math.Sqrt(share * (1 - share) / n) }

// meanOfKnown returns the mean cost over trials; nil if one of them is unknown.
func meanOfKnown(values []float64) *estimate.Estimate {
	if slices.Min(values) <= 0 {
		return nil
	}
	return estimate.AmountOf(values)
}
