package judge

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/cost"
	"plimsoll/internal/analysis/finding/storage"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// ingested is a trial of a log broker: bytes acknowledged and bytes that vda wrote, a second.
func ingested(replicate int, clients float64, size string, bytes, wrote float64, changes ...change) record.Trial {
	changes = append([]change{func(t *record.Trial) {
		delete(t.Keys, "aes.size")
		t.Keys[record.KeyWorkload], t.Keys["kafka.record_size"], t.Keys["kafka.partitions"] = "kafka", size, "64"
		t.Load = record.LoadPoint{Kind: record.Closed, Level: clients, Unit: record.ParamClients}
		t.Keys[record.KeyLoad] = t.Load.Key()
		t.DurationS = 10
		n, _ := record.ParseSize(size)
		t.Values[0].Unit, t.Values[0].Value = "op/s", bytes/float64(n)
		measured(trialset.Ingest, "B/s", record.Higher, bytes)(t)
		cpus(50, 20)(t)
		on := true
		t.Disk = &record.DiskUse{Device: "vda", WriteBytes: int64(10 * wrote), Writes: int64(10 * wrote / 5e5), OnData: &on,
			BusyPct: 70}
		t.Network = &record.NetworkUse{LoopbackBytes: int64(10 * bytes)}
		t.Cell = int(clients)*100 + len(size)
	}}, changes...)
	return trial("m1", replicate, 1, changes...)
}

// raw is a trial of workload disk that writes.
func raw(replicate int, block string, bytes float64, changes ...change) record.Trial {
	changes = append([]change{func(t *record.Trial) {
		delete(t.Keys, "aes.size")
		t.Keys[record.KeyWorkload], t.Keys["disk.block"], t.Keys["disk.rw"] = "disk", block, "write"
		t.Load = record.LoadPoint{Kind: record.Closed, Level: 512, Unit: "in flight"}
		t.Keys[record.KeyLoad] = t.Load.Key()
		t.DurationS, t.Cell = 10, len(block)
		t.Disk = &record.DiskUse{Device: "vda", WriteBytes: int64(10 * bytes), Writes: int64(10 * bytes / 16384), BusyPct: 99}
	}}, changes...)
	return trial("m1", replicate, bytes, changes...)
}

// spread is a replicate's own factor, within 1%.
func spread(r int) float64 { return 1 + .01*float64(r-2) }

func shownCell(t *testing.T, s finding.Shown, workload, metric string, params ...string) finding.Cell {
	t.Helper()
	for _, c := range s.Workloads {
		if c.Workload == workload && c.Metric == metric && !slices.ContainsFunc(params, func(p string) bool {
			k, v, is := strings.Cut(p, "=")
			return is && c.Params[k] != v || !is && c.Load != p
		}) {
			return c
		}
	}
	t.Fatalf("no cell of %s, %s, %v", workload, metric, params)
	return finding.Cell{}
}

// TestShareOfRawBandwidth: against the cell that wrote most, by replicate; the device's own counters say whether it is
// saturated.
func TestShareOfRawBandwidth(t *testing.T) {
	for name, c := range map[string]struct {
		bytes, wrote float64
		alter        change
		share        float64
		verdict, why string
	}{
		"saturated":         {9.5e8, 9.6e8, nil, .95, storage.Saturates, ""},
		"half":              {5e8, 5e8, nil, .5, storage.SaturatesNot, ""},
		"near":              {8e8, 8e8, nil, .8, storage.SaturatesUndecided, ""},
		"in the page cache": {12e8, 1e8, nil, 1.2, storage.SaturatesNot, "data was still in the page cache"},
		"written twice":     {4.8e8, 9.6e8, nil, .48, storage.Saturates, ""},
		"counters unknown": {9.5e8, 0, func(t *record.Trial) { t.Disk = nil }, .95, storage.SaturatesUndecided,
			"may contain data"},
		"unknown, and half": {5e8, 0, func(t *record.Trial) { t.Disk = nil }, .5, storage.SaturatesNot, "may contain data"},
	} {
		t.Run(name, func(t *testing.T) {
			var trials []record.Trial
			for r := range 3 {
				k := ingested(r, 24, "1000B", c.bytes*spread(r), c.wrote*spread(r))
				if c.alter != nil {
					c.alter(&k)
				}
				trials = append(trials, raw(r, "16KiB", 7e8*spread(r)), raw(r, "1MiB", 1e9*spread(r)), k)
			}
			o := storage.KindDiskBandwidth.Of(shownCell(t, Show(trials, nil, nil), "kafka", record.Throughput))
			if o == nil {
				t.Fatal("no share")
			}
			if math.Abs(o.Share.Value/c.share-1) > .01 || o.Share.Lo == nil || *o.Share.Lo > o.Share.Value ||
				*o.Share.Hi < o.Share.Value {
				t.Errorf("share %+v, want %g with an interval", o.Share, c.share)
			}
			if o.Verdict != c.verdict || !strings.Contains(o.Why.Text(), c.why) || o.Of != "block=1MiB rw=write" {
				t.Errorf("%s of %s, %q, want %s and %q", o.Verdict, o.Of, o.Why, c.verdict, c.why)
			}
			if c.alter == nil && (o.PerByte == nil || math.Abs(o.PerByte.Value/(c.wrote/c.bytes)-1) > 1e-6) {
				t.Errorf("%+v bytes for each, want %g", o.PerByte, c.wrote/c.bytes)
			}
		})
	}
}

