package cost

import (
	"cmp"
	"math"
	"slices"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// FamilyRatio is the ratio of machine sizes of families A and B at equal throughput: 1.5 if 48 vCPUs of A match 32 of
// B.
type FamilyRatio struct {
	A        string            `json:"a"`
	B        string            `json:"b"`
	Workload string            `json:"workload"`
	Params   map[string]string `json:"params"`
	Load     string            `json:"load"`
	Metric   string            `json:"metric"`
	// of all sizes; null if no one multiple can hold at each of them
	Multiple *estimate.Estimate `json:"multiple"`
	Sizes    []SizeRatio        `json:"sizes"` // of B, smallest first
	Doubts   []note.Note        `json:"-"`
}

// Caveats returns the notes of the finding.
func (f FamilyRatio) Caveats() []note.Note { return f.Doubts }

// SizeRatio is the ratio at one size of B.
type SizeRatio struct {
	VCPUs    float64           `json:"vcpus"`
	Multiple estimate.Estimate `json:"multiple"`
}

// minFamilySizes is the least number of sizes for a family's curve.
const minFamilySizes = 2

// families compares the families of instance types if two sizes or more of both measured the same.
func families(s *finding.Sides) []finding.Finding {
	if s.By != record.KeyMachine || s.Read.Basis == nil {
		return nil
	}
	if !severalSizes(s) {
		return nil
	}
	var out []FamilyRatio
	order, cells := trialset.GroupByKeys(trialset.Measuring(s.Trials),
		func(t record.Trial) trialset.Key { return trialset.KeyOf(t, record.KeyMachine, nil) })
	for _, at := range order {
		names, families := sizesByFamily(s.Input, cells[at])
		for i, a := range names {
			for _, b := range names[i+1:] {
				if f := familyRatio(families[a], families[b]); f != nil {
					first := cells[at][0]
					f.A, f.B, f.Workload, f.Params, f.Load, f.Metric = a, b, at.Workload, trialset.ParamsOf(first, nil), at.Load,
						sweep.RateOf(cells[at])
					out = append(out, *f)
				}
			}
		}
	}
	return KindFamily.Each(out)
}

// severalSizes reports whether two families have as many sizes among the machines as a curve needs.
func severalSizes(s *finding.Sides) bool {
	seen, sizes := map[string]bool{}, map[string]map[float64]bool{}
	for i := range s.Trials {
		name := s.Trials[i].Keys[record.KeyMachine]
		if seen[name] {
			continue
		}
		seen[name] = true
		b := s.BasisOf(name)
		if sizes[b.Family] == nil {
			sizes[b.Family] = map[float64]bool{}
		}
		sizes[b.Family][b.VCPUs] = true
	}
	families := 0
	for _, of := range sizes {
		if len(of) >= minFamilySizes {
			families++
		}
	}
	return families > 1
}

// sizesByFamily returns the rates of each family's machines by size, and the families of two sizes or more in order of
// appearance.
func sizesByFamily(in *finding.Input, trials []record.Trial) ([]string, map[string][]familySize) {
	metric := sweep.RateOf(trials)
	families := map[string][]familySize{}
	var names []string
	order, machines := trialset.GroupByKeys(trials, func(t record.Trial) string { return t.Keys[record.KeyMachine] })
	for _, m := range order {
		b := in.BasisOf(m)
		logs := stat.Logs(trialset.ValuesOf(machines[m], metric))
		if metric == "" || b.Family == "" || b.VCPUs <= 0 || len(logs) == 0 || math.IsNaN(stat.Mean(logs)) {
			continue
		}
		if families[b.Family] == nil {
			names = append(names, b.Family)
		}
		families[b.Family] = withSize(families[b.Family], b.VCPUs, logs)
	}
	for _, sizes := range families {
		slices.SortFunc(sizes, func(a, b familySize) int { return cmp.Compare(a.vcpus, b.vcpus) })
	}
	return slices.DeleteFunc(names, func(n string) bool { return len(families[n]) < minFamilySizes }), families
}

// familySize holds the machines of one size, the ln rates of each.
type familySize struct {
	vcpus    float64
	machines [][]float64
}

func withSize(sizes []familySize, vcpus float64, logs []float64) []familySize {
	if i := slices.IndexFunc(sizes, func(s familySize) bool { return s.vcpus == vcpus }); i >= 0 {
		sizes[i].machines = append(sizes[i].machines, logs)
		return sizes
	}
	return append(sizes, familySize{vcpus, [][]float64{logs}})
}

// ratesOf returns one mean per machine if each size has enough of them for a claim about the family, else the trials of
// all.
func ratesOf(sizes []familySize, ofFamily bool) []stat.SizedRate {
	var out []stat.SizedRate
	for _, s := range sizes {
		at := stat.SizedRate{Size: s.vcpus}
		for _, logs := range s.machines {
			if ofFamily {
				at.Logs = append(at.Logs, stat.Mean(logs))
			} else {
				at.Logs = append(at.Logs, logs...)
			}
		}
		out = append(out, at)
	}
	return out
}

// familyRatio returns nil if no size of b is within the throughput of a's sizes.
func familyRatio(sizesA, sizesB []familySize) *FamilyRatio {
	ofFamily := !slices.ContainsFunc(slices.Concat(sizesA, sizesB),
		func(s familySize) bool { return len(s.machines) < estimate.MinReplicates })
	a, b := ratesOf(sizesA, ofFamily), ratesOf(sizesB, ofFamily)
	found := stat.EqualSizes(a, b, estimate.Alpha)
	if len(found) == 0 {
		return nil
	}
	f := &FamilyRatio{Doubts: []note.Note{}}
	if !ofFamily {
		f.Doubts = append(f.Doubts, note.New("these-machines-alone", estimate.MinReplicates))
	}
	for _, e := range found {
		t := estimate.Estimate{Value: e.Multiple}
		if fewest(a, b) >= estimate.MinReplicates {
			t = figure.Between(e.Lo, e.Hi).Around(e.Multiple)
		}
		f.Multiple = &t
		if e.Size > 0 {
			f.Sizes = append(f.Sizes, SizeRatio{e.Size, t})
		}
	}
	if !stat.OneMultiple(a, b, estimate.Alpha) {
		f.Multiple = nil
	}
	if n := len(b) - len(f.Sizes); n > 0 {
		f.Doubts = append(f.Doubts, note.New("sizes-without-part"))
	}
	return f
}

func fewest(sides ...[]stat.SizedRate) int {
	n := math.MaxInt
	for _, side := range sides {
		for _, s := range side {
			n = min(n, len(s.Logs))
		}
	}
	return n
}
