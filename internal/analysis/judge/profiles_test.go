package judge

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/profile"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

func profiledTrial(machine string, replicate int, changes ...change) record.Trial {
	t := trial(machine, replicate, 1e9,
		append([]change{measured("cpu_per_op", "s", record.Lower, 1e-5), done(1000)}, changes...)...)
	t.Profiled = true
	t.ID += "-f"
	return t
}

// profileOfCosts is a profile with a stack of the kernel, one of a program, and one that could not be walked.
func profileOfCosts(kernel, user, unwalked int64) record.Profile {
	return record.Profile{Clock: record.ClockCycles, PeriodNs: 1e6, Stacks: []record.Stack{
		{Frames: []record.Frame{{Function: "do_something", Module: record.ModuleKernel}, {Function: "main", Module: "web"}},
			N: kernel},
		{Frames: []record.Frame{{Function: "handle", Module: "web"}, {Function: "main", Module: "web"}}, N: user},
		{N: unwalked},
	}}
}

// reader gives profiles of CPU time by the replicate of a trial.
func reader(byReplicate ...record.Profile) finding.ProfileReader {
	return func(t record.Trial, series string) (record.Profile, bool, error) {
		if series != record.ProfileCPU {
			return record.Profile{}, false, nil
		}
		return byReplicate[t.Replicate], true, nil
	}
}

func profiledShow(trials []record.Trial, read finding.ProfileReader) finding.Shown {
	in := finding.NewInput(trials, nil, plans(nil))
	in.Read.Profile = read
	return Analyze(in)
}

func profileShown(t *testing.T, trials []record.Trial, read finding.ProfileReader) (*profile.Profile, []string) {
	t.Helper()
	shown := profiledShow(append([]record.Trial{trial("m1", 0, 1e9)}, trials...), read)
	for _, c := range shown.Workloads {
		if profile.KindProfile.Of(c) != nil && !c.Primary {
			t.Errorf("%s has the profile, too", c.Metric)
		}
	}
	return profile.KindProfile.Of(shown.Workloads[0]), note.Texts(shown.Warnings)
}

func TestSharesAddUp(t *testing.T) {
	trials := []record.Trial{profiledTrial("m1", 0), profiledTrial("m1", 1), profiledTrial("m1", 2)}
	p, _ := profileShown(t, trials, reader(profileOfCosts(3000, 6500, 500), profileOfCosts(3100, 6400, 500),
		profileOfCosts(2900, 7000, 100)))
	if p == nil || p.N != 3 || p.Samples != 30_000 || p.Clock != record.ClockCycles || p.PeriodS != 1e-3 ||
		len(p.Doubts) != 0 {
		t.Fatalf("%+v", p)
	}
	shares, costs := 0.0, 0.0
	for i, s := range p.CPU {
		shares, costs = shares+s.Share.Value, costs+s.PerOp.Value
		if *s.Share.Lo > s.Share.Value || *s.Share.Hi < s.Share.Value || i > 0 && s.Share.Value > p.CPU[i-1].Share.Value {
			t.Errorf("%+v", s)
		}
	}
	if len(p.CPU) != 3 || math.Abs(shares-1) > 1e-12 || math.Abs(costs-1e-5) > 1e-17 ||
		math.Abs(p.PerOp.Value-1e-5) > 1e-17 {
		t.Errorf("shares add up to %v, costs to %v of %v", shares, costs, p.PerOp.Value)
	}
}

// TestShareFloor: three trials that say the same to the digit do not make sampling exact. The interval is Student's
// with the standard error of one trial's share as its deviation: 4.3027·√(.3·.7/10000)/√3.
func TestShareFloor(t *testing.T) {
	trials := []record.Trial{profiledTrial("m1", 0), profiledTrial("m1", 1), profiledTrial("m1", 2)}
	same := profileOfCosts(3000, 6500, 500)
	p, _ := profileShown(t, trials, reader(same, same, same))
	i := slices.IndexFunc(p.CPU, func(s profile.Spent) bool { return math.Abs(s.Share.Value-.3) < 1e-9 })
	if want := 4.30265 * math.Sqrt(.21/1e4) / math.Sqrt(3); i < 0 || math.Abs(*p.CPU[i].Share.Hi-.3-want) > 1e-6 {
		t.Errorf("%+v, want a half width of %v", p.CPU, want)
	}
}

