package storage

import (
	"math"
	"slices"
	"testing"

	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// sideOf returns a machine whose disk did as many writes of 256 KiB in each 100 ms as are given.
func sideOf(t *testing.T, machine string, sizing Sizing, writes ...int64) side {
	t.Helper()
	use := record.DiskUse{Device: "nvme1n1", LargestIO: 256 << 10}
	series := map[string][]int64{}
	add := func(device, column string, v int64) {
		name := record.DiskSeries(device, column)
		series[name] = append(series[name], v)
	}
	for _, n := range writes {
		add("", record.DiskStep, record.DiskStepNs)
		add(use.Device, record.DiskWriteIOs, n)
		add(use.Device, record.DiskWriteSectors, n*512)
	}
	line, err := newDiskTimeline(use, series)
	if err != nil {
		t.Fatal(err)
	}
	return side{machine, line, sizing}
}

func sizedFor(mibps, iops, averaging float64) Sizing {
	return Sizing{Need: &DiskNeed{Need: catalog.Need{MiBps: mibps, IOPS: iops}, Averaging: averaging}}
}

// twoDisks are r5, held at 25 MiB/s for two seconds, and r6g, which is done after 300 ms of as much.
func twoDisks(t *testing.T) []side {
	t.Helper()
	held := sizedFor(50, 200, 1)
	held.Cap = DiskCap{Held: true, Metric: "bytes_per_s", Level: 25 << 20}
	return []side{
		sideOf(t, "r5", held, slices.Repeat([]int64{10}, 20)...), sideOf(t, "r6g", sizedFor(25, 100, .1), 10, 0, 20),
	}
}

// TestDiskCharts: the machines share the axes, rates are averaged as the need is, and need and cap are levels of the
// machine's own look.
func TestDiskCharts(t *testing.T) {
	charts := diskCharts("x", "kafka, record_size=1MB, 8 clients", twoDisks(t), []string{"r5", "r6g"})
	if len(charts) != 2 || charts[0].ID != "x-bytes" || charts[1].ID != "x-ios" ||
		charts[0].Title != "kafka, record_size=1MB, 8 clients: bytes of the disk a second" {
		t.Fatalf("%+v", charts)
	}
	near := func(got block.Number, want float64) bool { return math.Abs(float64(got)-want) < 1e-6 }
	for i, want := range []struct {
		unit         string
		names        []string
		groups       []int
		rate, again  float64 // of r5 in each of its two seconds; of r6g in its third 100 ms
		need, others float64
	}{
		{"MB/s", []string{"r5", "r5, need", "r5, held", "r6g", "r6g, need"}, []int{0, 0, 0, 1, 1}, 26.2144, 52.4288, 52.4288,
			26.2144},
		{"op/s", []string{"r5", "r5, need", "r6g", "r6g, need"}, []int{0, 0, 1, 1}, 100, 200, 200, 100},
	} {
		ch := charts[i]
		var names []string
		var groups []int
		by := map[string]block.Line{}
		for _, l := range ch.Lines {
			names, groups = append(names, l.Name), append(groups, l.Group)
			by[l.Name] = l
		}
		if ch.Y.Unit != want.unit || !near(ch.X.Hi, 2) || len(ch.Legend) != 2 || !slices.Equal(names, want.names) ||
			!slices.Equal(groups, want.groups) {
			t.Fatalf("%s: %+v", ch.ID, ch)
		}
		a, b := by["r5"], by["r6g"]
		if len(a.Y) != 2 || !near(a.X[1], 1) || !near(a.Y[0], want.rate) || !near(a.Y[1], want.rate) || a.Faint ||
			a.Colour == b.Colour {
			t.Errorf("%s: r5 is %+v", ch.ID, a)
		}
		if len(b.Y) != 3 || !near(b.X[2], .2) || !near(b.Y[1], 0) || !near(b.Y[2], want.again) {
			t.Errorf("%s: r6g is %+v", ch.ID, b)
		}
		for name, level := range map[string]float64{"r5, need": want.need, "r6g, need": want.others} {
			l := by[name]
			if !l.Faint || len(l.Y) != 2 || !near(l.Y[0], level) || l.Y[1] != l.Y[0] || !near(l.X[1], 2) || len(l.Notes) != 1 ||
				l.Notes[0].Text != "need" {
				t.Errorf("%s: %s is %+v", ch.ID, name, l)
			}
		}
	}
	if held := charts[0].Lines[2]; !near(held.Y[0], 26.2144) || held.Notes[0].Text != "held" ||
		held.Tips[0] != "26.2 MB/s" {
		t.Errorf("the cap is %+v", held)
	}
	want := "r5: 26.2 MB/s on average in 2.00 s, in windows of 1 s, need 52.4 MB/s, capped at 26.2 MB/s; r6g: 26.2 MB/s " +
		"on average in 0.300 s, in windows of 100 ms, need 26.2 MB/s"
	if got := charts[0].Desc; got != want {
		t.Errorf("described as %q, want %q", got, want)
	}
	if got := diskCharts("x", "", []side{sideOf(t, "r5", sizedFor(0, 0, 1), 0, 0)}, nil); len(got) != 0 {
		t.Errorf("charts of nothing: %+v", got)
	}
}
