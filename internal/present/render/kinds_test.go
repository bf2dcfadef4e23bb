package render

import (
	"bytes"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/compare"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/finding/crossover"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	coded "plimsoll/internal/record/note"
)

// encodings is one machine's sweep of shards with all that show says of kernels.
func encodings() finding.Shown {
	encode := func(shard, load, path, regime string, rates ...float64) finding.Cell {
		c := finding.Cell{
			Machine: "m7gd.xlarge", Workload: "erasure", Params: map[string]string{"data": "12", "shard": shard}, Load: load,
			Metric: record.Throughput, Primary: true, Unit: "B/s", Better: record.Higher, Path: path, Regime: regime,
		}
		return estimated(c, rates...)
	}
	four := encode("25MB", "4 cpus", "avx2", record.RegimeDRAM, 11.8e9, 12.1e9, 12.2e9)
	four.Found = sweep.KindSpeedup.Put(four.Found, new(figure.Between(2.33, 2.49).Around(2.41)))
	four.Found = sweep.KindMemoryBandwidth.Put(four.Found,
		&sweep.MemoryBandwidthShare{Share: .62, Bounds: figure.Between(.59, .65), Traffic: 16e9, Ceiling: 25.8e9,
			Of: "memory copy at 4 cpus"})
	four.Found = sweep.KindBySize.Put(four.Found, &sweep.BySize{
		Param: "shard", Points: []sweep.SizePoint{
			{Size: 8 << 10, Estimate: estimate.Estimate{Value: 18e9}}, {Size: 1e6, Estimate: estimate.Estimate{Value: 19e9}},
			{Size: 25e6, Estimate: estimate.Estimate{Value: 12e9}},
		},
		Last: figure.Between(.65, .69).Around(.67), Spread: figure.Between(.6, .66).Around(.63),
	})
	traffic := encode("25MB", "4 cpus", "avx2", record.RegimeDRAM, 15.8e9, 16e9, 16.1e9)
	traffic.Metric, traffic.Primary, traffic.Better = record.MemoryTraffic, false, record.Neutral
	two := encode("25MB", "2 cpus", "avx2", record.RegimeBetween, 9.1e9, 9.2e9)
	two.Found = sweep.KindSpeedup.Put(two.Found, &estimate.Estimate{Value: 1.83})
	two.Found = sweep.KindBySize.Put(two.Found,
		&sweep.BySize{Param: "shard", Points: sweep.KindBySize.Of(four).Points, Last: estimate.Estimate{Value: .98},
			Spread: estimate.Estimate{Value: .9}})
	return finding.Shown{Workloads: []finding.Cell{
		encode("8KiB", "4 cpus", "gfni+avx512", record.RegimeCache, 18e9, 18.1e9, 18.3e9), two, four, traffic,
	}}
}

