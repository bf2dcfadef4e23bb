package render

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/crossover"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	coded "plimsoll/internal/record/note"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares text with a file under testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s differs (run with -update to accept)\ngot:\n%s\nwant:\n%s", name, got, want)
	}
}

func ptr(v float64) *float64 { return &v }

// graviton and xeon are machines as the fingerprint describes them.
func graviton() record.Machine {
	return record.Machine{
		Format: 1, Name: "m7gd.xlarge", ID: "5f1c02ab99e0", Arch: "arm64", Kernel: "6.8.0-1021-aws", OS: "Ubuntu 24.04",
		CPU: record.CPU{
			Vendor: "ARM", Model: "Neoverse-V1", Sockets: 1, Cores: 4, Threads: 4, ThreadsPerCore: 1,
			Allowed: []int{0, 1, 2, 3}, Features: []string{"aes", "asimd", "pmull", "sha2", "sha3", "sve"},
			Caches: []record.Cache{
				{Level: 1, Type: "data", Bytes: 64 << 10, Instances: 4},
				{Level: 2, Type: "unified", Bytes: 1 << 20, Instances: 4},
				{Level: 3, Type: "unified", Bytes: 32 << 20, Instances: 1},
			},
			MHz: 2600,
		},
		Memory: 16283082752, NUMA: 1, Virt: "kvm",
		Cgroup:   record.Cgroup{Version: 2, Writable: true},
		State:    record.State{Load1: 0.08, StealPct: ptr(0), RunDelayPct: ptr(0.3)},
		Software: record.Software{Plimsoll: "0.1.0", Go: "go1.26.8"},
	}
}

func xeon() record.Machine {
	m := graviton()
	m.Name, m.ID, m.Arch, m.Kernel = "m6id.xlarge", "c04be7715d21", "amd64", "6.1.0-28-cloud"
	m.CPU.Vendor, m.CPU.Model, m.CPU.Cores, m.CPU.ThreadsPerCore = "GenuineIntel", "Xeon Platinum 8375C", 2, 2
	m.CPU.Features = []string{"aes", "avx2", "avx512f", "gfni", "vaes"}
	m.CPU.MHz, m.Memory = 0, 16498348032
	m.Cgroup = record.Cgroup{Version: 2, CPUQuota: 3.5, MemoryLimit: 8 << 30}
	m.Unknown = []string{"CPU frequency (cpufreq is absent)", "DMI product name"}
	m.Warnings = []string{"the cgroup allows 3.5 of 4 CPUs: runs on all CPUs are throttled\nhint: raise cpu.max, or " +
		"measure on 3 CPUs"}
	return m
}

// estimated builds a cell from its trials' values: the geometric mean, and an
// interval of 1.5 standard deviations of their logarithms. The shape is what
// matters here; judge has the true formula.
func estimated(c finding.Cell, values ...float64) finding.Cell {
	var sum, squares float64
	for i, v := range values {
		sum += math.Log(v)
		squares += math.Log(v) * math.Log(v)
		c.Trials = append(c.Trials, finding.TrialValue{
			TrialOutcome: &finding.TrialOutcome{ID: fmt.Sprintf("%s-%s-%v-%s-%d", c.Machine, c.Workload, c.Params, c.Load, i),
				Replicate: i},
			Value: ptr(v),
		})
	}
	n := float64(len(values))
	mean := sum / n
	sd := math.Sqrt(math.Max(squares/n-mean*mean, 0))
	c.N, c.Value = len(values), math.Exp(mean)
	if c.N >= figure.MinReplicates {
		c.Lo, c.Hi = ptr(math.Exp(mean-1.5*sd)), ptr(math.Exp(mean+1.5*sd))
	}
	return c
}

func aesCell(machine, size, load string) finding.Cell {
	return finding.Cell{
		Machine: machine, Workload: "aes-gcm", Params: map[string]string{"key": "256", "size": size, "impl": "std"},
		Load: load, Metric: record.Throughput, Primary: true, Unit: "B/s", Better: record.Higher,
	}
}

func httpCell(machine, load, metric, unit string, better record.Better) finding.Cell {
	return finding.Cell{
		Machine: machine, Workload: "http", Params: map[string]string{"server": "netty", "body": "1KiB"}, Load: load,
		Metric: metric, Primary: metric == record.LatencyP99, Unit: unit, Better: better,
	}
}

