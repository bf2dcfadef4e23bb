package sweep

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

const armBox, x86Box = "c6g.16xlarge", "c5.18xlarge"

func bounded(v, lo, hi float64) estimate.Estimate {
	return figure.Between(lo, hi).Around(v)
}

// viewed is the view of some cells in a document of these machines.
func viewed(machines []string, cells ...finding.Cell) *finding.View {
	v := finding.NewView(cells)
	v.ID, v.Machines = "x", machines
	return v
}

// said are the sentences of a show about one cell.
func said(show func(*finding.View) []block.Block, cells ...finding.Cell) []string {
	var out []string
	for _, s := range block.Of[block.Sentence](show(viewed(nil, cells...))) {
		out = append(out, s.Lead+" "+s.Text)
	}
	return out
}

func wantSaid(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func cellOf(machine, workload, load string) finding.Cell {
	return finding.Cell{
		Machine: machine, Workload: workload, Params: map[string]string{"size": "16MiB"}, Load: load,
		Metric:  record.Throughput,
		Primary: true, Unit: "B/s", Better: record.Higher,
	}
}

// sizeCell is the last of a sweep over sizes from 32 KiB to 16 MiB, whose throughput falls beyond a cache.
func sizeCell(machine, load string, top, cache float64) finding.Cell {
	c := cellOf(machine, "erasure", load)
	b := &BySize{Param: "size", Last: bounded(.55, .54, .56), Spread: bounded(.55, .54, .56)}
	for size := 32.0 * 1024; size <= 16<<20; size *= 2 {
		p := SizePoint{size, bounded(top, .98*top, 1.02*top), record.RegimeCache}
		if size > cache {
			p = SizePoint{size, bounded(.55*top, .54*top, .56*top), record.RegimeDRAM}
		}
		b.Points = append(b.Points, p)
	}
	c.Found = KindBySize.New(b)
	return c
}

func erasureCells() []finding.Cell {
	return []finding.Cell{
		sizeCell(armBox, "1 cpus", 6.1e9, 1<<20), sizeCell(x86Box, "1 cpus", 11.3e9, 2<<20),
		sizeCell(armBox, "all cpus", 192e9, 1<<20), sizeCell(x86Box, "all cpus", 168e9, 1<<20),
	}
}

func ofMemory(machine string, lo *float64, share float64, hi *float64) finding.Cell {
	const ceiling = 182e9
	c := cellOf(machine, "highwayhash", "all cpus")
	c.Found = KindMemoryBandwidth.New(&MemoryBandwidthShare{
		Share: share, Bounds: figure.Bounds{Lo: lo, Hi: hi}, Traffic: share * ceiling, Ceiling: ceiling,
		Of: "memory copy at all cpus",
	})
	return c
}

// sweptInput is the sweeps of CPUs of a machine of 8 cores, one of 4 cores with two threads each, one that
// loses beyond 3 CPUs, and one that was measured at too few numbers.
func sweptInput() *finding.Input {
	var trials []record.Trial
	add := func(machine string, n int, value float64) {
		for i := range 3 {
			load := record.LoadPoint{Kind: record.Closed, Level: float64(n), Unit: record.ParamCPUs}
			v := record.Value{Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher},
				Value: value * (1 + .004*float64(i-1))}
			trials = append(trials, record.Trial{
				ID: fmt.Sprintf("%s-%d-%d", machine, n, i), Slot: record.Slot{Plan: "p", Cell: n, Replicate: i}, Load: load,
				Values: []record.Value{v},
				Keys: map[string]string{
					record.KeyMachine: machine, record.KeyWorkload: "aes-gcm", record.KeyLoad: load.Key(), "aes-gcm.size": "16KiB",
					"aes-gcm.cpus": strconv.Itoa(n),
				},
			})
		}
	}
	for n := 1; n <= 8; n++ {
		f := float64(n)
		add("m7gd.2xlarge", n, 5.8e9*f)
		add("m6id.2xlarge", n, 7.4e9*(min(f, 4)+.26*max(0, f-4)))
		add("old.2xlarge", n, 3e9*f/(1+.2*(f-1)*f/2))
		if n <= 3 {
			add("small.large", n, 1e9*f)
		}
	}
	return finding.NewInput(trials, []record.Machine{
		{Name: "m7gd.2xlarge", CPU: record.CPU{Cores: 8, Threads: 8, ThreadsPerCore: 1}},
		{Name: "m6id.2xlarge", CPU: record.CPU{Cores: 4, Threads: 8, ThreadsPerCore: 2}},
	}, nil)
}

// sweptCells are the cells that hold the scalings of these sweeps.
func sweptCells() (machines []string, cells []finding.Cell) {
	machines = []string{"m7gd.2xlarge", "m6id.2xlarge", "old.2xlarge", "small.large"}
	for _, f := range scalings(sweptInput()) {
		if f.Kind == "" {
			continue
		}
		c := cellOf(f.Cells[0].Machine, "aes-gcm", f.Cells[0].Load)
		c.Found = []finding.Finding{f}
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(a, b finding.Cell) int {
		return slices.Index(machines, a.Machine) - slices.Index(machines, b.Machine)
	})
	return machines, cells
}