// acrossPaths is a pair with paths, regimes and trends of all kinds, on machines with as
// many vCPUs.
func acrossPaths() finding.Compared {
	a, b := finding.Basis{VCPUs: 4, Cores: 2}, finding.Basis{VCPUs: 4, Cores: 4}
	p := finding.Pair{A: "m6id.xlarge", B: "m7gd.xlarge", By: record.KeyMachine, BasisA: &a, BasisB: &b,
		Warnings: told("vCPUs are not like for like: one of m6id.xlarge is one of 2 threads of a core, one of m7gd.xlarge " +
			"is a whole core\nhint: read the figures per core")}
	for i, size := range []string{"8KiB", "1MB", "25MB"} {
		c := comparison(finding.Comparison{
			Workload: "erasure", Params: map[string]string{"data": "12", "shard": size}, Load: "4 cpus",
			Metric:  record.Throughput,
			Primary: true, Per: "machine", Unit: "B/s", Direction: record.Higher, N: 5, A: 9e9, Verdict: trialset.Different,
			Better: "b",
			PathA:  "gfni+avx512", PathB: "neon", RegimeA: record.RegimeDRAM, RegimeB: record.RegimeDRAM,
			Flags: []coded.Note{coded.New("fragile-disturbed", trialset.Undecided, 3)},
		}, 1.1+.2*float64(i), 1.05+.2*float64(i), 1.15+.2*float64(i))
		if i == 0 {
			c.PathA, c.RegimeA, c.RegimeB = "avx2", record.RegimeCache, record.RegimeCache
			c.Flags = append(c.Flags, coded.New("unequal-code-paths", "avx2 (this CPU can do gfni+avx512) against neon"))
		}
		traffic := c
		traffic.Metric, traffic.Primary = record.MemoryTraffic, false
		p.Verdicts = append(append(p.Verdicts, c), append(cost.PerBasis(c, a, b, .02, false), traffic)...)
	}
	trend := func(axis string, first, last, lo, hi float64) crossover.Trend {
		return crossover.Trend{Workload: "erasure", Params: map[string]string{"data": "12"}, Load: "4 cpus",
			Metric: record.Throughput,
			Axis:   axis, From: 8 << 10, To: 25e6, First: first, Last: last, Ratio: last / first, Bounds: figure.Between(lo, hi)}
	}
	few := trend("shard", 1.1, 1.2, 1, 1)
	few.Lo, few.Hi = nil, nil
	p.Found = crossover.KindTrend.PutAll(p.Found, []crossover.Trend{
		trend("shard", 1.1, 1.5, 1.3, 1.42), trend("shard", .8, .6, .7, .8), trend("shard", 1.5, 1.1, .7, .77), trend("shard",
			.8, .9, 1.05, 1.2),
		trend("shard", .8, 1.2, 1.4, 1.6), trend("shard", 1.2, .8, .6, .72), trend("shard", 1.1, 1.12, .95, 1.08), few,
	})
	return finding.Compared{Pairs: []finding.Pair{p}}
}

// TestKernelScreens: what is said at the width of a usual terminal.
func TestKernelScreens(t *testing.T) {
	var b bytes.Buffer
	if err := Show(&b, term.Style{Width: 100}, encodings(), block.Depth{}); err != nil {
		t.Fatal(err)
	}
	if err := Compare(&b, term.Style{Width: 100}, acrossPaths(), block.Depth{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "kernels.plain.txt", b.Bytes())
}

// TestNarrowTables: the number of pairs goes first, the change never, and each metric is one line.
func TestNarrowTables(t *testing.T) {
	c := acrossPaths()
	c.Pairs[0].Verdicts[0].N = 4
	for width, want := range map[int]string{
		160: "metric change 95% CI m6id.xlarge m7gd.xlarge unit n verdict",
		80:  "metric change 95% CI m6id.xlarge m7gd.xlarge unit n",
		66:  "metric change 95% CI base other unit n", 57: "metric change 95% CI other unit",
		50: "metric change 95% CI unit",
	} {
		var b bytes.Buffer
		if err := Compare(&b, term.Style{Width: width}, c, block.Depth{}); err != nil {
			t.Fatal(err)
		}
		head, lines := "", 0
		for line := range strings.Lines(b.String()) {
			switch words := strings.Fields(line); {
			case len(words) > 0 && words[0] == "metric":
				head = strings.Join(words, " ")
			case strings.Contains(line, " to +") && !strings.Contains(line, "("):
				lines++
			}
		}
		if head != want || lines != 3 {
			t.Errorf("at %d columns: %q and %d lines, want %q and 3\n%s", width, head, lines, want, b.String())
		}
	}
}

// TestIdle: a share of a machine that the load did not fill is in the table
// alone; a dollar's stays, for its break-even.
func TestIdle(t *testing.T) {
	c := acrossPaths()
	for i := range c.Pairs[0].Verdicts {
		if v := &c.Pairs[0].Verdicts[i]; v.Per == "core" {
			v.Verdict, v.Flags = "", told("the load used 1 of 4 vCPUs, so per-vCPU figures mislead")
		}
	}
	sections := block.Of[block.Section](compare.Section(compare.View("x", c.Pairs[0], 0), judge.Analyzers()).Blocks)
	if said := sections[0].Blocks; len(said) != 3 {
		t.Errorf("%d sentences, want one for each of 3 sizes: %v", len(said), said)
	}
}
