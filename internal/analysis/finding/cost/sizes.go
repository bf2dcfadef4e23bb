package cost

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// FamilySizes is how the throughput of one family grows with the size of its machines, and what that is per dollar. All
// intervals of Steps hold together, and so do those of all pairs of sizes that PerDollar is the widest of (Bonferroni).
type FamilySizes struct {
	Family   string            `json:"family"`
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Load     string            `json:"load"`
	Metric   string            `json:"metric"`
	Sizes    []SizeRate        `json:"sizes"` // smallest first
	Steps    []SizeStep        `json:"steps"`
	// EQUIVALENT: the throughput of every step grows as its vCPUs do
	Proportional trialset.Verdict `json:"proportional"`
	// of the size that handles most for its price over the one that handles least; null if a price is unknown
	PerDollar *SizeSpread `json:"per_dollar"`
	Doubts    []note.Note `json:"-"`
}

// Caveats returns the notes of the finding.
func (f FamilySizes) Caveats() []note.Note { return f.Doubts }

// SizeRate is one size of a family.
type SizeRate struct {
	Type         string  `json:"type"`
	VCPUs        float64 `json:"vcpus"`
	PricePerHour float64 `json:"usd_per_hour,omitempty"`
	Rate         float64 `json:"rate"` // geometric mean
	N            int     `json:"n"`    // runs, or machines if each size has several

	logs []float64
}

// SizeStep is one size of a family against the next smaller one.
type SizeStep struct {
	From  string            `json:"from"`
	To    string            `json:"to"`
	VCPUs float64           `json:"vcpus"` // ratio
	Rate  estimate.Estimate `json:"rate"`  // likewise
	// of the ratio of throughput to that of the vCPUs: EQUIVALENT within the margin
	Proportional trialset.Verdict `json:"proportional"`
}

// SizeSpread is the largest difference per dollar between two sizes of a family.
type SizeSpread struct {
	Most    string            `json:"most"`
	Least   string            `json:"least"`
	Ratio   estimate.Estimate `json:"ratio"`   // of Most over Least
	Verdict trialset.Verdict  `json:"verdict"` // EQUIVALENT: no two sizes differ by more than the margin
}

// SameSizes compares the machines of two families that have sizes of one name, such as 4xlarge. The intervals hold
// together.
type SameSizes struct {
	A        string            `json:"a"`
	B        string            `json:"b"`
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Load     string            `json:"load"`
	Metric   string            `json:"metric"`
	Sizes    []SameSize        `json:"sizes"` // smallest first
	Doubts   []note.Note       `json:"-"`
}

// Caveats returns the notes of the finding.
func (s SameSizes) Caveats() []note.Note { return s.Doubts }

// SameSize is one size of two families: b over a.
type SameSize struct {
	Size      string             `json:"size"`
	Rate      estimate.Estimate  `json:"rate"`
	Verdict   trialset.Verdict   `json:"verdict"`
	PerDollar *estimate.Estimate `json:"per_dollar"` // null if a price is unknown
}

// familyCell is the machines of a family in one cell.
type familyCell struct {
	family string
	at     FamilySizes // its cell alone
	sizes  []SizeRate
	doubts []note.Note
}

// familyCells returns the families of two types or more in each cell that loads whole machines.
func familyCells(s *finding.Sides) [][]familyCell {
	if s.By != record.KeyMachine || s.Read.Basis == nil {
		return nil
	}
	var out [][]familyCell
	order, cells := trialset.GroupByKeys(trialset.Measuring(s.Trials),
		func(t record.Trial) trialset.Key { return trialset.KeyOf(t, record.KeyMachine, nil) })
	for _, at := range order {
		trials := cells[at]
		cell := FamilySizes{Workload: at.Workload, Params: trialset.ParamsOf(trials[0], nil), Load: at.Load,
			Metric: sweep.RateOf(trials)}
		if cell.Metric == "" {
			continue
		}
		if found := cell.families(s.Input, trials); len(found) > 0 {
			out = append(out, found)
		}
	}
	return out
}

// sizeOf is the machines of one type, the ln rates of each.
type sizeOf struct {
	basis    finding.Basis
	machines [][]float64
}

