package render

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/finding/storage"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

func termOf(v, lo, hi float64) estimate.Estimate {
	return figure.Between(lo, hi).Around(v)
}

func ingestCell() finding.Cell {
	written, each, over, op := termOf(.95, .93, .97), termOf(1.02, 1.01, 1.03), termOf(4, 3, 5), termOf(3.2e-10, 3.1e-10,
		3.3e-10)
	return finding.Cell{
		Machine: "m", Workload: "kafka", Load: "24 clients", Metric: "throughput", Unit: "op/s", Primary: true, N: 3,
		Estimate: termOf(2e6, 1.9e6, 2.1e6),
		Params:   map[string]string{"record_size": "1kB"}, Better: "higher",
		Found: slices.Concat(
			bottleneck.KindBottleneck.New(&bottleneck.Bottleneck{What: bottleneck.Disk, Reasons: []string{"vda handles 95%"},
				N: 3}),
			storage.KindDiskBandwidth.New(&storage.DiskBandwidthShare{Share: termOf(.96, .95, .97), Ingest: 1.92e9, Raw: 2e9,
				Of: "block=1MiB rw=write", Written: &written, PerByte: &each, Verdict: storage.Saturates}),
			storage.KindPeakDemand.New(&storage.PeakDiskDemand{Param: "record_size", Device: "vda",
				Bytes: storage.DiskDemandPeak{Size: 1000, Value: termOf(2e9, 1.9e9, 2.1e9), Over: &over, Certain: true},
				IOPS:  storage.DiskDemandPeak{Size: 100, Value: termOf(4000, 3900, 4100), Over: &over}}),
			cost.KindWorth.New(&cost.Worth{PricePerHour: 2.3052, PriceSource: "--price", Dollar: termOf(3.12e9, 3.03e9, 3.2e9),
				Unit: "op/$", Op: &op, Doubts: told("the bottleneck is client")})),
	}
}

// TestIngestInWords: what is certain is said as such, and what is not as that.
func TestIngestInWords(t *testing.T) {
	once := ingestCell()
	once.Found = storage.KindDiskBandwidth.Put(once.Found,
		&storage.DiskBandwidthShare{Share: estimate.Estimate{Value: .5}, Ingest: 1e9, Raw: 2e9, Of: "rw=write",
			Verdict: storage.SaturatesUndecided, Why: told("the interval for disk writes needs at least 3 runs")[0]})
	once.Found = cost.KindWorth.Put(storage.KindPeakDemand.Put(once.Found, nil), nil)
	for name, c := range map[string]struct {
		cell finding.Cell
		want []string
	}{
		"bounded": {ingestCell(), []string{
			"of raw disk 96.0% 95.0 to 97.0", "bottleneck 24 clients: disk: vda handles 95%",
			"ingests 1.92 GB/s, 95.0% to 97.0% of the 2.00 GB/s that workload disk wrote there (block=1MiB rw=write); the " +
				"device wrote 93.0% to 97.0% of its maximum, 1.010 to 1.030 bytes per ingested byte: saturates the disk",
			"peak of vda: bytes at record_size=1kB, 1.90 to 2.10 GB/s (higher than all others), I/Os at record_size=100B, " +
				"3.90k to 4.10k op/s (not significantly higher than others)",
			"handles 3.03G to 3.20G records/$; a trillion records: $310 to $330, at 2.3052 $/h (--price)",
			"note 24 clients: the bottleneck is client",
		}},
		"once": {once, []string{
			"by estimate 50.0% (no interval) of the 2.00 GB/s", "undecided; the interval for disk writes needs at least 3 runs",
		}},
	} {
		var b bytes.Buffer
		if err := Show(&b, term.Style{Width: 100}, finding.Shown{Workloads: []finding.Cell{c.cell}},
			block.Whole()); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(strings.Fields(b.String()), " ")
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", name, want, text)
			}
		}
	}
}

// TestIngestIsDrawn: the share of the disk, and what a dollar handles in bytes beside operations.
func TestIngestIsDrawn(t *testing.T) {
	ingest := ingestCell()
	ingest.Metric, ingest.Unit, ingest.Primary, ingest.Value, ingest.Lo, ingest.Hi = "ingest", "B/s", false, 2e9,
		ptr(1.9e9), ptr(2.1e9)
	ingest.Found = storage.KindDiskBandwidth.Put(ingest.Found, nil)
	cells := []finding.Cell{ingestCell(), ingest}
	p, ok := plotOf(block.Of[block.Plot](shown("of_disk")(viewed("id", cells, []string{"m"}))))
	if !ok || len(p.Rows) != 1 || !strings.Contains(p.Rows[0].Figure, "saturates the disk") || p.One == nil {
		t.Errorf("%+v", p)
	}
	seen := map[string]string{}
	view := priced(viewed("id", cells, []string{"m"}), map[string]finding.Basis{"m": {PricePerHour: 2.3052}})
	for _, w := range block.Of[block.Plot](shown("worth")(view)) {
		seen[w.ID] = w.Title
	}
	if len(seen) != 2 || seen["id-dollar"] != "kafka, throughput per dollar" ||
		seen["id-dollar-ingest"] != "kafka, ingest per dollar" {
		t.Errorf("%v", seen)
	}
}
