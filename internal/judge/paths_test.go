package judge

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/finding/axis"
	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// cpu is a machine of an architecture with features.
func cpu(arch string, features ...string) record.Machine {
	return record.Machine{Arch: arch, CPU: record.CPU{Features: features}}
}

func TestUnequalPaths(t *testing.T) {
	iceLake := cpu("amd64", "aes", "avx", "avx2", "avx512f", "avx512dq", "gfni", "pclmulqdq", "sse4_2")
	alderLake := cpu("amd64", "aes", "avx", "avx2", "gfni", "pclmulqdq", "sse4_2")
	milan := cpu("amd64", "aes", "avx", "avx2", "pclmulqdq", "sse4_2")
	nehalem := cpu("amd64", "sse4_2")
	n1, v1 := cpu("arm64", "aes", "asimd", "pmull"), cpu("arm64", "aes", "asimd", "pmull", "sve")
	unknown := record.Machine{}
	for _, c := range []struct {
		name, workload string
		a, b           record.Machine
		pathA, pathB   string
		why            string // in the reason; "": equal
	}{
		{"each its best", "erasure", iceLake, n1, "gfni+avx512", "neon", ""},
		{"each its best without AVX-512", "erasure", alderLake, v1, "gfni+avx", "sve", ""},
		{"each its best without GFNI", "erasure", milan, v1, "avx2", "neon", ""},
		{"more than 10 shards on a CPU with GFNI", "erasure", iceLake, n1, "avx2", "neon", "avx2 (this CPU can do gfni+avx512) against neon"},
		{"the same without AVX-512", "erasure", v1, alderLake, "sve", "avx2", "sve against avx2 (this CPU can do gfni+avx)"},
		{"the same against one without GFNI", "erasure", iceLake, milan, "avx2", "avx2", ""},
		{"GFNI against AVX2, each its best", "erasure", iceLake, milan, "gfni+avx512", "avx2", ""},
		{"one GFNI, two ways", "erasure", iceLake, iceLake, "gfni+avx512", "avx2", "against avx2 (this CPU can do gfni+avx512)"},
		{"both fall back for one shard of each", "erasure", iceLake, n1, "avx2 tables", "neon tables", ""},
		{"one falls back", "erasure", milan, n1, "avx2 tables", "neon", "avx2 tables (this CPU can do avx2) against neon"},
		{"an old CPU's best is not throughout", "erasure", nehalem, n1, "ssse3 tables", "neon", "ssse3 tables against neon"},
		{"portable against vectors", "erasure", cpu("amd64"), n1, "generic", "neon", "generic against neon"},
		{"portable on both", "aes-gcm", milan, n1, "generic", "generic", ""},
		{"a library without GFNI code", "highwayhash", iceLake, n1, "avx2", "neon", ""},
		{"AVX2 turned off", "highwayhash", iceLake, n1, "sse4.1", "neon", "sse4.1 (this CPU can do avx2) against neon"},
		{"instructions for AES on both", "aes-gcm", iceLake, v1, "aes-ni+pclmulqdq", "aes+pmull", ""},
		{"portable encryption", "aes-gcm", iceLake, v1, "generic", "aes+pmull", "generic (this CPU can do aes-ni+pclmulqdq) against aes+pmull"},
		{"one path for all", "memory", iceLake, n1, "go memmove", "go memmove", ""},
		{"a library not known here", "tls", iceLake, n1, "vaes", "aese", "vaes against aese, which are not known to be alike"},
		{"a library not known here, one architecture", "tls", iceLake, milan, "vaes", "aesni", ""},
		{"a path of another architecture", "erasure", n1, milan, "avx2", "neon", "not known to be alike"},
		{"not stated", "erasure", iceLake, n1, "", "neon", ""},
		{"machines not known", "erasure", unknown, unknown, "gfni+avx512", "neon", ""},
		{"machines not known, of one architecture", "erasure", unknown, unknown, "gfni+avx512", "avx2", ""},
		{"machines not known, portable", "erasure", unknown, unknown, "generic", "neon", "generic against neon"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := standOf(c.workload, c.pathA, c.a), standOf(c.workload, c.pathB, c.b)
			j := judgement{axis: axis.Axis{By: record.KeyMachine}}
			for _, order := range [][2]stand{{a, b}, {b, a}} {
				got := unequalPaths(order[0], order[1], j.sameArch(a, b))
				if (got == "") != (c.why == "") {
					t.Errorf("%s, %s: %q, want %q", order[0], order[1], got, c.why)
				}
			}
			if got := unequalPaths(a, b, j.sameArch(a, b)); !strings.Contains(got, c.why) {
				t.Errorf("%q, want %q", got, c.why)
			}
		})
	}
}

