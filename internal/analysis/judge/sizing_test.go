package judge

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/finding/storage"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// diskDone is one step of a hand-made timeline.
type diskDone struct {
	ms                     int64
	reads, readSectors     int64
	writes, writeSectors   int64
	merges, inFlight, busy int64
	iowait, cpu            int64
}

// disked gives a trial a timeline of nvme1n1; the series are kept by trial.
func disked(kept map[string]map[string][]int64, use record.DiskUse, steps []diskDone) change {
	return func(t *record.Trial) {
		use.Device = "nvme1n1"
		if use.OnData == nil {
			on := true
			use.OnData = &on
		}
		series := map[string][]int64{}
		put := func(device, column string, v int64) {
			name := record.DiskSeries(device, column)
			series[name] = append(series[name], v)
		}
		for _, s := range steps {
			put("", record.DiskStep, s.ms*1e6)
			put("", record.DiskIowait, s.iowait)
			put("", record.DiskCPU, s.cpu)
			put(use.Device, record.DiskReadIOs, s.reads)
			put(use.Device, record.DiskReadSectors, s.readSectors)
			put(use.Device, record.DiskWriteIOs, s.writes)
			put(use.Device, record.DiskWriteSectors, s.writeSectors)
			put(use.Device, record.DiskWriteMerges, s.merges)
			put(use.Device, record.DiskInFlight, s.inFlight)
			put(use.Device, record.DiskBusyMs, s.busy)
			use.ReadBytes += s.readSectors * record.SectorBytes
			use.WriteBytes += s.writeSectors * record.SectorBytes
		}
		t.Disk = &use
		// The ID is made after the changes: it is known by the replicate here.
		kept["p1-"+t.Keys[record.KeyMachine]+"-c0-r"+string(rune('0'+t.Replicate))] = series
	}
}

func times(n int, s diskDone) []diskDone {
	out := make([]diskDone, n)
	for i := range out {
		out[i] = s
	}
	return out
}

// sizingIn shows trials of one cell on a machine and returns its sizing.
func sizingIn(t *testing.T, machine record.Machine, kept map[string]map[string][]int64, trials []record.Trial,
	change func(*finding.Input)) *storage.Sizing {
	t.Helper()
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	in := finding.NewInput(trials, []record.Machine{machine}, nil)
	in.Ask.Percentile, in.Read.Catalogue = 99, c
	in.Read.Type = func(m record.Machine) (catalog.Type, bool) { return c.Like(m.Name) }
	in.Read.Windows = func(t record.Trial, _ func(record.Series) bool) (map[string][]int64, error) {
		return kept[t.ID], nil
	}
	if change != nil {
		change(in)
	}
	shown := Analyze(in)
	for _, w := range shown.Workloads {
		if w.Primary {
			return storage.KindSizing.Of(w)
		}
	}
	t.Fatal("no primary metric")
	return nil
}

func r6g() record.Machine {
	return record.Machine{Name: "r6g.large", Disks: []record.Disk{{Name: "nvme1n1", Kind: "EBS", Bytes: 500 << 30}}}
}

