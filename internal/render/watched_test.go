package render

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/estimate"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/bottleneck"
	"plimsoll/internal/media/term"
	"plimsoll/internal/record"
)

func watchedCell() finding.Cell {
	return finding.Cell{
		Machine: "m", Workload: "pgbench", Load: "128 clients", Metric: "throughput", Unit: "op/s", Primary: true, N: 3, Estimate: estimate.Estimate{Value: 1e4},
		Found: slices.Concat(
			bottleneck.KindBottleneck.New(&bottleneck.Binds{What: bottleneck.BindsCPU, Reasons: []string{"the server's CPUs are 99 % in use"}, N: 3}),
			bottleneck.KindTimeline.New(&bottleneck.Timeline{N: 3, Seconds: 180, Checkpoints: map[string]int{"wal": 2, "time": 1}, Lost: ptr(.011), Doubts: told(), Dips: []bottleneck.Dip{
				{Replicate: 1, At: 31, Length: 4, Depth: .14, Beside: []bottleneck.Beside{
					{What: bottleneck.BesideCheckpoint, Detail: "wal", At: ptr(30.5)}, {What: bottleneck.BesideImages, Within: ptr(400), Other: ptr(3)}, {What: record.WaitWAL, Within: ptr(.5), Other: ptr(.1)},
				}},
				{Replicate: 2, At: 12, Length: 2, Depth: .14, Beside: []bottleneck.Beside{}},
			}})),
	}
}

func TestWatchedInWords(t *testing.T) {
	quiet := watchedCell()
	quiet.Found = bottleneck.KindTimeline.Put(quiet.Found, &bottleneck.Timeline{N: 1, Seconds: 60, Lost: ptr(0), Doubts: told("replicate 2 is left out")})
	bottleneck.KindBottleneck.Of(quiet).What = bottleneck.BindsUnknown
	short := watchedCell()
	short.Found = bottleneck.KindTimeline.Put(short.Found, &bottleneck.Timeline{N: 1, Seconds: 5})
	for name, c := range map[string]struct {
		cell finding.Cell
		want []string
	}{
		"dips": {watchedCell(), []string{
			"binds 128 clients: cpu: the server's CPUs are 99 % in use",
			"2 dips of 14 %, which cost 1.1 % of the operations: checkpoint (wal), full-page images (400 a second, otherwise 3), waits for the log (50 % of the time, otherwise 10 %) at 31 s of replicate 1 for 4 s; " +
				"nothing that is known at 12 s of replicate 2 for 2 s; 3 checkpoints began (wal 2, time 1) in 180 s of 3 trials",
		}},
		"none":  {quiet, []string{"no dips; no checkpoint began in 60.0 s of 1 trial", "doubt 128 clients: replicate 2 is left out", "unknown: the server's"}},
		"short": {short, []string{"too short to tell dips"}},
	} {
		var b bytes.Buffer
		if err := Show(&b, term.Style{Width: 100}, finding.Shown{Workloads: []finding.Cell{c.cell}}); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(b.String()), " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, b.String())
			}
		}
	}
}

// TestWatchedCharts: a page draws what was carried with its checkpoints, and below it the log and the waits, whatever is missing of them.
func TestWatchedCharts(t *testing.T) {
	ops := []float64{1000, 1000, 500, 1000}
	w := Watched{Label: "m, pgbench", Track: bottleneck.Track{Step: 1, Ops: ops, Series: map[string][]float64{
		record.DBPageImages: {0, 0, 300, 10}, record.DBWait(record.WaitCPU): {10, 10, 0, 0}, record.DBWait(record.WaitWAL): {10, 0, 0, 30},
	}, Marks: []bottleneck.Mark{
		{What: bottleneck.BesideCheckpoint, Detail: "time", From: -3, To: .5}, {What: bottleneck.BesideCheckpoint, Detail: "wal", From: 2.2, To: 2.201}, {What: bottleneck.BesideVacuum, From: 1, To: 3},
	}}}
	charts := watchedCharts("w", w)
	if len(charts) != 3 {
		t.Fatalf("%d charts, want throughput, images and waits", len(charts))
	}
	for i, name := range []string{"throughput", "full-page images", "backends"} {
		if !strings.Contains(charts[i].Title, name) || len(charts[i].Zones) != 3 || charts[i].Zones[0].Kind != zoneVacuum {
			t.Errorf("%+v", charts[i])
		}
		for _, z := range charts[i].Zones {
			if z.From < 0 || z.From >= z.To || z.To > 4 {
				t.Errorf("%+v", z)
			}
		}
	}
	if notes := charts[0].Lines[0].Notes; len(notes) != 1 || notes[0].Text != "checkpoint (wal)" || notes[0].X != 2.2 {
		t.Errorf("%+v", notes)
	}
	waits := charts[2].Lines
	if len(waits) != 2 || waits[0].Name != "waits for the log" || waits[0].Y[0] != 50 || figure.IsFinite(float64(waits[0].Y[2])) || waits[1].Y[1] != 100 || len(charts[2].Legend) != 2 {
		t.Errorf("%+v", waits)
	}
	var b bytes.Buffer
	if err := Report(&b, Page{Title: "x", Shown: finding.Shown{Workloads: []finding.Cell{watchedCell()}}, Watched: []Watched{w, {Label: "empty"}}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`class="zone checkpoint"`, `class="zone vacuum"`, "checkpoint (wal)", "the server&#39;s CPUs are 99 % in use", `id="watched-1-3"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q on the page", want)
		}
	}
}