// TestLadders: a path stands on one rung, and a better rung asks for more.
func TestLadders(t *testing.T) {
	for _, l := range ladders() {
		seen := map[string]bool{}
		for i, r := range l.rungs {
			for _, p := range r.paths {
				if seen[p] {
					t.Errorf("%s on %s: %s stands twice", l.workload, l.arch, p)
				}
				seen[p] = true
			}
			if (r.code == portable) != (r.needs == nil) || (r.code == portable) != (i == len(l.rungs)-1) {
				t.Errorf("%s on %s: rung %d of %+v", l.workload, l.arch, i, l.rungs)
			}
		}
	}
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
	trials := append(session(6, .05, .005, erasure("8", "gfni+avx512", 0)), session(6, .05, .005, erasure("12", "avx2", 1))...)
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
	want := "not compared, m1 and m2 ran unequal code paths: erasure at all cpus, data=12: avx2 (this CPU can do gfni+avx512) against neon\nhint: compare --allow-unequal-paths"
	if w := got.Pairs[0].Warnings; !slices.ContainsFunc(w, func(n note.Note) bool { return strings.HasPrefix(n.Text(), want) }) {
		t.Errorf("warnings %q", w)
	}
	got, err = Compare(trials, machines, plans(nil), Options{AllowUnequalPaths: true})
	if err != nil || len(got.Pairs[0].Verdicts) != 2 || len(got.Pairs[0].Warnings) > 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	if v := got.Pairs[0].Verdicts[1]; v.Verdict != trialset.Different || !flagged(v.Flags, "unequal code paths: avx2 (this CPU can do gfni+avx512) against neon") {
		t.Errorf("%+v", v)
	}
}

func TestNothingButUnequalPaths(t *testing.T) {
	trials, machines := across()
	trials = slices.DeleteFunc(trials, func(t record.Trial) bool { return t.Keys["erasure.data"] == "8" })
	got, err := Compare(trials, machines, plans(nil), Options{})
	var refused UnequalPaths
	if !errors.As(err, &refused) || len(got.Pairs) != 0 || len(refused.Cells) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, part := range []string{"m1 and m2 ran unequal code paths", "erasure at all cpus, data=12", "avx2", "neon", "\nhint: compare --allow-unequal-paths compares them nevertheless"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	// A third machine that can be compared leaves the refused pair a warning.
	third := alter(slices.Clone(trials[:0:0]), on(""))
	for _, u := range trials {
		if on("m2")(u) {
			u.Keys = union(map[string]string{record.KeyMachine: "m3", record.KeyPath: "avx2"}, u.Keys)
			third = append(third, u)
		}
	}
	machines = append(machines, machines[0])
	machines[2].Name = "m3"
	got, err = Compare(append(trials, third...), machines, plans(nil), Options{})
	if err != nil || len(got.Pairs) != 1 || got.Pairs[0].B != "m3" || !flagged(got.Pairs[0].Warnings, "m1 and m2 ran unequal code paths") {
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
	if v := got.Pairs[0].Verdicts; len(v[0].Flags) > 0 || !flagged(v[1].Flags, "unequal code paths: avx2 (this CPU can do gfni+avx512) against gfni+avx512") {
		t.Errorf("%q, %q", v[0].Flags, v[1].Flags)
	}
}

// TestPathsOfAFactor: the levels of a factor ran on one machine, whatever is known of it.
func TestPathsOfAFactor(t *testing.T) {
	trials := alter(factorialTrials("m1", 4), func(t record.Trial) bool { return t.Keys["factor.tls"] == "on" }, key(record.KeyPath, "vaes"))
	alter(trials, func(t record.Trial) bool { return t.Keys[record.KeyPath] == "" }, key(record.KeyPath, "aesni"))
	got, err := Compare(trials, nil, plans(tlsFactor), Options{By: "tls"})
	if err != nil || len(got.Pairs) != 1 || len(got.Pairs[0].Verdicts) == 0 {
		t.Fatalf("%+v, %v", got, err)
	}
}

func TestUnequalRegimes(t *testing.T) {
	trials := alter(session(4, .05, .005, key(record.KeyRegime, record.RegimeDRAM)), on("m1"), key(record.KeyRegime, record.RegimeCache))
	got, err := Compare(trials, nil, plans(nil), Options{})
	v := only(t, got, err)
	if v.RegimeA != record.RegimeCache || v.RegimeB != record.RegimeDRAM || !flagged(v.Flags, "unequal regimes: the working set lay in cache against DRAM") {
		t.Errorf("%+v", v)
	}
}
