package judge

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/analysis/finding/explain"
	"plimsoll/internal/record"
)

// work is a stack with the CPU time that an operation takes in it on either side.
type work struct {
	stack record.Stack
	a, b  float64
}

func goStack(thread string, functions ...string) record.Stack {
	st := record.Stack{Thread: thread}
	for _, f := range append(functions, "net/http.(*conn).serve") {
		st.Frames = append(st.Frames, record.Frame{Function: f, Module: "server"})
	}
	return st
}

func (w work) in(functions ...string) work {
	var kernel []record.Frame
	for _, f := range functions {
		kernel = append(kernel, record.Frame{Function: f, Module: record.ModuleKernel})
	}
	w.stack.Frames = append(kernel, w.stack.Frames...)
	return w
}

func (w work) code(of string) work {
	w.stack.Frames[0].Module, w.stack.Frames[0].Code = record.ModuleJava, of
	return w
}

// usual is what the server does on both sides.
func usual() []work {
	return []work{
		{goStack("worker-1", "encoding/json.Marshal", "main.handle"), 20e-6, 20e-6},
		{goStack("worker-2", "strings.Fields", "main.parse", "main.handle"), 10e-6, 10e-6},
		{goStack("logger", "fmt.Sprintf", "main.line"), 5e-6, 5e-6},
		work{goStack("worker-1", "syscall.write", "main.handle"), 12e-6, 12e-6}.in("tcp_sendmsg", "sock_write_iter",
			"vfs_write", "ksys_write", "do_syscall_64"),
		work{goStack("worker-1", "syscall.epoll", "main.poll"), 4e-6, 4e-6}.in("do_epoll_wait", "__x64_sys_epoll_wait"),
	}
}

// detailed is the explanation of simulated pairs whose stacks take this; unrest is the standard deviation of the log of
// what disturbs a whole trial.
func detailed(t *testing.T, seed uint64, of []work, pairs, samples int, unrest float64) explain.Explanation {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 11))
	profiles := profilesHeld{}
	var trials []record.Trial
	for i := range pairs {
		for cell := range 2 {
			whole := math.Exp(unrest * r.NormFloat64())
			total := 0.0
			costs := make([]float64, len(of))
			for k, w := range of {
				costs[k] = []float64{w.a, w.b}[cell] * whole * math.Exp(.06*r.NormFloat64())
				total += costs[k]
			}
			p := record.Profile{Clock: record.ClockCPU, PeriodNs: 1e6}
			for k, w := range of {
				mean := costs[k] / total * float64(samples)
				if n := int64(math.Round(mean + math.Sqrt(mean)*r.NormFloat64())); n > 0 {
					st := w.stack
					st.N = n
					p.Stacks = append(p.Stacks, st)
				}
			}
			for _, withProfile := range []bool{false, true} {
				tr := trial("m1", i, 0, key(record.KeyWorkload, "http"), key(record.KeyLoad, "4 clients"),
					key("factor.side", []string{"a", "b"}[cell]), cellNo(cell))
				tr.Values = nil
				measured(record.Throughput, "op/s", record.Higher, 1/total)(&tr)
				measured(record.CPUPerOp, "s", record.Lower, total)(&tr)
				tr.DurationS, tr.Load, tr.Profiled = 10, record.LoadPoint{Kind: record.Closed, Level: 4, Unit: "clients"},
					withProfile
				tr.ID = fmt.Sprintf("c%d-r%d-%t", cell, i, withProfile)
				if withProfile {
					profiles[tr.ID+" "+record.ProfileCPU] = p
				}
				trials = append(trials, tr)
			}
		}
	}
	plan := plans(func(p *record.Plan) { p.Factors = []record.Factor{{Name: "side", Levels: []string{"a", "b"}}} })
	got, err := Compare(trials, nil, plan, Options{By: "side", Explain: &ExplainOptions{Profile: profiles.read}})
	if err != nil {
		t.Fatal(err)
	}
	all := explain.KindExplain.All(got.Pairs[0])
	if len(all) != 1 {
		t.Fatalf("seed %d: %+v", seed, all)
	}
	return all[0]
}

// inside returns the details of all causes, the largest cause first.
func inside(x explain.Explanation) []explain.Detail {
	var out []explain.Detail
	for _, c := range x.Categories {
		out = append(out, c.Details...)
	}
	return out
}

