package judge

import (
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
)

func TestUnlikeVCPUs(t *testing.T) {
	machine := func(name string, threads int) record.Machine {
		return record.Machine{Name: name, CPU: record.CPU{ThreadsPerCore: threads}}
	}
	basis := func(threads map[string]float64) func(record.Machine) finding.Basis {
		return func(m record.Machine) finding.Basis {
			if threads[m.Name] == 0 {
				return finding.Basis{VCPUs: 4, PricePerHour: 1}
			}
			return finding.Basis{VCPUs: 4, PricePerHour: 1, Cores: 4 / threads[m.Name]}
		}
	}
	const half = "vCPUs differ: threads per core are 2 on m1 and 1 on m2"
	for _, c := range []struct {
		name     string
		machines []record.Machine
		basis    func(record.Machine) finding.Basis
		want     string // "": no warning
	}{
		{"by the fingerprints", []record.Machine{machine("m1", 2), machine("m2", 1)}, nil, half},
		{"alike", []record.Machine{machine("m1", 2), machine("m2", 2)}, nil, ""},
		{"one not known", []record.Machine{machine("m1", 2)}, nil, ""},
		{"the catalogue knows better", []record.Machine{machine("m1", 1), machine("m2", 1)},
			basis(map[string]float64{"m1": 2, "m2": 1}), half + "\nhint: compare the figures per core"},
		{"the catalogue does not know", []record.Machine{machine("m1", 2), machine("m2", 1)}, basis(nil), half},
	} {
		got, err := Compare(session(4, .05, .005), c.machines, plans(nil), Options{Basis: c.basis})
		if err != nil || len(got.Pairs) != 1 {
			t.Fatalf("%s: %+v, %v", c.name, got, err)
		}
		w := got.Pairs[0].Warnings
		if c.want == "" && len(w) > 0 || c.want != "" && (len(w) != 1 || w[0].Text() != c.want) {
			t.Errorf("%s: warnings %q, want %q", c.name, w, c.want)
		}
	}
	got, err := Compare(factorialTrials("m1", 4), []record.Machine{machine("m1", 2)}, plans(tlsFactor), Options{By: "tls"})
	if err != nil || len(got.Pairs[0].Warnings) > 0 {
		t.Errorf("one machine is unlike itself: %+v, %v", got, err)
	}
}
