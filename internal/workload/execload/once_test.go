package execload

import (
	"context"
	"math"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

func names(vs []record.Value) string {
	var ns []string
	for _, v := range vs {
		ns = append(ns, v.Name)
	}
	return strings.Join(ns, " ")
}

func TestOnceTimes(t *testing.T) {
	need(t, "sleep")
	m, err := trial(t, t.Context(), workload.Env{}, map[string]string{"command": "sleep 0.2"})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(names(m.values), "time cpu_time user_s system_s") || len(m.doubts) > 0 {
		t.Errorf("values %v, doubts %q", m.values, m.doubts)
	}
	// A sleep is never shorter; the generator timed the same run from outside.
	wall := m.values[0]
	if outer := float64(m.result.Latency.Max()) / 1e9 * 1.001; wall.Value < 0.2 || wall.Value > outer {
		t.Errorf("time %v, want 0.2 s to %g s", wall, outer)
	}
	if wall.Unit != "s" || wall.Better != record.Lower || wall.Doc != "" || m.result.Ops != 1 {
		t.Errorf("primary %+v, %d operations", wall, m.result.Ops)
	}
}

// CPU time and memory are also those of processes that the command waited for.
func TestOnceCountsChildren(t *testing.T) {
	need(t, "head", "tail")
	const size = 200 << 20
	m, err := trial(t, t.Context(), workload.Env{}, map[string]string{
		"shell": "true", "size": "209715200", "command": "head -c {size} /dev/zero | tail -c {size} >/dev/null"})
	if err != nil {
		t.Fatal(err)
	}
	total, _ := m.value(record.CPUTime)
	user, _ := m.value(metricUser)
	system, _ := m.value(metricSystem)
	most := m.values[0].Value*float64(runtime.NumCPU()) + 0.1
	if cpu := user.Value + system.Value; math.Abs(cpu-total.Value) > 1e-9 || cpu <= 0.01 || cpu > most {
		t.Errorf("user %v and system %v, together %v, in %v", user, system, total, m.values[0])
	}
	if rss, ok := m.value(metricRSS); !ok || rss.Value < size/2 || rss.Unit != "B" {
		t.Errorf("max_rss %v, %v: tail keeps %d bytes", rss, ok, size)
	}
}

// A small command's memory cannot be seen below ours, so it is not stated.
func TestOnceHidesOurOwnMemory(t *testing.T) {
	ballast := make([]byte, 64<<20)
	for i := 0; i < len(ballast); i += 4096 {
		ballast[i] = 1
	}
	m, err := trial(t, t.Context(), workload.Env{}, map[string]string{"command": "true"})
	if rss, ok := m.value(metricRSS); err != nil || ok {
		t.Errorf("max_rss %v, %v: true needs next to nothing", rss, err)
	}
	runtime.KeepAlive(ballast)
}

func TestOnceParses(t *testing.T) {
	for _, tc := range []struct {
		name string
		set  map[string]string
		want record.Value
	}{
		{"regexp", map[string]string{"command": `printf '%s\n' 'rate 5 MB/s' 'rate 7 MB/s'`, "parse": "regexp",
			"pattern": `rate (\d+) MB/s`, "unit": "MB/s"},
			record.Value{Metric: record.Metric{Name: "throughput", Unit: "B/s", Better: record.Higher}, Value: 7e6}},
		{"json", map[string]string{"command": `printf %s '{{"p99": [12.5]}'`, "parse": "json", "pattern": "$.p99[0]",
			"unit": "ms", "metric": "latency_p99", "better": "lower"},
			record.Value{Metric: record.Metric{Name: "latency_p99", Unit: "s", Better: record.Lower}, Value: 0.0125}},
		{"go", map[string]string{"command": `printf 'BenchmarkX-2 10 200 ns/op\nBenchmarkX-2 10 400 ns/op\n'`, "parse": "go",
			"pattern": "X", "unit": "op/s"},
			record.Value{Metric: record.Metric{Name: "throughput", Unit: "op/s", Better: record.Higher},
				Value: (5e6 + 2.5e6) / 2}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := trial(t, t.Context(), workload.Env{}, tc.set)
			if err != nil {
				t.Fatal(err)
			}
			if got := m.values[0]; got.Metric != tc.want.Metric || got.Value < tc.want.Value*(1-1e-12) ||
				got.Value > tc.want.Value*(1+1e-12) {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
			if !strings.HasPrefix(names(m.values[1:]), "time cpu_time user_s system_s") {
				t.Errorf("beside the parsed value: %s", names(m.values[1:]))
			}
		})
	}
}

// A command has the documented environment: no input, a group of its own, the environment with the mark, the
// directory.
func TestOnceSurroundings(t *testing.T) {
	dir := t.TempDir()
	env := workload.Env{Environ: []string{"MARK=plimsoll-1", "PATH=" + os.Getenv("PATH")}}
	script := `cat; echo "$MARK $(pwd) $$ $(cut -d' ' -f5 /proc/$$/stat)" > seen`
	if _,
		err := trial(t, t.Context(), env, map[string]string{"command": script, "shell": "true", "dir": dir}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(dir + "/seen")
	if err != nil {
		t.Fatal(err)
	}
	f := strings.Fields(string(b))
	if len(f) != 4 || f[0] != "plimsoll-1" || f[1] != dir || f[2] != f[3] {
		t.Errorf("the command saw %q", b)
	}
}

// The agent pins lanes and accounts for their processes: both must reach the command.
func TestOnceInheritsThread(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		t.Fatal(err)
	}
	if before.Count() < 2 {
		t.Skip("needs 2 CPUs to tell them apart")
	}
	last := 0
	for cpu := range 1024 {
		if before.IsSet(cpu) {
			last = cpu
		}
	}
	one.Set(last)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Skipf("needs to set affinity: %v", err)
	}
	defer func() { _ = unix.SchedSetaffinity(0, &before) }()
	entered := 0
	env := workload.Env{Enter: func(attr *syscall.SysProcAttr, start func() (int, error)) error {
		pid, err := start()
		entered = pid
		if !attr.Setpgid || attr.Pdeathsig != syscall.SIGKILL {
			t.Errorf("attributes %+v", attr)
		}
		return err
	}}
	p := params(t, map[string]string{"command": "grep Cpus_allowed_list /proc/self/status", "parse": "regexp",
		"pattern": `list:\s+(\S+)`})
	prog, err := newProgram(env, p, places{})
	if err != nil {
		t.Fatal(err)
	}
	if err := prog.Find(); err != nil {
		t.Fatal(err)
	}
	o, err := prog.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	v, err := (&once{ask: askOf(p), runner: runner{prog: prog}}).stated(o)
	if err != nil || v[0].Value != float64(last) || entered == 0 {
		t.Errorf("pinned to CPU %d, the command printed %q, %v; entered as %d", last, o.Out.Head, err, entered)
	}
}