// shown is a session of two machines with all that can be wrong with trials.
func sampleShown() finding.Shown {
	voided := estimated(aesCell("m6id.xlarge", "16KiB", "4 cpus"), 19.1e9, 18.8e9, 19.4e9)
	voided.Trials = append(voided.Trials, finding.TrialValue{
		TrialOutcome: &finding.TrialOutcome{ID: "voided", Replicate: 3,
			Void: told("cgroup throttled it for 1.8 s of 6 s")[0]}, Value: ptr(11.2e9),
	})
	voided.Void = 1
	voided.Doubts = told("run delay of 2.1% in one trial")

	effective := estimated(aesCell("m7gd.xlarge", "16KiB", "4 cpus"), 23.05e9, 23.31e9, 23.16e9, 23.22e9, 23.01e9)
	effective.Found = compare.KindEffect.PutAll(effective.Found, []compare.Effect{
		{Factor: "key", From: "128", To: "256", Per: "machine", Ratio: 0.772, Bounds: figure.Between(0.766, 0.779),
			Verdict: trialset.Different, N: 5},
		{Factor: "pin", From: "off", To: "on", Per: "machine", Ratio: 1.002, Bounds: figure.Between(0.996, 1.009),
			Verdict: trialset.Equivalent, N: 5},
		{Factor: "huge", From: "off", To: "on", Per: "machine", Ratio: 1.03, N: 2},
	})
	failed := aesCell("m6id.xlarge", "1MiB", "1 cpus")
	failed.Value, failed.Void = math.NaN(), 1
	failed.Trials = []finding.TrialValue{
		{TrialOutcome: &finding.TrialOutcome{ID: "failed", Void: told("the child was killed by signal 9")[0]}}}

	return finding.Shown{
		Machines: map[string]record.Machine{"m7gd.xlarge": graviton(), "m6id.xlarge": xeon()},
		Workloads: []finding.Cell{
			estimated(aesCell("m6id.xlarge", "16KiB", "1 cpus"), 7.42e9, 7.31e9, 7.55e9, 7.39e9, 7.47e9),
			voided, failed,
			estimated(httpCell("m6id.xlarge", "20000/s poisson", record.LatencyP99, "s", record.Lower), 1.92e-3, 1.71e-3,
				1.84e-3, 1.79e-3),
			estimated(httpCell("m6id.xlarge", "20000/s poisson", record.CPUPercent, "%", record.Neutral), 41.2, 42.9, 40.8,
				41.7),
			estimated(aesCell("m7gd.xlarge", "16KiB", "1 cpus"), 5.82e9, 5.79e9, 5.84e9, 5.81e9, 5.80e9),
			effective,
			estimated(aesCell("m7gd.xlarge", "1MiB", "1 cpus"), 5.71e9, 5.73e9),
			estimated(httpCell("m7gd.xlarge", "20000/s poisson", record.LatencyP99, "s", record.Lower), 1.49e-3, 1.52e-3,
				1.55e-3, 1.44e-3),
			estimated(httpCell("m7gd.xlarge", "20000/s poisson", record.CPUPercent, "%", record.Neutral), 33.1, 33.4, 32.8,
				33.0),
		},
		Warnings: told("m6id.xlarge.plimsoll.jsonl ends without an end line: the run was cut short"),
	}
}

func comparison(c finding.Comparison, ratio float64, bounds ...float64) finding.Comparison {
	c.Ratio, c.B, c.Paired, c.Claim = ratio, c.A*ratio, true, "machine"
	if len(bounds) == 2 {
		c.Lo, c.Hi = ptr(bounds[0]), ptr(bounds[1])
	}
	return c
}

