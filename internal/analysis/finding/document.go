package finding

import (
	"cmp"
	"slices"

	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
)

// Format is the version of both JSON documents. Within a version keys may be added; none is renamed or removed.
const Format = 1

// ShownDocument is the JSON form of Shown, the document of `show --json`.
type ShownDocument struct {
	Format   int                       `json:"format"`
	Machines map[string]record.Machine `json:"machines"`
	Cells    []CellDocument            `json:"cells"`
	Findings []FindingDocument         `json:"findings"` // in the order of the benchmarks, of each kind by kind
	Notes    []note.Note               `json:"notes"`    // about the sessions as a whole
	// of the machines above that name one session of several
	Sessions map[string]Session `json:"sessions,omitempty"`
}

// ComparedDocument is the JSON form of Compared, the document of `compare --json`.
type ComparedDocument struct {
	Format   int               `json:"format"`
	Baseline string            `json:"baseline"` // the common side a of the pairs; "" if they differ in it
	Pairs    []PairDocument    `json:"pairs"`
	Missing  []Missing         `json:"missing,omitempty"` // sides that no pair has
	Findings []FindingDocument `json:"findings"`          // about all sides
}

// PairDocument is the JSON form of a Pair.
type PairDocument struct {
	Pair
	Findings []FindingDocument `json:"findings"`
}

// CellDocument is the JSON form of a benchmark with all of its metrics.
type CellDocument struct {
	ID       string            `json:"id"` // the same in every document
	Machine  string            `json:"machine"`
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Load     string            `json:"load"`
	Path     string            `json:"path,omitempty"` // code path taken; left out if unknown or mixed
	// of the working set: "cache", "between" or "dram"; left out if unknown or mixed
	Regime string `json:"regime,omitempty"`
	// left out if server and generator were not pinned apart, or not always alike
	CPUSets *record.CPUSets  `json:"cpu_sets,omitempty"`
	Metrics []MetricDocument `json:"metrics"`
	Notes   []note.Note      `json:"notes"` // of the primary metric
}

// MetricDocument is the JSON form of one metric of a benchmark.
type MetricDocument struct {
	Name    string        `json:"name"`
	Unit    string        `json:"unit"`
	Better  record.Better `json:"better"`
	Primary bool          `json:"primary"`
	estimate.Estimate
	Bound  string       `json:"bound,omitempty"` // "lower": value is a lower bound
	N      int          `json:"n"`               // runs in the estimate
	Failed int          `json:"failed"`          // runs left out of it
	Trials []TrialValue `json:"trials"`          // all of them
	Notes  []note.Note  `json:"notes,omitempty"` // other than the benchmark's
}

// FindingDocument is the JSON form of a Finding.
type FindingDocument struct { //nolint:revive // its name in the published schema
	Kind   string   `json:"kind"`
	Cells  []string `json:"cells"`            // ids of the benchmarks that it rests on; tables show it at the first one
	Metric string   `json:"metric,omitempty"` // its metric; left out if it is the primary one
	// by kind; null if the analysis was impossible, for which the notes give the reason
	Body  any         `json:"body"`
	Notes []note.Note `json:"notes"`
}

// Session is a session with a name of its own.
type Session struct {
	Machine string            `json:"machine"`
	File    string            `json:"file,omitempty"`
	Labels  map[string]string `json:"labels,omitempty"`
	Began   string            `json:"began,omitempty"` // UTC, start of its first run
}

// Shown is the analysis of one set of trials.
type Shown struct {
	Machines  map[string]record.Machine
	Workloads []Cell
	Warnings  []note.Note
	Sessions  map[string]Session // of the machines above that name one session of several
}

// Document returns the JSON form.
func (s Shown) Document() ShownDocument {
	out := ShownDocument{Format: Format, Machines: s.Machines, Cells: []CellDocument{}, Findings: []FindingDocument{},
		Notes: listed(s.Warnings), Sessions: s.Sessions}
	for _, metrics := range GroupBy(s.Workloads, func(c Cell) string { return IDOf(c.Key()) }) {
		out.Cells = append(out.Cells, cellDocument(metrics))
		for _, c := range metrics {
			out.Findings = append(out.Findings, c.findings()...)
		}
	}
	return out
}

// Document returns the JSON form.
func (c Compared) Document() ComparedDocument {
	out := ComparedDocument{Format: Format, Pairs: []PairDocument{}, Missing: c.Missing,
		Findings: findingDocuments(c.Found)}
	for i, p := range c.Pairs {
		if i == 0 {
			out.Baseline = p.A
		}
		if p.A != out.Baseline {
			out.Baseline = ""
		}
		out.Pairs = append(out.Pairs, PairDocument{p, findingDocuments(p.Found)})
	}
	return out
}

// IDOf returns the id of a cell in documents.
func IDOf(at trialset.Key) string {
	if at.Machine == "" {
		return at.String()
	}
	return at.Machine + ": " + at.String()
}

func cellDocument(metrics []Cell) CellDocument {
	first := metrics[max(0, slices.IndexFunc(metrics, func(c Cell) bool { return c.Primary }))]
	out := CellDocument{
		ID: IDOf(first.Key()), Machine: first.Machine, Workload: first.Workload, Params: first.Params, Load: first.Load,
		Path: first.Path, Regime: first.Regime, CPUSets: first.CPUSets, Notes: listed(first.Doubts),
	}
	for _, c := range metrics {
		m := MetricDocument{
			Name: c.Metric, Unit: c.Unit, Better: c.Better, Primary: c.Primary, Estimate: c.Estimate, N: c.N, Failed: c.Void,
			Trials: listed(c.Trials),
			Notes:  note.Without(c.Doubts, first.Doubts),
		}
		if c.AtLeast {
			m.Bound = loadline.LowerBound
		}
		out.Metrics = append(out.Metrics, m)
	}
	return out
}

// findings returns the JSON form of the findings about a cell, each of which names a cell and its metric.
func (c Cell) findings() []FindingDocument {
	out := findingDocuments(c.Found)
	for i := range out {
		if len(out[i].Cells) == 0 {
			out[i].Cells = []string{IDOf(c.Key())}
		}
		if !c.Primary {
			out[i].Metric = c.Metric
		}
	}
	return out
}

// findingDocuments returns the JSON form of findings, kind by kind.
func findingDocuments(found []Finding) []FindingDocument {
	out := []FindingDocument{}
	for _, f := range slices.SortedStableFunc(slices.Values(found),
		func(a, b Finding) int { return cmp.Compare(a.Kind, b.Kind) }) {
		d := FindingDocument{Kind: f.Kind, Cells: []string{}, Metric: f.Metric, Body: f.Body, Notes: listed(f.Caveats())}
		for _, at := range f.Cells {
			d.Cells = append(d.Cells, IDOf(at))
		}
		out = append(out, d)
	}
	return out
}

// listed returns a list that JSON writes as [] if it is empty.
func listed[T any](all []T) []T { return append([]T{}, all...) }