// families groups the machines of a cell by family and type.
func (cell FamilySizes) families(in *finding.Input, trials []record.Trial) []familyCell {
	byFamily := map[string]map[string]*sizeOf{}
	order, machines := trialset.GroupByKeys(trials, func(t record.Trial) string { return t.Keys[record.KeyMachine] })
	for _, m := range order {
		b := in.BasisOf(m)
		logs := stat.Logs(trialset.ValuesOf(machines[m], cell.Metric))
		if b.Family == "" || b.Type == "" || b.VCPUs <= 0 || b.Hosts > 1 || !Fills(cell.Load, &b) || len(logs) == 0 ||
			math.IsNaN(stat.Mean(logs)) || math.IsInf(stat.Mean(logs), 0) {
			continue
		}
		if byFamily[b.Family] == nil {
			byFamily[b.Family] = map[string]*sizeOf{}
		}
		of := byFamily[b.Family][b.Type]
		if of == nil {
			of = &sizeOf{basis: b}
			byFamily[b.Family][b.Type] = of
		}
		if of.basis.PricePerHour != b.PricePerHour {
			of.basis.PricePerHour = 0 // two prices of one type are none
		}
		of.machines = append(of.machines, logs)
	}
	var out []familyCell
	for _, family := range slices.Sorted(maps.Keys(byFamily)) {
		if len(byFamily[family]) >= minFamilySizes {
			out = append(out, cell.family(family, slices.Collect(maps.Values(byFamily[family]))))
		}
	}
	return out
}

func (cell FamilySizes) family(name string, types []*sizeOf) familyCell {
	out := familyCell{family: name, at: cell, doubts: []note.Note{}}
	ofFamily := !slices.ContainsFunc(types, func(s *sizeOf) bool { return len(s.machines) < estimate.MinReplicates })
	if !ofFamily {
		out.doubts = append(out.doubts, note.New("these-machines-alone", estimate.MinReplicates))
	}
	for _, s := range types {
		var logs []float64
		for _, machine := range s.machines {
			if ofFamily {
				machine = []float64{stat.Mean(machine)}
			}
			logs = append(logs, machine...)
		}
		out.sizes = append(out.sizes, SizeRate{Type: s.basis.Type, VCPUs: s.basis.VCPUs, PricePerHour: s.basis.PricePerHour,
			Rate: math.Exp(stat.Mean(logs)), N: len(logs), logs: logs})
	}
	slices.SortFunc(out.sizes, func(a, b SizeRate) int {
		return cmp.Or(cmp.Compare(a.VCPUs, b.VCPUs), cmp.Compare(a.PricePerHour, b.PricePerHour),
			strings.Compare(a.Type, b.Type))
	})
	return out
}

// sizes returns the growth of each family's throughput with its size.
func sizes(s *finding.Sides) []finding.Finding {
	var out []FamilySizes
	for _, cell := range familyCells(s) {
		for _, f := range cell {
			out = append(out, f.bySize())
		}
	}
	return KindSizes.Each(out)
}

func (f familyCell) bySize() FamilySizes {
	out := f.at
	out.Family, out.Sizes, out.Doubts, out.Steps = f.family, f.sizes, f.doubts, []SizeStep{}
	steps := len(f.sizes) - 1
	for i, to := range f.sizes[1:] {
		from := f.sizes[i]
		step := SizeStep{From: from.Type, To: to.Type, VCPUs: to.VCPUs / from.VCPUs}
		r := ratioOf(from.logs, to.logs, steps)
		step.Rate = estimate.FromLogs(r, r.N)
		step.Proportional = verdictOf(r, math.Log(step.VCPUs), steps)
		out.Steps = append(out.Steps, step)
	}
	out.Proportional = jointVerdict(list.Map(out.Steps, func(s SizeStep) trialset.Verdict { return s.Proportional }))
	out.PerDollar = spreadOf(f.sizes)
	return out
}