// first returns the name of the first detail of a kind.
func first(x explain.Explanation, kind string) string {
	for _, d := range inside(x) {
		if d.Kind == kind {
			return d.Name
		}
	}
	return ""
}

// TestPlantsOfNoRuleAreNamed: what differs most inside a broad category, in at least 9 of 10 sessions of five pairs, on
// a calm machine and on one that disturbs whole trials.
func TestPlantsOfNoRuleAreNamed(t *testing.T) {
	for name, c := range map[string]struct {
		more []work
		want map[string]string
	}{
		"a function": {[]work{{goStack("worker-1", "runtime.memequal", "main.hasDuplicates", "main.handle"), 1e-6, 25e-6},
			{goStack("worker-2", "main.hasDuplicates", "main.handle"), 1e-6, 20e-6}},
			map[string]string{explain.DetailFunction: "main.hasDuplicates"}},
		"a file of /proc": {
			[]work{work{goStack("worker-1", "os.ReadFile", "main.handle"), 0, 30e-6}.in("seq_put_decimal_ull", "proc_pid_status",
				"vfs_read", "ksys_read", "do_syscall_64")},
			map[string]string{explain.DetailFunction: "os.ReadFile", explain.DetailFile: "a file of /proc",
				explain.DetailCall: "read"}},
		"a thread": {[]work{{goStack("logger", "fmt.Sprintf", "main.line"), 0, 40e-6}},
			map[string]string{explain.DetailThread: "logger"}},
		"interpreted code": {
			[]work{work{goStack("worker-1", "Codec.checksum", "Codec.encode"), 4e-6, 0}.code(record.Compiled),
				work{goStack("worker-1", "Codec.checksum", "Codec.encode"), 0, 60e-6}.code(record.Interpreted)},
			map[string]string{explain.DetailFunction: "Codec.encode", explain.DetailCode: record.Interpreted}},
	} {
		for _, unrest := range []float64{.05, .3} {
			hits := 0
			for seed := range uint64(10) {
				x := detailed(t, seed, append(usual(), c.more...), 5, 900, unrest)
				hit := true
				for kind, want := range c.want {
					hit = hit && first(x, kind) == want
				}
				if hit {
					hits++
				} else {
					t.Logf("%s, seed %d: %s %+v", name, seed, x.Says, inside(x))
				}
			}
			if hits < 9 {
				t.Errorf("%s, disturbed by %g: named in %d of 10", name, unrest, hits)
			}
		}
	}
}

// TestAlikeSidesHaveNoDetails, in at least 19 of 20 sessions.
func TestAlikeSidesHaveNoDetails(t *testing.T) {
	wrong := 0
	for seed := range uint64(100) {
		if x := detailed(t, 100+seed, usual(), 5, 300, .1); len(inside(x)) > 0 {
			wrong++
		}
	}
	if wrong > 5 {
		t.Errorf("details in %d of 100 sessions of sides that are alike", wrong)
	}
}

// TestADifferenceThatIsSpreadNamesNoFunctionAlone: if everything in a category takes half as much again, nothing stands
// for all of it, and the threads, which share it as ever, are not named.
func TestADifferenceThatIsSpreadNamesNoFunctionAlone(t *testing.T) {
	var of []work
	for i := range 12 {
		f := fmt.Sprintf("main.part%d", i)
		of = append(of, work{goStack(fmt.Sprintf("worker-%d", i%4), f, "main.handle"), 4e-6, 10e-6})
	}
	of = append(of, work{goStack("worker-1", "syscall.write", "main.handle"), 12e-6, 12e-6}.in("tcp_sendmsg",
		"ksys_write"), work{goStack("worker-1", "syscall.epoll", "main.poll"), 4e-6, 4e-6}.in("do_epoll_wait"))
	x := detailed(t, 5, of, 5, 2000, .05)
	if len(x.Causes) == 0 || x.Causes[0] != string(category.Application) {
		t.Fatalf("%s %v", x.Says, x.Causes)
	}
	for _, d := range inside(x) {
		if d.Kind == explain.DetailThread || d.Kind == explain.DetailFunction && d.Name != "main.handle" &&
			d.Name != "net/http.(*conn).serve" {
			t.Errorf("%+v", d)
		}
	}
}
