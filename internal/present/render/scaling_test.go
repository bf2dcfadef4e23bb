package render

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// sweeps are two machines of 8 CPUs, the one of cores and the other of 4 cores
// with two threads each, and a third that was measured at too few numbers.
func sweeps() finding.Shown {
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
					record.KeyMachine: machine, record.KeyWorkload: "aes-gcm", record.KeyLoad: load.Key(),
					"aes-gcm.size": "16KiB", "aes-gcm.cpus": strconv.Itoa(n),
				},
			})
		}
	}
	for n := 1; n <= 8; n++ {
		f := float64(n)
		add("m7gd.2xlarge", n, 5.8e9*f)
		add("m6id.2xlarge", n, 7.4e9*(min(f, 4)+.26*max(0, f-4)))
		add("old.2xlarge", n, 3e9*f/(1+.2*(f-1)*f/2))
	}
	add("small.large", 1, 1e9)
	add("small.large", 2, 2e9)
	add("small.large", 3, 3e9)
	g, x := graviton(), xeon()
	g.Name, g.CPU.Cores, g.CPU.Threads, g.CPU.Allowed = "m7gd.2xlarge", 8, 8, []int{0, 1, 2, 3, 4, 5, 6, 7}
	x.Name, x.CPU.Cores, x.CPU.Threads, x.CPU.Allowed = "m6id.2xlarge", 4, 8, g.CPU.Allowed
	return judge.Show(trials, []record.Machine{g, x}, nil)
}

// TestScalingKeepsToTheWidth: the sentences wrap like all others.
func TestScalingKeepsToTheWidth(t *testing.T) {
	var b bytes.Buffer
	if err := Show(&b, term.Style{Width: 80}, sweeps(), block.Depth{}); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if got := block.DisplayWidth(strings.TrimRight(line, "\n")); got > 80 {
			t.Errorf("a line of %d: %s", got, line)
		}
	}
}