// spreadOf returns the largest difference per dollar; nil if a price is unknown.
func spreadOf(sizes []SizeRate) *SizeSpread {
	perDollar := make([][]float64, len(sizes))
	most, least := 0, 0
	for i, s := range sizes {
		if s.PricePerHour <= 0 {
			return nil
		}
		for _, v := range s.logs {
			perDollar[i] = append(perDollar[i], v-math.Log(s.PricePerHour))
		}
		if stat.Mean(perDollar[i]) > stat.Mean(perDollar[most]) {
			most = i
		}
		if stat.Mean(perDollar[i]) < stat.Mean(perDollar[least]) {
			least = i
		}
	}
	if most == least { // all alike, to the digit
		most = len(sizes) - 1
	}
	pairs := len(sizes) * (len(sizes) - 1) / 2
	widest := ratioOf(perDollar[least], perDollar[most], pairs)
	var verdicts []trialset.Verdict
	for i := range sizes {
		for j := range i {
			verdicts = append(verdicts, verdictOf(ratioOf(perDollar[j], perDollar[i], pairs), 0, pairs))
		}
	}
	return &SizeSpread{Most: sizes[most].Type, Least: sizes[least].Type, Ratio: estimate.FromLogs(widest, widest.N),
		Verdict: jointVerdict(verdicts)}
}

// jointVerdict returns whether all are EQUIVALENT, or one is DIFFERENT.
func jointVerdict(verdicts []trialset.Verdict) trialset.Verdict {
	for _, v := range []trialset.Verdict{trialset.Different, trialset.Undecided} {
		if slices.Contains(verdicts, v) {
			return v
		}
	}
	return trialset.Equivalent
}

// ratioOf returns the ratio of b to a, with an interval that holds for that many ratios together.
func ratioOf(a, b []float64, together int) stat.LogRatio {
	return stat.WelchRatio(a, b, stat.OptsFor(stat.Fixed(estimate.Alpha/float64(together))))
}

// verdictOf judges by how much the log of a ratio departs from an expectation.
func verdictOf(r stat.LogRatio, expected float64, together int) trialset.Verdict {
	if r.N < estimate.MinReplicates {
		return trialset.Undecided
	}
	r.Mean -= expected
	r.Hull = stat.Interval{Lo: r.Hull.Lo - expected, Hi: r.Hull.Hi - expected}
	return trialset.Preregistered{Boundary: stat.Fixed(estimate.Alpha / float64(together)),
		Margin: estimate.Margin}.Rule().Verdict(r)
}

// sameSizes compares families at the sizes of one name.
func sameSizes(s *finding.Sides) []finding.Finding {
	var out []SameSizes
	for _, cell := range familyCells(s) {
		for i, a := range cell {
			for _, b := range cell[i+1:] {
				if found := a.against(b); len(found.Sizes) > 0 {
					out = append(out, found)
				}
			}
		}
	}
	return KindSameSizes.Each(out)
}

func (f familyCell) against(other familyCell) SameSizes {
	out := SameSizes{A: f.family, B: other.family, Workload: f.at.Workload, Params: f.at.Params, Load: f.at.Load,
		Metric: f.at.Metric, Sizes: []SameSize{}, Doubts: f.doubts}
	if len(f.doubts) == 0 {
		out.Doubts = other.doubts
	}
	ofName := map[string]SizeRate{}
	for _, s := range other.sizes {
		ofName[sizeName(s.Type)] = s
	}
	var both [][2]SizeRate
	for _, s := range f.sizes {
		if name := sizeName(s.Type); name != "" && len(ofName[name].logs) > 0 {
			both = append(both, [2]SizeRate{s, ofName[name]})
		}
	}
	for _, s := range both {
		r := ratioOf(s[0].logs, s[1].logs, len(both))
		same := SameSize{Size: sizeName(s[0].Type), Rate: estimate.FromLogs(r, r.N), Verdict: verdictOf(r, 0, len(both))}
		if s[0].PricePerHour > 0 && s[1].PricePerHour > 0 {
			perDollar := same.Rate.Scale(s[0].PricePerHour / s[1].PricePerHour)
			same.PerDollar = &perDollar
		}
		out.Sizes = append(out.Sizes, same)
	}
	return out
}

// sizeName returns the size in the name of a type: "4xlarge" of is4gen.4xlarge; "" if it has none.
func sizeName(of string) string {
	_, size, _ := strings.Cut(of, ".")
	return size
}