// TestADiskThatScatters: replicates enough, and still no interval, for which there is another reason.
func TestADiskThatScatters(t *testing.T) {
	var trials []record.Trial
	for r, wrote := range []float64{1e8, 5e8, 9e8} {
		trials = append(trials, raw(r, "16KiB", wrote), ingested(r, 24, "1000B", 5e8, 5e8))
	}
	o := storage.KindDiskBandwidth.Of(shownCell(t, Show(trials, nil, nil), "kafka", record.Throughput))
	if o == nil || o.Written == nil || o.Written.Lo != nil || o.Verdict != storage.SaturatesUndecided ||
		!strings.Contains(o.Why.Text(), "vary too much") {
		t.Errorf("%+v", o)
	}
}

// TestNoShareOfAnotherDisk: nothing is said of a broker elsewhere, of another device, of another machine, nor by reads.
func TestNoShareOfAnotherDisk(t *testing.T) {
	for name, c := range map[string]struct{ disk, kafka change }{
		"elsewhere":       {nil, func(t *record.Trial) { t.Values = t.Values[:2] }},
		"another device":  {func(t *record.Trial) { t.Keys["disk.path"], t.Disk.Device = "/mnt", "vdb" }, nil},
		"another path":    {nil, func(t *record.Trial) { t.Keys["kafka.path"], t.Disk.Device = "/mnt", "vdb" }},
		"another machine": {key(record.KeyMachine, "m2"), nil},
		"reads":           {key("disk.rw", "read"), nil},
		"held back":       {key("disk.bandwidth", "100MB"), nil},
	} {
		var trials []record.Trial
		for r := range 3 {
			d, k := raw(r, "16KiB", 1e9), ingested(r, 24, "1000B", 9e8, 9e8)
			if c.disk != nil {
				c.disk(&d)
			}
			if c.kafka != nil {
				c.kafka(&k)
			}
			trials = append(trials, d, k)
		}
		if o := storage.KindDiskBandwidth.Of(shownCell(t, Show(trials, nil, nil), "kafka", record.Throughput)); o != nil {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// TestShareOfThePathThatWasAskedFor: broker and disk were told one directory, or two on one device.
func TestShareOfThePathThatWasAskedFor(t *testing.T) {
	for _, path := range []string{"/mnt/a", "/mnt/b"} {
		var trials []record.Trial
		for r := range 3 {
			d, k := raw(r, "16KiB", 1e9), ingested(r, 24, "1000B", 9e8, 9e8)
			d.Keys["disk.path"], k.Keys["kafka.path"] = "/mnt/a", path
			trials = append(trials, d, k)
		}
		if o := storage.KindDiskBandwidth.Of(shownCell(t, Show(trials, nil, nil), "kafka", record.Throughput)); o == nil {
			t.Errorf("%s: no share", path)
		}
	}
}

// TestMostStressingSize: most bytes and most I/Os may be of two sizes, and what is near is not certain.
func TestMostStressingSize(t *testing.T) {
	var trials []record.Trial
	for r := range 3 {
		for size, rate := range map[string]float64{"100B": 2e8, "1kB": 8e8, "10kB": 8.05e8} {
			k := ingested(r, 24, size, rate*spread(r), rate*spread(r))
			k.Disk.Writes = int64(10 * rate * spread(r) / map[string]float64{"100B": 4e3, "1kB": 4e5, "10kB": 5e5}[size])
			trials = append(trials, k)
		}
	}
	s := storage.KindPeakDemand.Of(shownCell(t, Show(trials, nil, nil), "kafka", record.Throughput, "record_size=10kB"))
	if s == nil || len(s.Points) != 3 || s.Device != "vda" || s.Param != "record_size" {
		t.Fatalf("%+v", s)
	}
	if s.Bytes.Size != 10e3 || s.Bytes.Certain || s.Bytes.Over.Lo == nil || math.Abs(s.Bytes.Over.Value/4.025-1) > .01 {
		t.Errorf("most bytes %+v, want 10 kB, not certain beside 1 kB", s.Bytes)
	}
	if s.IOPS.Size != 100 || !s.IOPS.Certain || math.Abs(s.IOPS.Value.Value/5e4-1) > .02 {
		t.Errorf("most I/Os %+v, want 100 B, certain", s.IOPS)
	}
	for _, p := range s.Points {
		if p.N != 3 || p.Bytes.Lo == nil || *p.Bytes.Lo > p.Bytes.Value || *p.IOPS.Hi < p.IOPS.Value {
			t.Errorf("%+v", p)
		}
	}
}

// TestDependsStrongly: by the interval of the lowest over the highest.
func TestDependsStrongly(t *testing.T) {
	for name, c := range map[string]struct {
		low     float64
		n       int
		verdict string
	}{"flat": {.99, 3, sweep.Insensitive}, "half": {.5, 3, sweep.Sensitive},
		"between": {.8, 3, sweep.SensitivityUndecided}, "once": {.5, 1, sweep.SensitivityUndecided}} {
		var trials []record.Trial
		for r := range c.n {
			for partitions, rate := range map[string]float64{"1": c.low, "16": 1, "64": 1} {
				k := ingested(r, 24, "1000B", 8e8*rate*spread(r), 1, key("kafka.partitions", partitions))
				k.Cell = len(partitions)
				trials = append(trials, k)
			}
		}
		d := sweep.KindSensitivity.All(shownCell(t, Show(trials, nil, nil), "kafka", record.Throughput, "partitions=64"))
		if len(d) != 1 || d[0].Param != "partitions" || d[0].Verdict != c.verdict || len(d[0].Points) != 3 ||
			math.Abs(d[0].Spread.Value/c.low-1) > .02 {
			t.Errorf("%s: %+v, want %s", name, d, c.verdict)
		}
	}
}

// TestFewLargeAgainstManySmall: the corners of a grid, and nothing where one is missing.
func TestFewLargeAgainstManySmall(t *testing.T) {
	var trials []record.Trial
	for r := range 3 {
		for _, clients := range []float64{2, 24} {
			for size, rate := range map[string]float64{"100B": 1e8, "10kB": 8e8} {
				trials = append(trials, ingested(r, clients, size, rate*(1+clients/100)*spread(r), 1))
			}
		}
	}
	f := sweep.KindFewLarge.Of(shownCell(t, Show(trials, nil, nil), "kafka", record.Throughput, "record_size=10kB",
		"2 clients"))
	want := 8e8 * 1.02 / (1e8 * 1.24)
	if f == nil || f.Better != "few" || f.Few.Clients != 2 || f.Few.Size != 10e3 || f.Many.Clients != 24 ||
		f.Many.Size != 100 || math.Abs(f.Ratio.Value/want-1) > .01 {
		t.Errorf("%+v, want %g for few", f, want)
	}
	corner := func(r record.Trial) bool { return r.Load.Level == 2 && r.Keys["kafka.record_size"] == "10kB" }
	for _, c := range Show(slices.DeleteFunc(trials, corner), nil, nil).Workloads {
		if sweep.KindFewLarge.Of(c) != nil {
			t.Errorf("without the corner: %+v", sweep.KindFewLarge.Of(c))
		}
	}
}

// TestWorth: what a dollar handles and what a message costs, with intervals, by the article's price; nothing of a given
// rate.
func TestWorth(t *testing.T) {
	var trials []record.Trial
	for r := range 3 {
		trials = append(trials, ingested(r, 24, "1000B", 2e9*spread(r), 1, cpus(97, 20)))
		trials = append(trials, ingested(r, 24, "1000B", 2e9, 1, func(t *record.Trial) {
			t.Load = record.LoadPoint{Kind: record.Open, Level: 1000}
			t.Keys[record.KeyLoad], t.Cell = t.Load.Key(), 9
		}))
	}
	in := finding.NewInput(trials, nil, nil)
	in.Read.Basis = func(record.Machine) finding.Basis {
		return finding.Basis{PricePerHour: 2.3052, PriceSource: "--price"}
	}
	s := Analyze(in)
	ops, bytes := cost.KindWorth.Of(shownCell(t, s, "kafka", record.Throughput, "24 clients")),
		cost.KindWorth.Of(shownCell(t, s, "kafka", trialset.Ingest, "24 clients"))
	if ops == nil || ops.Op == nil || ops.TB != nil || ops.Unit != "op/$" || math.Abs(ops.Op.Value/3.2e-10-1) > .02 ||
		*ops.Op.Lo > ops.Op.Value || *ops.Op.Hi < ops.Op.Value || len(ops.Doubts) > 0 {
		t.Errorf("a message: %+v, want about three ten-billionths of a dollar", ops)
	}
	if bytes == nil || bytes.TB == nil || bytes.Op != nil || bytes.Unit != "B/$" ||
		math.Abs(bytes.Dollar.Value/(2e9*3600/2.3052)-1) > .02 {
		t.Errorf("bytes: %+v", bytes)
	}
	for _, c := range s.Workloads {
		if strings.Contains(c.Load, "/s") && cost.KindWorth.Of(c) != nil ||
			c.Metric == record.LatencyP99 && cost.KindWorth.Of(c) != nil {
			t.Errorf("%s at %s has a worth", c.Metric, c.Load)
		}
	}
}

func TestFills(t *testing.T) {
	b := &finding.Basis{VCPUs: 8}
	for load, want := range map[string]bool{
		"all cpus": true, "8 cpus": true, "4 cpus": false, "1 cpus": false, "64 clients": true, "1000/s poisson": false,
		"once": true,
	} {
		if got := cost.Fills(load, b); got != want {
			t.Errorf("%s fills 8 vCPUs: %v", load, got)
		}
	}
}

// TestIngestPerDollar: a comparison of machines has both rates per dollar, what a message and a terabyte cost, and a
// verdict where the disk is full though the CPUs are not.
func TestIngestPerDollar(t *testing.T) {
	session := func(full float64) []record.Trial {
		var trials []record.Trial
		for r := range 3 {
			for m, rate := range map[string]float64{"m1": 1, "m2": 1.5} {
				plan := planned("p" + m)
				trials = append(trials, raw(r, "16KiB", 1e9*rate, key(record.KeyMachine, m), plan),
					ingested(r, 24, "1000B", 9e8*rate*spread(r), full*1e9*rate, key(record.KeyMachine, m), plan))
			}
		}
		return trials
	}
	for full, verdict := range map[float64]trialset.Verdict{.95: trialset.Different, .2: ""} {
		got, err := Compare(session(full), nil, nil, Options{Baseline: "m1", Basis: func(m record.Machine) finding.Basis {
			return finding.Basis{PricePerHour: map[string]float64{"m1": 2, "m2": 2.5}[m.Name], VCPUs: 4}
		}})
		if err != nil {
			t.Fatal(err)
		}
		var seen []string
		for _, c := range got.Pairs[0].Verdicts {
			if c.Workload != "kafka" || c.Per != "dollar" {
				continue
			}
			seen = append(seen, c.Metric)
			switch {
			case math.Abs(c.Ratio/1.2-1) > 1e-6:
				t.Errorf("%s per dollar: %g, want 1.2", c.Metric, c.Ratio)
			case c.Metric == trialset.Ingest && (c.PerTB == nil || c.PerOp != nil || c.Verdict != ""):
				t.Errorf("bytes: %+v", c)
			case c.Metric == record.Throughput &&
				(c.Verdict != verdict || c.PerOp == nil || c.PerOp.A.Lo == nil || math.Abs(c.PerOp.A.Value/(2/(9e5*3600))-1) > .02):
				t.Errorf("messages, the disk %g full: %q, %+v, want %q", full, c.Verdict, c.PerOp, verdict)
			}
		}
		if fmt.Sprint(seen) != "[throughput ingest]" {
			t.Errorf("per dollar: %v", seen)
		}
	}
}

// TestWhatTheCacheStillHolds: a device that wrote nothing in a trial saturates nothing, and leaves open which size asks
// most.
func TestWhatTheCacheStillHolds(t *testing.T) {
	var trials []record.Trial
	for r := range 3 {
		late := func(t *record.Trial) { t.Disk.WriteBytes, t.Disk.Writes = int64(1e9*(r%2)), int64(r%2) }
		trials = append(trials, raw(r, "1MiB", 1e9*spread(r)), ingested(r, 24, "1kB", 9e8, 0, late),
			ingested(r, 24, "100B", 2e8, 0, late))
	}
	c := shownCell(t, Show(trials, nil, nil), "kafka", record.Throughput, "record_size=1kB")
	o := storage.KindDiskBandwidth.Of(c)
	if o == nil || o.Written == nil || o.Verdict != storage.SaturatesNot || math.Abs(o.Written.Value/.0333-1) > .05 ||
		*o.Written.Lo != 0 || *o.Written.Hi > .5 || !strings.Contains(o.Why.Text(), "page cache") {
		t.Errorf("%+v, written %+v", o, o.Written)
	}
	if s := storage.KindPeakDemand.Of(c); s == nil || s.Bytes.Over != nil || s.Bytes.Certain ||
		*s.Points[0].Bytes.Lo != 0 {
		t.Errorf("%+v", s)
	}
}
