package explore

import (
	"fmt"
	"maps"
	"math"
	"path"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/host/fact"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
)

// Input is what a session's summary is made of.
type Input struct {
	Machines []record.Machine
	Plans    []record.PlanLine
	Trials   []record.Trial
	Ends     []record.End
	TypeOf   func(record.Machine) string // instance type; "" if unknown
}

// Summary is what is kept of a session: enough for its rows and for the histories of its cells.
type Summary struct {
	Plan      string            `json:"plan"`
	Workloads []string          `json:"workloads"`
	Labels    map[string]string `json:"labels,omitempty"`
	// why it ended: "done", "interrupted", "budget", "failed"; "" if it has not
	Ended    string    `json:"ended,omitempty"`
	Machines []Machine `json:"machines"`
	More     int       `json:"more,omitempty"`     // cells that are not kept
	Plans    []string  `json:"plans"`              // their hashes, which no two sessions share
	Imported []string  `json:"imported,omitempty"` // name and SHA-256, in hex, of each imported file
}

// Machine is the part of a session on one machine.
type Machine struct {
	Name      string            `json:"name"`
	ID        string            `json:"id,omitempty"` // digest of its identity
	Type      string            `json:"type,omitempty"`
	CPU       string            `json:"cpu,omitempty"`
	VCPUs     int               `json:"vcpus,omitempty"`
	Facts     map[string]string `json:"facts,omitempty"` // what may explain a difference between two nights
	Began     string            `json:"began,omitempty"` // UTC, start of its first run
	Runs      int               `json:"runs"`            // all of them
	Failed    int               `json:"failed"`
	Disturbed int               `json:"disturbed"`
	Why       string            `json:"why,omitempty"` // why the first failed run failed
	Cells     []Cell            `json:"cells"`
	Key       int               `json:"key"` // index of the cell that stands for it, -1 if there is none
}

// Cell is the result of one benchmark by its primary metric.
type Cell struct {
	ID string `json:"id"` // as in the documents of `show --json`
	// the same with varied parameters by the names of their levels, if it differs
	Named    string        `json:"named,omitempty"`
	Title    string        `json:"title"` // its workload, the parameters that matter, and its load
	Workload string        `json:"workload"`
	Load     string        `json:"load"`
	Metric   string        `json:"metric"`
	Unit     string        `json:"unit"`
	Better   record.Better `json:"better"`
	estimate.Estimate
	AtLeast bool      `json:"at_least,omitempty"` // the value is a lower bound
	N       int       `json:"n"`                  // runs in the estimate
	Failed  int       `json:"failed"`
	Runs    []float64 `json:"runs"` // values of the runs in the estimate, in their order

	// what its runs state besides parameters and labels: engines, code paths, builds
	Versions map[string]string `json:"versions,omitempty"`
	// nil for the first side of a comparison, and for a benchmark without one
	Control *Control `json:"control,omitempty"`
}

// Control is a benchmark against the first side of its comparison, in the same session.
type Control struct {
	ID      string            `json:"id"` // of that side's benchmark, with the names of levels
	Title   string            `json:"title"`
	Machine string            `json:"machine"`
	Ratio   estimate.Estimate `json:"ratio"` // of the benchmark to its control
	N       int               `json:"n"`     // pairs, or runs of the smaller side
	// "better", "worse", "different", "equal" or "undecided", as compare has it by the session's own rule
	Verdict string `json:"verdict"`
}

// The bounds of what is kept of one session, however large.
const (
	maxCells = 100
	maxRuns  = 60
)

// Summarize summarizes a session.
func Summarize(from Input) Summary {
	in := finding.NewInput(from.Trials, from.Machines, from.Plans)
	out := Summary{Plan: planNames(from.Plans), Labels: labelsOf(from.Plans), Workloads: []string{}, Machines: []Machine{},
		Plans: []string{}}
	if len(from.Ends) > 0 {
		out.Ended = from.Ends[len(from.Ends)-1].Reason
	}
	for _, p := range from.Plans {
		out.Plans = trialset.AppendNew(out.Plans, p.Hash)
		if of := p.Plan.Imported; of != nil && of.SHA256 != "" {
			out.Imported = trialset.AppendNew(out.Imported, path.Base(of.File)+" "+of.SHA256)
		}
	}
	at := map[string]int{}
	for _, t := range from.Trials {
		name := t.Keys[record.KeyMachine]
		if _, ok := at[name]; !ok {
			at[name] = len(out.Machines)
			out.Machines = append(out.Machines, machineOf(name, in.Fleet[name], from.TypeOf))
		}
		out.Machines[at[name]].count(t)
		out.Workloads = trialset.AppendNew(out.Workloads, trialset.WorkloadOf(t))
	}
	for _, m := range from.Machines {
		if _, ok := at[m.Name]; !ok && len(from.Trials) == 0 {
			at[m.Name] = len(out.Machines)
			out.Machines = append(out.Machines, machineOf(m.Name, m, from.TypeOf))
		}
	}
	kept, controls := 0, controlsIn(in.Groups)
	for _, g := range in.Groups {
		if kept == maxCells {
			out.More++
			continue
		}
		kept++
		m := &out.Machines[at[g.Key.Machine]]
		cell := cellOf(g, in.Wordings)
		cell.Control = controls.of(g, cell, in)
		m.Cells = append(m.Cells, cell)
	}
	for i := range out.Machines {
		out.Machines[i].Key = keyOf(out.Machines[i].Cells)
	}
	return out
}