// TestSizingAtTheMachinesLimit is the article's case: writes of 256 KiB held at 4750 Mbit/s.
func TestSizingAtTheMachinesLimit(t *testing.T) {
	kept := map[string]map[string][]int64{}
	// 226.5 I/Os of 256 KiB are 59.375 MB, 593.75 MB/s: whole I/Os, so the level is 0.2% off.
	flat := diskDone{ms: 100, writes: 226, writeSectors: 226 * 512, merges: 226, inFlight: 12, busy: 100, iowait: 10,
		cpu: 20}
	quiet := diskDone{ms: 100, writes: 10, writeSectors: 10 * 8, cpu: 20}
	steps := slices.Concat(times(300, quiet), times(900, flat))
	use := record.DiskUse{Kind: "EBS", LargestIO: 256 << 10}
	var trials []record.Trial
	for i := range 3 {
		trials = append(trials, trial("r6g.large", i, 1e9, disked(kept, use, steps)))
	}
	s := sizingIn(t, r6g(), kept, trials, nil)
	if s == nil || s.Device != "nvme1n1" || s.N != 3 || s.Idle || s.Kind != "EBS" || len(s.Doubts) != 0 {
		t.Fatalf("%+v", s)
	}
	c := s.Cap
	level := 2260 * 256 * 1024.
	if !c.Held || c.Of != storage.CapMachine || c.Metric != storage.CapBytes || math.Abs(c.Level/level-1) > 1e-9 ||
		c.Share != .75 || c.Window != 1 {
		t.Errorf("cap %+v", c)
	}
	if len(c.Limits) != 1 || c.Limits[0].Name != "r6g.large, burst" || c.Limits[0].Value != 593.75e6 {
		t.Errorf("limits %+v", c.Limits)
	}
	if *c.Iowait != 50 || math.Abs(*c.Flight-12) > 1e-9 {
		t.Errorf("iowait %v, in flight %v", *c.Iowait, *c.Flight)
	}
	want := map[[2]float64][2]float64{ // averaging, percentile: IOPS, bytes/s; NaN: none
		{.1, 50}: {2260, level}, {.1, 99}: {2260, level}, {1, 95}: {2260, level}, {1, 99}: {2260, level},
		{1, 100}: {2260, level},
		{60, 50}: {(300*10 + 300*226) / 60., (300*10*8 + 300*226*512) * 512 / 60.}, {60, 95}: {math.NaN(), 0},
		{60, 100}: {2260, level},
	}
	for _, a := range s.Averages {
		for _, p := range a.Points {
			w, ok := want[[2]float64{a.Seconds, p.Percentile}]
			switch {
			case !ok:
			case math.IsNaN(w[0]):
				if p.IOPS != nil || p.Why.Text() != "the shortest run has 2 windows of 60 s, but 20 are needed" {
					t.Errorf("%g s, %g%%: %+v", a.Seconds, p.Percentile, p)
				}
			case p.IOPS == nil || math.Abs(p.IOPS.Value/w[0]-1) > 1e-9 || math.Abs(p.Bytes.Value/w[1]-1) > 1e-9 ||
				p.Counted.Value != p.IOPS.Value || p.IOPS.Lo == nil || p.IOPS.Most < w[0]*(1-1e-9):
				t.Errorf("%g s, %g%%: %+v, want %v", a.Seconds, p.Percentile, p, w)
			}
		}
	}
	if s.Need.Percentile != 99 || s.Need.Averaging != 1 || s.Need.GiB != 500 || math.Abs(s.Need.IOPS-2260) > 1e-9 ||
		math.Abs(s.Need.MiBps-565) > 1e-9 || !s.Need.Why.IsZero() {
		t.Errorf("need %+v", s.Need)
	}
	kinds := map[string]catalog.Storage{}
	for _, x := range s.Storage {
		kinds[x.Kind] = x
	}
	if g := kinds["gp3"]; math.Abs(g.USDPerMonth.Value-(40+.04*440)) > 1e-9 || g.IOPS != 3000 || g.MiBps != 565 {
		t.Errorf("gp3 %+v", g)
	}
	if g := kinds["gp2"]; g.USDPerMonth.Known || !strings.Contains(g.Why, "250 MiB/s") {
		t.Errorf("gp2 %+v", g)
	}
	if l, ok := kinds["local, r6gd.large"]; !ok || !strings.Contains(l.Why, "hold") {
		t.Errorf("local %+v of %v", l, s.Storage)
	}
}

// TestWhoseCapItIs: the height of the level and what waits at it decide.
func TestWhoseCapItIs(t *testing.T) {
	const sectors = 1 << 20 / record.SectorBytes // of 1 MiB
	for _, q := range []struct {
		name    string
		machine record.Machine
		kind    string
		step    diskDone
		of      string // "": nothing binds
		why     string
	}{
		{"gp3 as included, by IOPS", r6g(), "EBS", diskDone{ms: 100, reads: 300, readSectors: 300 * 8, inFlight: 32},
			storage.CapVolume, ""},
		{"gp3 as included, by bytes", r6g(), "EBS", diskDone{ms: 400, writes: 200, writeSectors: 50 * sectors, inFlight: 4},
			storage.CapVolume, ""},
		{"the machine's baseline, by IOPS", r6g(), "EBS", diskDone{ms: 100, reads: 360, readSectors: 360 * 8, inFlight: 32},
			storage.CapMachine, ""},
		{"neither", r6g(), "EBS", diskDone{ms: 100, reads: 500, readSectors: 500 * 8, inFlight: 1}, storage.CapUnknown,
			"r6g.large, baseline"},
		{"a disk of no provider", r6g(), "", diskDone{ms: 100, reads: 300, readSectors: 300 * 8, inFlight: 32},
			storage.CapUnknown, "not known to be an EBS volume"},
		{"a machine of no catalogue", record.Machine{Name: "here"}, "EBS",
			diskDone{ms: 100, reads: 500, readSectors: 500 * 8, inFlight: 1}, storage.CapUnknown,
			"limits of this machine are not in " +
				"the catalogue"},
		{"the load is level", r6g(), "EBS", diskDone{ms: 100, reads: 300, readSectors: 300 * 8}, "",
			"the load sets the rate"},
	} {
		kept := map[string]map[string][]int64{}
		tr := trial(q.machine.Name, 0, 1, disked(kept, record.DiskUse{Kind: q.kind, LargestIO: 256 << 10},
			times(400, q.step)))
		s := sizingIn(t, q.machine, kept, []record.Trial{tr}, nil)
		if s == nil || s.Cap.Of != q.of || s.Cap.Held != (q.of != "") || !strings.Contains(s.Cap.Why.Text(), q.why) ||
			(q.why == "") != s.Cap.Why.IsZero() {
			t.Errorf("%s: %+v", q.name, s.Cap)
		}
	}
}

