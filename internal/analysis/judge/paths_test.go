package judge

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// cpu is a machine of an architecture with features.
func cpu(arch string, features ...string) record.Machine {
	return record.Machine{Arch: arch, CPU: record.CPU{Features: features}}
}

// across is a session of erasure on an Intel CPU with GFNI, m1, and an Arm one, m2: in
// the first cell each takes its best path, in the second m1 falls back.
func across() ([]record.Trial, []record.Machine) {
	erasure := func(data, path string, i int) change {
		return func(t *record.Trial) {
			t.Keys[record.KeyWorkload], t.Keys["erasure.data"], t.Keys[record.KeyPath] = "erasure", data, path
			delete(t.Keys, "aes.size")
			t.Group = i
			t.Cell += 2 * i
		}
	}
	trials := append(session(6, .05, .005, erasure("8", "gfni+avx512", 0)),
		session(6, .05, .005, erasure("12", "avx2", 1))...)
	for i := range trials {
		trials[i].Cell += 2 * trials[i].Group
	}
	alter(trials, on("m2"), key(record.KeyPath, "neon"))
	m1, m2 := cpu("amd64", "avx", "avx2", "avx512f", "avx512dq", "gfni"), cpu("arm64", "asimd")
	m1.Name, m2.Name = "m1", "m2"
	return trials, []record.Machine{m1, m2}
}

func TestUnequalPathsAreLeftOut(t *testing.T) {
	trials, machines := across()
	got, err := Compare(trials, machines, plans(nil), Options{})
	v := only(t, got, err)
	if v.Params["data"] != "8" || v.PathA != "gfni+avx512" || v.PathB != "neon" || len(v.Flags) > 0 {
		t.Errorf("%+v", v)
	}
	want := "benchmarks with different code paths are left out: m1 and m2 ran unequal code paths: erasure at all " +
		"cpus, data=12: avx2 (this CPU can do " +
		"gfni+avx512) against neon\nhint: compare --allow-unequal-paths"
	if w := got.Pairs[0].Warnings; !slices.ContainsFunc(w,
		func(n note.Note) bool { return strings.HasPrefix(n.Text(), want) }) {
		t.Errorf("warnings %q", w)
	}
	got, err = Compare(trials, machines, plans(nil), Options{AllowUnequalPaths: true})
	if err != nil || len(got.Pairs[0].Verdicts) != 2 || len(got.Pairs[0].Warnings) > 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if v := got.Pairs[0].Verdicts[1]; v.Verdict != trialset.Different ||
		!flagged(v.Flags,
			"baseline and candidate ran different code paths: avx2 (this CPU can do gfni+avx512) against neon") {
		t.Errorf("%+v", v)
	}
}

func TestNothingButUnequalPaths(t *testing.T) {
	trials, machines := across()
	trials = slices.DeleteFunc(trials, func(t record.Trial) bool { return t.Keys["erasure.data"] == "8" })
	got, err := Compare(trials, machines, plans(nil), Options{})
	var refused compare.UnequalPaths
	if !errors.As(err, &refused) || len(got.Pairs) != 0 || len(refused.Cells) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, part := range []string{"m1 and m2 ran unequal code paths", "erasure at all cpus, data=12", "avx2", "neon",
		"\nhint: compare --allow-unequal-paths compares them nevertheless"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	// A third machine that can be compared leaves the refused pair a warning.
	third := alter(slices.Clone(trials[:0:0]), on(""))
	for _, u := range trials {
		if on("m2")(u) {
			u.Keys = maps.Clone(u.Keys)
			u.Keys[record.KeyMachine], u.Keys[record.KeyPath] = "m3", "avx2"
			third = append(third, u)
		}
	}
	machines = append(machines, machines[0])
	machines[2].Name = "m3"
	got, err = Compare(append(trials, third...), machines, plans(nil), Options{})
	if err != nil || len(got.Pairs) != 1 || got.Pairs[0].B != "m3" ||
		!flagged(got.Pairs[0].Warnings, "m1 and m2 ran unequal code paths") {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestUnequalPathsOfOneArchitecture are a flag: what differs is known, and no
// fault of the architecture.
func TestUnequalPathsOfOneArchitecture(t *testing.T) {
	trials, machines := across()
	alter(trials, on("m2"), key(record.KeyPath, "gfni+avx512"))
	machines[1] = machines[0]
	machines[1].Name = "m2"
	got, err := Compare(trials, machines, plans(nil), Options{})
	if err != nil || len(got.Pairs[0].Verdicts) != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if v := got.Pairs[0].Verdicts; len(v[0].Flags) > 0 ||
		!flagged(v[1].Flags,
			"baseline and candidate ran different code paths: avx2 (this CPU can do gfni+avx512) against gfni+avx512") {
		t.Errorf("%q, %q", v[0].Flags, v[1].Flags)
	}
}

// TestPathsOfAFactor: the levels of a factor ran on one machine, whatever is known of it.
func TestPathsOfAFactor(t *testing.T) {
	trials := alter(factorialTrials("m1", 4), func(t record.Trial) bool { return t.Keys["factor.tls"] == "on" },
		key(record.KeyPath, "vaes"))
	alter(trials, func(t record.Trial) bool { return t.Keys[record.KeyPath] == "" }, key(record.KeyPath, "aesni"))
	got, err := Compare(trials, nil, plans(tlsFactor), Options{By: "tls"})
	if err != nil || len(got.Pairs) != 1 || len(got.Pairs[0].Verdicts) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
}

func TestUnequalRegimes(t *testing.T) {
	trials := alter(session(4, .05, .005, key(record.KeyRegime, record.RegimeDRAM)), on("m1"),
		key(record.KeyRegime, record.RegimeCache))
	got, err := Compare(trials, nil, plans(nil), Options{})
	v := only(t, got, err)
	if v.RegimeA != record.RegimeCache || v.RegimeB != record.RegimeDRAM ||
		!flagged(v.Flags, "the working set is in cache in the baseline and in DRAM in the candidate") {
		t.Errorf("%+v", v)
	}
}