func planNames(plans []record.PlanLine) string {
	var names []string
	for _, p := range plans {
		if name := p.Plan.Name; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return trialset.FirstFew(names)
}

// labelsOf returns the labels in which all plans agree.
func labelsOf(plans []record.PlanLine) map[string]string {
	var out map[string]string
	for i, p := range plans {
		if i == 0 {
			out = map[string]string{}
			for k, v := range p.Plan.Labels {
				out[k] = v
			}
		}
		for k, v := range out {
			if p.Plan.Labels[k] != v {
				delete(out, k)
			}
		}
	}
	return out
}

func machineOf(name string, m record.Machine, typeOf func(record.Machine) string) Machine {
	out := Machine{Name: name, ID: m.ID, CPU: m.CPU.Model, VCPUs: m.CPU.Threads, Cells: []Cell{}, Key: -1}
	if m.Name == "" {
		m.Name = name
	}
	if typeOf != nil {
		out.Type = typeOf(m)
	}
	if m.ID != "" {
		out.Facts = fact.Compared(m)
	}
	return out
}

func (m *Machine) count(t record.Trial) {
	m.Runs++
	m.Began = earlier(m.Began, t.Start)
	switch {
	case t.Void != "":
		m.Failed++
		if m.Why == "" {
			m.Why = note.FromRecord(t.Void).Text()
		}
	case trialset.Tainted(t):
		m.Disturbed++
	}
}

// earlier returns the earlier one of two instants, in UTC; the first if the second is none.
func earlier(a, b string) string {
	at, err := record.ParseTime(b)
	if err != nil {
		return a
	}
	if first, err := record.ParseTime(a); err == nil && first.Before(at) {
		return a
	}
	return record.FormatTime(at)
}

func cellOf(g finding.Group, words *finding.Wordings) Cell {
	ok := trialset.Valid(g.Trials)
	first := g.Trials[0]
	out := Cell{ID: finding.IDOf(g.Key), Workload: g.Key.Workload, Load: record.LoadText(g.Key.Load),
		Failed: len(g.Trials) - len(ok), Runs: []float64{}}
	out.Title = titleOf(g.Key, words.Of(first).Of(namedParams(first)))
	if id := finding.IDOf(named(g.Key, first)); id != out.ID {
		out.Named = id
	}
	out.Metric = trialset.PrimaryOf(ok)
	for _, m := range trialset.MetricsOf(ok) {
		if m.Name == out.Metric {
			out.Unit, out.Better = m.Unit, m.Better
		}
	}
	values := trialset.ValuesOf(ok, out.Metric)
	out.N = len(values)
	if out.N == 0 {
		return out
	}
	if out.Estimate = estimate.Of(values); math.IsNaN(out.Value) || math.IsInf(out.Value, 0) {
		out.Estimate, out.N = estimate.Estimate{}, 0
		return out
	}
	if atLeast(ok, out.Metric) {
		out.AtLeast, out.Lo, out.Hi = true, nil, nil
	}
	out.Runs = slices.Clone(values[max(0, len(values)-maxRuns):])
	out.Versions = versionsOf(ok)
	return out
}

// titleOf names a cell by what sets it apart from others of its workload, as far as its plan says.
func titleOf(at trialset.Key, major map[string]string) string {
	parts := []string{at.Workload}
	if at.Load != "" {
		parts = append(parts, record.LoadText(at.Load))
	}
	for _, name := range slices.Sorted(maps.Keys(major)) {
		if value := strings.Join(strings.Fields(major[name]), " "); value != "" {
			parts = append(parts, name+"="+value)
		}
	}
	const most = 6
	if n := len(parts) - most; n > 0 {
		parts = append(parts[:most], fmt.Sprintf("%d more", n))
	}
	return strings.Join(parts, " · ")
}

// namedParams returns the parameters of a trial, those that were varied by the names of their levels: what a level
// named head runs may be another command every night.
func namedParams(t record.Trial) map[string]string {
	out := trialset.ParamsOf(t, nil)
	for key, level := range t.Keys {
		factor, ok := strings.CutPrefix(key, record.FactorPrefix)
		factor = strings.TrimPrefix(factor, trialset.WorkloadOf(t)+".")
		if _, set := out[factor]; ok && set {
			out[factor] = level
		}
	}
	return out
}

// named returns a cell's key with the names of levels.
func named(at trialset.Key, t record.Trial) trialset.Key {
	at.Params = trialset.ParamsText(namedParams(t))
	return at
}

// keyOf returns the cell that stands for a machine: of its first workload with a result the one with the highest
// throughput, or the first if less is better. Throughput that was offered counts only if there is none that the machine
// chose.
func keyOf(cells []Cell) int {
	best := -1
	for i, c := range cells {
		switch {
		case c.N == 0:
		case best < 0:
			best = i
		case c.Workload != cells[best].Workload || c.Metric != cells[best].Metric || c.Unit != cells[best].Unit:
		case c.Better == record.Higher && c.Value > cells[best].Value:
			best = i
		}
	}
	return best
}