func TestNoCap(t *testing.T) {
	kept := map[string]map[string][]int64{}
	var saw []diskDone
	for i := range 400 {
		saw = append(saw, diskDone{ms: 100, reads: int64(1 + i/10), readSectors: int64(8 + i), inFlight: 9})
	}
	s := sizingIn(t, r6g(), kept, []record.Trial{trial("r6g.large", 0, 1, disked(kept, record.DiskUse{Kind: "EBS"}, saw))},
		nil)
	if s.Cap.Held || !strings.Contains(s.Cap.Why.Text(), "the rate has no plateau") {
		t.Errorf("%+v", s.Cap)
	}
	s = sizingIn(t, r6g(), kept,
		[]record.Trial{trial("r6g.large", 0, 1, disked(kept, record.DiskUse{Kind: "EBS"}, saw[:10]))}, nil)
	if s.Cap.Held || !strings.Contains(s.Cap.Why.Text(), "too short") {
		t.Errorf("%+v", s.Cap)
	}
	if s.Need != nil || s.Unsized.IsZero() || !slices.Contains(note.Texts(s.Doubts),
		"a confidence interval needs at least 3 runs") {
		t.Errorf("%+v, %q", s.Need, s.Doubts)
	}
}

// TestSizingOfAnInstant: of windows too few for the share of the time nothing is said.
func TestSizingOfAnInstant(t *testing.T) {
	kept := map[string]map[string][]int64{}
	tr := trial("r6g.large", 0, 1, disked(kept, record.DiskUse{Kind: "EBS", LargestIO: 256 << 10},
		times(1, diskDone{ms: 20, writes: 64, writeSectors: 64 * 128})))
	s := sizingIn(t, r6g(), kept, []record.Trial{tr}, nil)
	if s.Need != nil || len(s.Storage) > 0 || s.Unsized.Text() !=
		"sizing for 99% of the time takes 100 windows of 0.1 s, but the "+
			"shortest run has 0" || s.Averages[0].Points[3].Why.IsZero() {
		t.Errorf("%+v", s)
	}
}

// TestOnlyTheDiskThatWasUsed: neither another disk's traffic nor another program's is what a work needs.
func TestOnlyTheDiskThatWasUsed(t *testing.T) {
	off, none, little, most := false, int64(0), int64(100*100*4096*.19), int64(100*100*4096*.4)
	busy := times(100, diskDone{ms: 100, writes: 100, writeSectors: 800, cpu: 20})
	for name, q := range map[string]struct {
		use   record.DiskUse
		sized bool
		doubt string
	}{
		"recorded by a version without an account": {record.DiskUse{}, true, ""},
		"the data are elsewhere":                   {record.DiskUse{OnData: &off}, false, ""},
		"the work moved nothing":                   {record.DiskUse{WorkBytes: &none}, false, ""},
		"the work moved little":                    {record.DiskUse{WorkBytes: &little}, false, ""},
		"the work moved some": {record.DiskUse{WorkBytes: &most}, true,
			"the benchmark caused only 40% of this disk's traffic"},
	} {
		kept := map[string]map[string][]int64{}
		s := sizingIn(t, r6g(), kept, []record.Trial{trial("r6g.large", 0, 1, disked(kept, q.use, busy))}, nil)
		if (s != nil) != q.sized || q.doubt != "" && !flagged(s.Doubts, q.doubt) {
			t.Errorf("%s: %+v", name, s)
		}
	}
	kept := map[string]map[string][]int64{}
	unknown := trial("r6g.large", 0, 1, disked(kept, record.DiskUse{}, busy),
		func(t *record.Trial) { t.Disk.OnData = nil })
	if s := sizingIn(t, r6g(), kept, []record.Trial{unknown}, nil); s != nil {
		t.Errorf("nobody knows where the data lie: %+v", s)
	}
}

