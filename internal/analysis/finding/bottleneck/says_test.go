package bottleneck

import (
	"bytes"
	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/note"
	"slices"
	"strings"
	"testing"
)

func ptr(v float64) *float64 { return &v }

// told returns notes of texts, as of a session.
func told(texts ...string) []note.Note { return note.FromRecords(texts) }

// printed returns the sentences about a cell on a terminal, in one line.
func printed(c finding.Cell) string {
	var b bytes.Buffer
	term.NewPrinter(&b, term.Style{Width: 100}).Blocks(says(finding.NewView([]finding.Cell{c})), 0)
	return strings.Join(strings.Fields(b.String()), " ")
}

func watchedCell() finding.Cell {
	return finding.Cell{
		Machine: "m", Workload: "pgbench", Load: "128 clients", Metric: "throughput", Unit: "op/s", Primary: true, N: 3,
		Estimate: estimate.Estimate{Value: 1e4},
		Found: slices.Concat(
			KindBottleneck.New(&Bottleneck{What: CPU, Reasons: []string{"the server's CPUs are 99% in use"}, N: 3}),
			KindTimeline.New(&Timeline{N: 3, Seconds: 180, Checkpoints: map[string]int{"wal": 2, "time": 1}, Lost: ptr(.011),
				Doubts: told(), Dips: []Dip{
					{Replicate: 1, At: 31, Length: 4, Depth: .14, Beside: []Beside{
						{What: BesideCheckpoint, Detail: "wal", At: ptr(30.5)}, {What: BesideImages, Within: ptr(400), Other: ptr(3)},
						{What: record.WaitWAL, Within: ptr(.5), Other: ptr(.1)},
					}},
					{Replicate: 2, At: 12, Length: 2, Depth: .14, Beside: []Beside{}},
				}})),
	}
}

func TestSays(t *testing.T) {
	quiet := watchedCell()
	quiet.Found = KindTimeline.Put(quiet.Found,
		&Timeline{N: 1, Seconds: 60, Lost: ptr(0), Doubts: told("run 2 is left out")})
	KindBottleneck.Of(quiet).What = Unknown
	short := watchedCell()
	short.Found = KindTimeline.Put(short.Found, &Timeline{N: 1, Seconds: 5})
	for name, c := range map[string]struct {
		cell finding.Cell
		want []string
	}{
		"dips": {watchedCell(), []string{
			"bottleneck 128 clients: cpu: the server's CPUs are 99% in use",
			"2 dips of 14%, which cost 1.1% of the operations: checkpoint (wal), full-page images (400 a second, otherwise " +
				"3), waits for the log (50% of the time, otherwise 10%) at 31 s of run 2 for 4 s; " +
				"nothing that is known at 12 s of run 3 for 2 s; 3 checkpoints began (wal 2, time 1) in 180 s of 3 runs",
		}},
		"none": {quiet, []string{"no dips; no checkpoint began in 60.0 s of 1 run", "note 128 clients: run 2 is left out",
			"unknown: the server's"}},
		"short": {short, []string{"too short to tell dips"}},
	} {
		text := printed(c.cell)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
	}
}

// TestWorthTelling: the bottleneck of a kernel, or of a disk under its own full load, is no news.
func TestWorthTelling(t *testing.T) {
	for _, c := range []struct {
		workload, load, what string
		want                 bool
	}{
		{"kafka", "24 clients", Disk, true}, {"aes-gcm", "all cpus", CPU, false}, {"disk", "512 clients", Disk, false},
		{"disk", "512 clients", CPU, true}, {"http", "1000/s poisson", Client, false}, {"http", "1000/s poisson", CPU, true},
	} {
		if got := worthStating(finding.Cell{Workload: c.workload, Load: c.load}, &Bottleneck{What: c.what}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
