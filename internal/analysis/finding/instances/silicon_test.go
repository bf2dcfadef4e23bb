package instances

import (
	"maps"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

func machine(name, model, stepping, microcode string, disks ...string) record.Machine {
	m := record.Machine{Name: name, CPU: record.CPU{Model: model, Stepping: stepping, Microcode: microcode}}
	for _, d := range disks {
		m.Disks = append(m.Disks, record.Disk{Model: d})
	}
	return m
}

// TestUnlikeSilicon: what machines of one type differ in is said, and what is unknown of one is no difference.
func TestUnlikeSilicon(t *testing.T) {
	a, b := machine("a", "EPYC", "1", "0xa1", "fast", "fast"), machine("b", "EPYC", "1", "0xa1", "fast")
	for name, c := range map[string]struct {
		third record.Machine
		want  string
		split string
	}{
		"alike":   {machine("c", "EPYC", "1", "0xa1", "fast"), "", "m7i"},
		"unknown": {machine("c", "", "", ""), "", "m7i"},
		"stepping": {machine("c", "EPYC", "2", "0xa1", "fast"),
			"machines of type m7i have different CPUs: stepping 1 (a; b) against 2 (c)", "m7i (stepping 2)"},
		"microcode": {machine("c", "EPYC", "1", "0xa2", "fast"),
			"machines of type m7i have different CPUs: microcode 0xa1 (a; b) against 0xa2 (c)", "m7i (microcode 0xa2)"},
		"a disk": {machine("c", "EPYC", "1", "0xa1", "fast", "slow"),
			"machines of type m7i have different CPUs: disks fast (a; b) against fast and slow (c)",
			"m7i (disks fast and slow)"},
		"the CPU": {machine("c", "Xeon", "7", "0xa1", "fast"),
			"machines of type m7i have different CPUs: CPU EPYC (a; b) against Xeon (c); stepping 1 (a; b) against 7 (c)",
			"m7i (CPU Xeon, stepping 7)"},
	} {
		all := []record.Machine{a, b, c.third}
		got := ""
		if notes := UnlikeSilicon("m7i", all); len(notes) > 0 {
			got = note.Texts(notes)[0]
		}
		if want := c.want; want != "" {
			want += "\nhint: --split-types compares them as separate types"
			if got != want {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		} else if got != "" {
			t.Errorf("%s: %q", name, got)
		}
		if split := Split("m7i", all); split["c"] != c.split || split["a"] != split["b"] ||
			(split["a"] == "m7i") != (c.want == "") {
			t.Errorf("%s: %v", name, maps.Clone(split))
		}
	}
}