// TestTrialsFarApartSizeNothing: the highest of trials that differ by more than a factor of three is an accident.
func TestTrialsFarApartSizeNothing(t *testing.T) {
	kept := map[string]map[string][]int64{}
	var trials []record.Trial
	for i, sectors := range []int64{800, 800, 2800} {
		trials = append(trials, trial("r6g.large", i, 1,
			disked(kept, record.DiskUse{}, times(100, diskDone{ms: 100, writes: 100, writeSectors: sectors, cpu: 20}))))
	}
	if s := sizingIn(t, r6g(), kept, trials, nil); s.Need != nil ||
		!strings.Contains(s.Unsized.Text(), "the runs need from 3.91 to 13.7 MiB/s, too wide a range") {
		t.Errorf("%+v %q", s.Need, s.Unsized)
	}
}

// TestVolumesAreTheirProvidersOrAskedFor: a disk in any other place is not priced as an EBS volume.
func TestVolumesAreTheirProvidersOrAskedFor(t *testing.T) {
	busy := times(100, diskDone{ms: 100, writes: 100, writeSectors: 800, cpu: 20})
	for _, q := range []struct {
		machine, kind string
		asked         bool
		want          bool
	}{{"cellar", "", false, false}, {"cellar", "", true, true}, {"cellar", "EBS", false, true},
		{"r6g.large", "", false, true}} {
		kept := map[string]map[string][]int64{}
		m := record.Machine{Name: q.machine, Disks: []record.Disk{{Name: "nvme1n1", Kind: q.kind, Bytes: 500 << 30}}}
		s := sizingIn(t, m, kept, []record.Trial{trial(q.machine, 0, 1, disked(kept, record.DiskUse{Kind: q.kind}, busy))},
			func(in *finding.Input) { in.Ask.Volumes = q.asked })
		if has := slices.ContainsFunc(s.Storage, func(x catalog.Storage) bool { return x.Kind == "gp3" }); has != q.want ||
			s.Need == nil {
			t.Errorf("%+v: %+v", q, s.Storage)
		}
	}
}

// TestCounted: AWS's own examples, and the bounds of what the kernel's counters leave open.
func TestCounted(t *testing.T) {
	const kib = 1024.
	for _, q := range []struct{ n, bytes, largest, most, least float64 }{
		{1, 1024 * kib, 1 << 20, 4, 4},           // one I/O of 1024 KiB is 4
		{8, 8 * 32 * kib, 256 << 10, 8, 1},       // eight of 32 KiB: random 8, sequential 1
		{8, 8 * 32 * kib, 0, 8, 1},               // no more than 256 KiB in all: none can be larger
		{0, 0, 0, 0, 0},                          // nothing
		{3, 0, 0, 3, 1},                          // flushes move nothing
		{100, 100 * 4 * kib, 1 << 20, 101, 2},    // 100 of 4 KiB on average: one may be of 257 KiB
		{10, 10 * 256 * kib, 256 << 10, 10, 10},  // the kernel hands on none larger
		{10, 10 * 256 * kib, 4096 << 10, 19, 10}, // it may: half of them just over 256 KiB
	} {
		if most, least := storage.CountedMost(q.n, q.bytes, q.largest), storage.CountedLeast(q.n, q.bytes); most != q.most ||
			least != q.least {
			t.Errorf("%g I/Os of %g bytes: %g to %g, want %g to %g", q.n, q.bytes, least, most, q.least, q.most)
		}
	}
}