// compared holds a verdict of each kind, both directions, and a missing interval.
func compared() finding.Compared {
	aes := func(size, load, per, unit string, a float64) finding.Comparison {
		return finding.Comparison{
			Workload: "aes-gcm", Params: map[string]string{"key": "256", "size": size, "impl": "std"}, Load: load,
			Metric: record.Throughput, Primary: true, Per: per, Unit: unit, A: a, Direction: record.Higher, N: 8,
		}
	}
	one := comparison(aes("16KiB", "1 cpus", "machine", "B/s", 7.43e9), 0.782, 0.771, 0.794)
	one.Verdict, one.Better = trialset.Different, "a"
	four := comparison(aes("16KiB", "4 cpus", "machine", "B/s", 19.1e9), 1.191, 1.172, 1.210)
	four.Verdict, four.Better = trialset.Different, "b"
	four.Flags = []coded.Note{coded.New("fragile-disturbed", trialset.Undecided, 6)}
	dollar := comparison(aes("16KiB", "4 cpus", "dollar", "B/$", 2.89e14), 1.35, 1.329, 1.372)
	dollar.Verdict, dollar.Better = trialset.Different, "b"
	few := comparison(aes("1MiB", "1 cpus", "machine", "B/s", 7.3e9), 0.79)
	few.N, few.Verdict = 2, trialset.Undecided
	latency := comparison(finding.Comparison{
		Workload: "http", Params: map[string]string{"server": "netty"}, Load: "20000/s poisson", Metric: record.LatencyP99,
		Primary: true, Per: "machine", Unit: "s", A: 1.81e-3, Direction: record.Lower, N: 8, Verdict: trialset.Different,
		Better: "b",
	}, 0.829, 0.801, 0.859)
	cpu := comparison(finding.Comparison{
		Workload: "http", Params: map[string]string{"server": "netty"}, Load: "20000/s poisson", Metric: record.CPUPercent,
		Per: "machine", Unit: "%", A: 41.6, Direction: record.Neutral, N: 8,
	}, 0.795, 0.779, 0.811)
	same := comparison(finding.Comparison{
		Workload: "memory", Params: map[string]string{"op": "copy"}, Load: "4 cpus", Metric: record.Throughput,
		Primary: true, Per: "machine", Unit: "B/s", A: 38.2e9, Direction: record.Higher, N: 10, Verdict: trialset.Equivalent,
	}, 1.004, 0.998, 1.011)
	return finding.Compared{Pairs: []finding.Pair{{
		A: "m6id.xlarge", B: "m7gd.xlarge", By: "machine",
		Verdicts: []finding.Comparison{one, four, dollar, few, latency, cpu, same},
		Found: slices.Concat(
			crossover.KindCrossing.Each([]crossover.Crossing{{
				Workload: "aes-gcm", Params: map[string]string{"key": "256", "size": "16KiB", "impl": "std"},
				Metric: record.Throughput, Per: "machine",
				Axis: "cpus", Lo: 1, Hi: 4, FromBetter: "a", ToBetter: "b",
			}}),
			compare.KindResidue.Each([]compare.Difference{
				{Key: "kernel", A: []string{"6.1"}, B: []string{"6.8"}}, {Key: "engine.java", A: []string{"21.0.4", "21.0.5"}}})),

		Warnings: told("no price is known for m7gd.xlarge on spot"),
	}}}
}

func byFactor() finding.Compared {
	c := comparison(finding.Comparison{
		Workload: "kafka", Params: map[string]string{"acks": "all"}, Load: "8 clients", Metric: record.Throughput,
		Primary: true,
		Per:     "machine", Unit: "B/s", A: 412e6, Direction: record.Higher, N: 6, Verdict: trialset.Undecided,
	}, 1.011, 0.988, 1.034)
	return finding.Compared{Pairs: []finding.Pair{
		{A: "on", B: "off", By: "tls", Machine: "m7gd.xlarge", Verdicts: []finding.Comparison{c}}}}
}

// page is the report of all of it.
func page() Page {
	series := make([]float64, 600)
	for i := range series {
		series[i] = 19e9 + 4e8*math.Sin(float64(i)/9)
		if i%60 > 48 {
			series[i] = 11e9
		}
	}
	series[300] = math.NaN()
	return Page{
		Title: "Encryption and web service: m7gd.xlarge against m6id.xlarge", Generated: "2026-02-11 14:05 UTC by " +
			"plimsoll 0.1.0",
		Margin: 0.02, Shown: sampleShown(), Compared: []finding.Compared{compared()},
		OverTime: []block.Block{timeChart("time-1", "m6id.xlarge, aes-gcm, size=16KiB, 4 cpus, run 3", "B/s", 1, series)},
	}
}

// timeChart is a chart of one line over time.
func timeChart(id, label, unit string, step float64, values []float64) block.Chart {
	line := finding.TimeLine(block.Line{Name: label, Group: -1}, step, values)
	ch, _, _ := finding.TimeChart(block.Chart{ID: id, Title: label, Lines: []block.Line{line}}, unit,
		step*float64(len(values)), 1)
	ch.Hint = ch.Desc
	return ch
}

// told returns notes of texts, as of a session.
func told(texts ...string) []coded.Note { return coded.FromRecords(texts) }

// viewed is the view of some cells in a document of these machines.
func viewed(id string, cells []finding.Cell, machines []string, compared ...finding.Compared) *finding.View {
	v := &finding.View{ID: id, Machines: machines, Compared: compared}
	if len(cells) > 0 {
		v = finding.NewView(cells)
		v.ID, v.Machines, v.Compared = id, machines, compared
	}
	return v
}

// plotOf is the one plot of a show.
func plotOf(plots []block.Plot) (block.Plot, bool) {
	if len(plots) == 0 {
		return block.Plot{}, false
	}
	return plots[0], true
}

func priced(v *finding.View, bases map[string]finding.Basis) *finding.View {
	v.Bases = bases
	return v
}

// shown returns the Show of the analyzer of a kind.
func shown(kind string) func(*finding.View) []block.Block {
	all := judge.Analyzers()
	return all[slices.IndexFunc(all, func(a finding.Analyzer) bool { return a.Kind == kind })].Show
}