func TestProfileDoubts(t *testing.T) {
	trials := []record.Trial{profiledTrial("m1", 0), profiledTrial("m1", 1)}
	p, _ := profileShown(t, trials, reader(profileOfCosts(10, 60, 30), record.Profile{}))
	if p == nil || p.N != 1 || p.CPU[0].Share.Lo != nil || p.PerOp.Lo != nil {
		t.Fatalf("%+v", p)
	}
	said := strings.Join(note.Texts(p.Doubts), "; ")
	for _, want := range []string{"the profile of run 2 is unreadable: its profile has no samples",
		"30% of the CPU time is in unknown functions, over the limit of 10%",
		"a profile has only 100 samples, so the standard error of a 10% share is at least 3.0 points"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in %q", want, said)
		}
	}
	broken := func(record.Trial, string) (record.Profile, bool, error) {
		return record.Profile{}, false, errors.New("torn")
	}
	if p, _ := profileShown(t, trials, broken); p != nil {
		t.Errorf("%+v of nothing that can be read", p)
	}
	alone := profiledTrial("m1", 0, func(t *record.Trial) { t.Keys["aes.size"] = "1MiB" })
	alone.Plan = "p2"
	trials = []record.Trial{alone}
	shown := profiledShow(trials, reader(profileOfCosts(1, 1, 1)))
	if len(shown.Warnings) != 1 || !strings.Contains(shown.Warnings[0].Text(),
		"the profile of m1: aes at all cpus has no other runs and is not shown") {
		t.Errorf("%q", shown.Warnings)
	}
}

// TestWaitsPerOperation: 50 samples of 10 ms while 1000 operations were done are 500 µs of threads for each.
func TestWaitsPerOperation(t *testing.T) {
	trials := []record.Trial{profiledTrial("m1", 0)}
	waits := record.Profile{Clock: record.ClockWall, PeriodNs: 1e7,
		Stacks: []record.Stack{{Frames: []record.Frame{{Function: "ep_poll", Module: record.ModuleKernel}}, N: 50}}}
	p, _ := profileShown(t, trials, func(_ record.Trial, series string) (record.Profile, bool, error) {
		if series == record.ProfileWait {
			return waits, true, nil
		}
		return profileOfCosts(500, 500, 0), true, nil
	})
	if len(p.Waits) != 1 || math.Abs(p.Waits[0].PerOp.Value-500e-6) > 1e-12 || p.Waits[0].Share.Value != 1 {
		t.Errorf("%+v", p.Waits)
	}
	idle := trials[0]
	idle.Generator = nil
	idle.Values = idle.Values[:1]
	if c, ok := new(category.Memory).WaitCosts(idle, waits); !ok || c.PerOp != 0 {
		t.Errorf("%v s for an operation of a trial that says nothing of its operations", c.PerOp)
	}
}

func TestProfiledPairs(t *testing.T) {
	var trials []record.Trial
	for _, m := range []string{"m1", "m2", "m3"} {
		trials = append(trials, profiledTrial(m, 0), profiledTrial(m, 1, void("disturbed")), trial(m, 0, 1e9))
	}
	trials[6].Profiled = false // of m3
	pairs := profile.Pairs(trials, plans(nil), record.KeyMachine)
	if len(pairs) != 1 || pairs[0].LevelA != "m1" || pairs[0].LevelB != "m2" || pairs[0].Machine != "" ||
		len(pairs[0].A.Trials) != 1 || pairs[0].B.Machine != "m2" {
		t.Errorf("%+v", pairs)
	}
	if got := profile.Pairs(trials[:3], plans(nil), record.KeyMachine); len(got) != 0 {
		t.Errorf("%+v of one machine", got)
	}
	if cells := profile.Cells(trials); len(cells) != 2 || cells[0].String() != "m1: aes at all cpus" ||
		pairs[0].String() != "aes at all cpus" {
		t.Errorf("%v", cells)
	}
}

func TestProfiledPairsOfAFactor(t *testing.T) {
	var trials []record.Trial
	for i, tls := range []string{"off", "on"} {
		trials = append(trials, profiledTrial("m1", 0, cellNo(i), key("aes.tls", tls), key(record.FactorPrefix+"tls", tls)))
	}
	pairs := profile.Pairs(trials,
		plans(func(p *record.Plan) { p.Factors = []record.Factor{{Name: "tls", Levels: []string{"off", "on"}}} }), "tls")
	if len(pairs) != 1 || pairs[0].Machine != "m1" || pairs[0].LevelB != "on" || pairs[0].A.Params["tls"] != "off" ||
		pairs[0].B.Params["tls"] != "on" || pairs[0].String() != "m1: aes at all cpus" {
		t.Errorf("%+v", pairs)
	}
	if cells := profile.Cells(trials); cells[1].String() != "m1: aes at all cpus, tls=on" {
		t.Errorf("%v", cells)
	}
}