func TestSizingDoubts(t *testing.T) {
	kept := map[string]map[string][]int64{}
	s0 := diskDone{ms: 100, writes: 100, writeSectors: 800, cpu: 20}
	late := s0
	late.ms = 300
	trials := []record.Trial{
		trial("r6g.large", 0, 1, disked(kept, record.DiskUse{Kind: "EBS", OthersBytes: 80e6},
			append(times(50, s0), times(3, late)...))),
		trial("r6g.large", 1, 1, disked(kept, record.DiskUse{Kind: "EBS"}, times(50, s0)), void("late")),
		trial("r6g.large", 2, 1),
		trial("r6g.large", 3, 1, disked(kept, record.DiskUse{Kind: "EBS"}, times(50, s0)),
			func(t *record.Trial) { t.Disk.Device = "nvme0n1"; t.Disk.WriteBytes = 1 }),
		trial("r6g.large", 4, 1, disked(kept, record.DiskUse{Kind: "EBS"}, times(50, s0))),
	}
	o := func(in *finding.Input) {
		read := in.Read.Windows
		in.Read.Windows = func(t record.Trial, want func(record.Series) bool) (map[string][]int64, error) {
			if t.Replicate == 4 {
				return nil, errors.New("torn")
			}
			return read(t, want)
		}
		in.Ask.GiB, in.Ask.Percentile = 33, 90
	}
	s := sizingIn(t, r6g(), kept, trials, o)
	if s.N != 1 || s.Need.GiB != 33 {
		t.Errorf("%+v", s)
	}
	for _, want := range []string{"run 5 is left out", "1 run used another disk", "other disks were busy", "samples over",
		"needs at least 3 runs"} {
		if !flagged(s.Doubts, want) {
			t.Errorf("%q lacks %q", s.Doubts, want)
		}
	}
	if s := sizingIn(t, r6g(), kept, trials[2:3], nil); s != nil {
		t.Errorf("a sizing without a timeline: %+v", s)
	}
	idle := trial("r6g.large", 0, 1, disked(kept, record.DiskUse{},
		times(50, diskDone{ms: 100, writes: 1, writeSectors: 8})))
	if s := sizingIn(t, r6g(), kept, []record.Trial{idle}, nil); s == nil || !s.Idle {
		t.Errorf("10 writes a second are not idle: %+v", s)
	}
}

// TestFindingsOfAHeldDiskAgree is a disk that a control group holds to 125 MiB/s, by a quota of 13.1 MB every 100 ms.
// The kernel holds operations above the device, which is idle then, and steps of 100 ms hold no allowance or two.
func TestFindingsOfAHeldDiskAgree(t *testing.T) {
	kept := map[string]map[string][]int64{}
	var steps []diskDone
	for i := range 120 {
		s := diskDone{ms: 100, writes: 12, writeSectors: 25600, busy: 5, cpu: 20}
		switch i % 6 {
		case 4:
			s.writes, s.writeSectors = 0, 0
		case 5:
			s.writes, s.writeSectors = 25, 51200
		}
		steps = append(steps, s)
	}
	quota := quantumAt(.1)
	quota.Rate, quota.QuantumBytes, quota.SafeRate = 131.072e6, is(13.1072e6), is(131.072e6)
	var trials []record.Trial
	for i := range 3 {
		at := held(i, quota, disked(kept, record.DiskUse{LargestIO: 4 << 20}, steps), cpus(10, 5))
		at.Keys[record.KeyWorkload] = bottleneck.DiskWorkload
		kept[at.ID] = kept["p1-m-c0-r"+string(rune('0'+i))]
		trials = append(trials, at)
	}
	var shown finding.Shown
	machine := record.Machine{Name: "m", Disks: []record.Disk{{Name: "nvme1n1", Bytes: 500 << 30}}}
	s := sizingIn(t, machine, kept, trials, func(in *finding.Input) { shown = Analyze(in) })
	if s == nil || !s.Cap.Held || s.Cap.Of != storage.CapThrottled || math.Abs(s.Cap.Level/131.072e6-1) > 1e-9 {
		t.Fatalf("%+v", s)
	}
	if s.Need == nil || math.Abs(s.Need.MiBps/125-1) > .01 || s.Need.Averaging != 1 || s.Need.Why.IsZero() {
		t.Errorf("need %+v", s.Need)
	}
	for _, c := range shown.Workloads {
		if b := bottleneck.KindBottleneck.Of(c); c.Primary && (b == nil || b.What != bottleneck.Disk ||
			!strings.Contains(strings.Join(b.Reasons, "; "), "throttled to 129 to 133 MB/s")) {
			t.Errorf("%+v", b)
		}
	}
}
