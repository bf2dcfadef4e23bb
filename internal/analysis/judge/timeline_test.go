package judge

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/finding/sweep"
	"plimsoll/internal/record"
)

// dbTrial is a trial of a database, whose backends' time has these shares in %.
func dbTrial(replicate int, tps float64, waits map[string]float64, changes ...change) record.Trial {
	changes = append([]change{func(t *record.Trial) {
		t.Keys[record.KeyWorkload], t.DurationS, t.MonoNs = "pgbench", 60, 1e12
		for _, class := range record.WaitClasses() {
			measured(record.WaitShare(class), "%", record.Neutral, waits[class])(t)
		}
	}}, changes...)
	return trial("m1", replicate, tps, changes...)
}

func cpus(server, generator float64) change {
	return func(t *record.Trial) {
		t.CPU = &record.CPUUse{CPUs: 1, GeneratorCPUs: 1, Split: true, WindowS: 60, Work: .6 * server,
			Generator: .6 * generator}
		measured(record.CPUPercent, "%", record.Neutral, server)(t)
		measured(record.GeneratorCPU, "%", record.Neutral, generator)(t)
	}
}

func busy(machine float64) change {
	return func(t *record.Trial) { t.CPU.Machine = .6 * 2 * machine }
}

func together(t *record.Trial) { t.CPU.Split, t.CPU.CPUs, t.CPU.GeneratorCPUs = false, 2, 2 }

func wrote(bytes, ios int64, busy float64) change {
	return func(t *record.Trial) {
		t.Disk = &record.DiskUse{Device: "vda", WriteBytes: bytes, Writes: ios, BusyPct: busy}
	}
}

// series of 60 s at 1000 op/s, of which some seconds carry less, and what else was counted then.
func seconds60(slow map[int]int64, also map[string]map[int]int64) map[string][]int64 {
	out := map[string][]int64{"ops": make([]int64, 60), record.DBWait(record.WaitCPU): make([]int64, 60)}
	for i := range 60 {
		out["ops"][i] = 1000 + int64(i%5)
		out[record.DBWait(record.WaitCPU)][i] = 100
		if v, ok := slow[i]; ok {
			out["ops"][i] = v
		}
	}
	for name, values := range also {
		out[name] = make([]int64, 60)
		for i, v := range values {
			out[name][i] = v
		}
	}
	return out
}

// often are checkpoints that begin every three seconds.
func often(t record.Trial) []record.Event {
	var out []record.Event
	for at := 0.5; at < 60; at += 3 {
		out = append(out, event(t, at, record.EventCheckpointBegin, "wal"), event(t, at+2.5, record.EventCheckpointEnd, ""))
	}
	return out
}

func event(t record.Trial, at float64, name, detail string) record.Event {
	return record.Event{Trial: t.ID, TimeNs: t.MonoNs + int64(at*1e9), Name: name, Detail: detail}
}

func shownOf(trials []record.Trial, read finding.Readers) finding.Cell {
	in := finding.NewInput(trials, nil, nil)
	in.Read = read
	for _, c := range Analyze(in).Workloads {
		if c.Primary && c.Workload == "pgbench" {
			return c
		}
	}
	return finding.Cell{}
}

// TestDipsAndWhatIsBeside: each cause that is planted beside a dip is named, and nothing else is.
func TestDipsAndWhatIsBeside(t *testing.T) {
	tr := dbTrial(0, 1000, map[string]float64{record.WaitCPU: 100})
	slow := map[int]int64{31: 800, 32: 820, 33: 850, 34: 900}
	inDip := func(v int64) map[int]int64 { return map[int]int64{31: v, 32: v, 33: v, 34: v} }
	throughout := func(v int64) map[int]int64 {
		m := map[int]int64{}
		for i := range 60 {
			m[i] = v
		}
		return m
	}
	for name, c := range map[string]struct {
		also   map[string]map[int]int64
		events []record.Event
		want   string
	}{
		"nothing": {nil, nil, ""},
		"a checkpoint and its images": {map[string]map[int]int64{record.DBPageImages: inDip(400)},
			[]record.Event{event(tr, 30.5, record.EventCheckpointBegin, "wal"), event(tr, 50, record.EventCheckpointEnd, "")},
			"checkpoint wal, full-page images"},
		"a checkpoint that goes on all the time": {map[string]map[int]int64{record.DBPageImages: throughout(400)},
			[]record.Event{event(tr, -5, record.EventCheckpointBegin, "time")}, ""},
		"a checkpoint that ends": {nil,
			[]record.Event{event(tr, 2, record.EventCheckpointBegin, "time"), event(tr, 32, record.EventCheckpointEnd, "")},
			"checkpoint time"},
		"checkpoints one after the other": {nil, often(tr), ""},
		"a checkpoint of another trial": {nil, []record.Event{
			{Trial: "another", TimeNs: tr.MonoNs + 31e9, Name: record.EventCheckpointBegin}}, ""},
		"a killed broker": {nil,
			[]record.Event{event(tr, 30.9, record.EventBrokerKilled, "broker 3"),
				event(tr, 50, record.EventBrokerInSync, "broker 3")}, "killed broker broker 3"},
		"a broker that is killed later": {nil, []record.Event{event(tr, 40, record.EventBrokerKilled, "broker 3")}, ""},
		"a broker that was back by then": {nil,
			[]record.Event{event(tr, 2, record.EventBrokerKilled, "broker 3"),
				event(tr, 20, record.EventBrokerInSync, "broker 3")}, ""},
		"autovacuum": {map[string]map[int]int64{record.DBAutovacuum: inDip(1)},
			[]record.Event{event(tr, 30.9, record.EventAutovacuumBegin, "autovacuum: VACUUM public.t"),
				event(tr, 35, record.EventAutovacuumEnd, "autovacuum: VACUUM public.t")}, "autovacuum autovacuum: VACUUM public.t"},
		"autovacuum always": {map[string]map[int]int64{record.DBAutovacuum: throughout(1)}, nil, ""},
		"locks":             {map[string]map[int]int64{record.DBWait(record.WaitLock): inDip(60)}, nil, "lock"},
		"the log": {map[string]map[int]int64{record.DBWait(record.WaitWAL): inDip(60),
			record.DBWait(record.WaitIO): inDip(30)}, nil, "wal, io"},
		"locks always": {map[string]map[int]int64{record.DBWait(record.WaitLock): throughout(60)}, nil, ""},
	} {
		o := finding.Readers{Events: c.events,
			Windows: func(record.Trial, func(record.Series) bool) (map[string][]int64, error) {
				return seconds60(slow, c.also), nil
			}}
		line := bottleneck.KindTimeline.Of(shownOf([]record.Trial{tr}, o))
		if line == nil || len(line.Dips) != 1 || line.N != 1 || line.Seconds != 60 {
			t.Errorf("%s: %+v", name, line)
			continue
		}
		d := line.Dips[0]
		if d.At != 31 || d.Length != 4 || d.Depth < .15 || d.Depth > .165 || d.Trial != tr.ID || *line.Lost < .01 ||
			*line.Lost > .011 {
			t.Errorf("%s: %+v, lost %g", name, d, *line.Lost)
		}
		var got []string
		for _, b := range d.Beside {
			got = append(got, strings.TrimSpace(b.What+" "+b.Detail))
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: beside it %q, want %q", name, strings.Join(got, ", "), c.want)
		}
	}
}

func TestTimelineCountsCheckpoints(t *testing.T) {
	a, b := dbTrial(0, 1000, nil), dbTrial(1, 1000, nil)
	events := []record.Event{
		event(a, -3, record.EventCheckpointBegin, "time"), event(a, 5, record.EventCheckpointEnd, ""), event(a, 20,
			record.EventCheckpointBegin, "wal"),
		event(b, 20, record.EventCheckpointBegin, "wal"), event(b, 40, record.EventCheckpointBegin, "time"),
	}
	o := finding.Readers{Events: events,
		Windows: func(record.Trial, func(record.Series) bool) (map[string][]int64, error) {
			return seconds60(nil, nil), nil
		}}
	line := bottleneck.KindTimeline.Of(shownOf([]record.Trial{a, b}, o))
	if !maps.Equal(line.Checkpoints, map[string]int{"wal": 2, "time": 1}) ||
		!slices.Equal(line.Triggers(), []string{"wal", "time"}) || *line.Lost != 0 || line.N != 2 {
		t.Errorf("%+v", line)
	}
	o.Windows = func(record.Trial, func(record.Series) bool) (map[string][]int64, error) {
		return nil, errors.New("torn")
	}
	if line = bottleneck.KindTimeline.Of(shownOf([]record.Trial{a}, o)); line.N != 0 || len(line.Doubts) != 1 ||
		line.Lost != nil {
		t.Errorf("%+v", line)
	}
	if c := shownOf([]record.Trial{trial("m1", 0, 1, key(record.KeyWorkload, "pgbench"))},
		o); bottleneck.KindTimeline.Of(c) != nil || bottleneck.KindBottleneck.Of(c) != nil {
		t.Errorf("a trial that was not watched has %+v, %+v", bottleneck.KindTimeline.Of(c), bottleneck.KindBottleneck.Of(c))
	}
}

// TestBottleneck: the figures of "measured" are those of real trials on two CPUs (PostgreSQL 15, one CPU for the
// server, one for the load); the others are made.
func TestBottleneck(t *testing.T) {
	const cpu, io, wal, lock, lwlock, client = record.WaitCPU, record.WaitIO, record.WaitWAL, record.WaitLock,
		record.WaitLWLock, record.WaitClient
	open := func(t *record.Trial) {
		t.Load = record.LoadPoint{Kind: record.Open, Level: 100, Unit: record.ParamRate}
	}
	measuredDisk := trial("m1", 9, 1e8, key(record.KeyWorkload, "disk"), func(t *record.Trial) { t.DurationS = 10 },
		wrote(1e9, 20000, 100))
	for name, c := range map[string]struct {
		waits   map[string]float64
		changes []change
		want    string
		says    string
	}{
		"the server's CPU": {map[string]float64{cpu: 30, client: 70}, []change{cpus(99, 60)}, bottleneck.CPU,
			"server's CPUs are 99%"},
		"CPUs that are shared": {map[string]float64{cpu: 60, client: 40}, []change{cpus(60, 38), together},
			bottleneck.CPU, "which server and generator share, are 98%"},
		"both are full": {map[string]float64{cpu: 50, client: 50}, []change{cpus(97, 96)}, bottleneck.Unknown,
			"which is the limit is unknown"},
		"full, and locks": {map[string]float64{cpu: 20, lock: 70, client: 10}, []change{cpus(95, 30)},
			bottleneck.Unknown, "cpu and to locks"},
		"one row": {map[string]float64{cpu: 8.1, wal: 8.8, lock: 49.4, lwlock: 27.5, client: 6.2},
			[]change{cpus(75, 20)}, bottleneck.Locks, "53% of the time for locks on rows"},
		"memory": {map[string]float64{cpu: 30, lwlock: 60, client: 10}, []change{cpus(50, 20)},
			bottleneck.Locks, "67% for lightweight locks"},
		"a log that is slow": {map[string]float64{cpu: 12.5, wal: 86.3, client: 1.2}, []change{cpus(5, 2)},
			bottleneck.WAL, "87% of the time for log writes"},
		"a log on a disk that is not": {map[string]float64{cpu: 10, wal: 80, client: 10},
			[]change{cpus(20, 5), wrote(6e8, 30000, 40)}, bottleneck.WAL, "vda is at 25% of the I/Os a second"},
		"a log on a full disk": {map[string]float64{cpu: 10, wal: 80, client: 10},
			[]change{cpus(20, 5), wrote(57e8, 9000, 99)}, bottleneck.Disk, "vda is at 95% of the bytes written"},
		"a standby": {map[string]float64{cpu: 10, wal: 15, record.WaitStandby: 65, client: 10},
			[]change{cpus(20, 5)}, bottleneck.Standby, "72% of the time for the synchronous standby"},
		"a standby, on full CPUs": {map[string]float64{cpu: 10, record.WaitStandby: 80, client: 10}, []change{cpus(95, 5)},
			bottleneck.Unknown, "cpu and to standby"},
		"data files": {map[string]float64{cpu: 10, io: 80, client: 10}, []change{cpus(20, 5)}, bottleneck.Disk,
			"89% of the time for data files"},
		"clients that think": {map[string]float64{wal: 2.5, client: 97.5}, []change{cpus(6, 3)}, bottleneck.Client,
			"too few, think"},
		"a generator that is full": {map[string]float64{cpu: 40, client: 60}, []change{cpus(70, 95)}, bottleneck.Client,
			"cannot generate more load"},
		"a rate": {map[string]float64{cpu: 10, client: 90}, []change{cpus(30, 20), open}, bottleneck.Client,
			"the offered rate"},
		"a bit of all": {map[string]float64{cpu: 35, wal: 25, client: 40}, []change{cpus(70, 40)},
			bottleneck.Unknown, "70% in use, and nothing else has half"},
		"others have the CPUs": {map[string]float64{cpu: 20, client: 80}, []change{cpus(30, 20), busy(97)},
			bottleneck.Unknown, "all CPUs are 97% in use, but the server's CPUs only 30%"},
		"others beside locks": {map[string]float64{cpu: 20, lock: 80}, []change{cpus(30, 20), busy(97)}, bottleneck.Locks,
			"other programs take the rest"},
		"elsewhere, idle": {map[string]float64{cpu: 20, client: 80}, []change{wrote(57e8, 9000, 99)},
			bottleneck.Unknown, "may appear to wait for its client"},
		"elsewhere, and a rate": {map[string]float64{cpu: 20, client: 80}, []change{open}, bottleneck.Client,
			"the offered rate"},
		"elsewhere, the log": {map[string]float64{wal: 80, client: 20}, []change{wrote(57e8, 9000, 99)}, bottleneck.WAL,
			"for log writes and flushes"},
		"elsewhere": {map[string]float64{cpu: 60, client: 40}, nil, bottleneck.Unknown, "CPU use is unknown"},
	} {
		tr := dbTrial(0, 1000, c.waits, c.changes...)
		b := bottleneck.KindBottleneck.Of(shownOf([]record.Trial{tr, measuredDisk}, noSeries()))
		if b == nil || b.What != c.want || !strings.Contains(strings.Join(b.Reasons, "; "), c.says) || b.N != 1 {
			t.Errorf("%s: %+v, want %s: %s", name, b, c.want, c.says)
		}
	}
}

func noSeries() finding.Readers {
	return finding.Readers{Windows: func(record.Trial, func(record.Series) bool) (map[string][]int64, error) {
		return nil, nil
	}}
}

// TestBottleneckOfSeveral: trials that speak for different things leave it open, one of which nothing can be said does
// not.
func TestBottleneckOfSeveral(t *testing.T) {
	full := dbTrial(0, 1000, map[string]float64{record.WaitCPU: 100}, cpus(100, 10))
	also := dbTrial(1, 1000, map[string]float64{record.WaitCPU: 100}, cpus(99, 10))
	idle := dbTrial(1, 1000, map[string]float64{record.WaitClient: 90, record.WaitCPU: 10}, cpus(88, 10))
	neither := dbTrial(1, 1000, map[string]float64{record.WaitClient: 40, record.WaitCPU: 60}, cpus(85, 10))
	for name, c := range map[string]struct {
		second record.Trial
		want   string
	}{"alike": {also, bottleneck.CPU}, "different": {idle, bottleneck.Unknown}, "one open": {neither, bottleneck.CPU}} {
		b := bottleneck.KindBottleneck.Of(shownOf([]record.Trial{full, c.second}, noSeries()))
		if b.What != c.want || b.N != 2 {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

// TestPastSaturation: what the ladder's end loses against its peak, with an interval from three replicates on.
func TestPastSaturation(t *testing.T) {
	ladder := func(replicates int, tps map[float64]float64) []record.Trial {
		var out []record.Trial
		for r := range replicates {
			for i, level := range slices.Sorted(maps.Keys(tps)) {
				load := record.LoadPoint{Kind: record.Closed, Level: level, Unit: record.ParamClients}
				out = append(out, trial("m1", r, tps[level]*(1+.002*float64(r)), cellNo(i), key(record.KeyLoad, load.Key()),
					func(t *record.Trial) {
						t.Load = load
						t.Values[0].Unit = "op/s"
					}))
			}
		}
		return out
	}
	find := func(trials []record.Trial) *sweep.PastSaturation {
		for _, c := range Show(trials, nil, nil).Workloads {
			if sweep.KindPastSaturation.Of(c) != nil {
				return sweep.KindPastSaturation.Of(c)
			}
		}
		return nil
	}
	s := find(ladder(3, map[float64]float64{16: 500, 32: 800, 64: 1000, 128: 935}))
	if s == nil || s.Peak != 64 || s.Most != 128 || s.N != 3 || s.Loss.Lo == nil || *s.Loss.Lo >= .065 ||
		*s.Loss.Hi <= .065 || *s.Loss.Lo < .05 || *s.Loss.Hi > .08 {
		t.Errorf("%+v", s)
	}
	if s = find(ladder(2, map[float64]float64{16: 500, 32: 1000, 64: 935})); s == nil || s.Loss.Lo != nil ||
		s.Loss.Value < .064 || s.Loss.Value > .066 {
		t.Errorf("two replicates: %+v", s)
	}
	if s = find(ladder(3, map[float64]float64{16: 500, 32: 800, 64: 1000})); s != nil {
		t.Errorf("a ladder that still rises: %+v", s)
	}
}

// TestChoice: the smallest number of clients within the noise of the best, and not one that is lower by more than the
// noise or by 5% of it.
func TestChoice(t *testing.T) {
	ladder := func(replicates int, noise float64, tps map[float64]float64) *sweep.ClientChoice {
		var trials []record.Trial
		for r := range replicates {
			for i, level := range slices.Sorted(maps.Keys(tps)) {
				load := record.LoadPoint{Kind: record.Closed, Level: level, Unit: record.ParamClients}
				off := noise * float64((r*7+i*3)%5-2)
				trials = append(trials, trial("m1", r, tps[level]*(1+off), cellNo(i), key(record.KeyLoad, load.Key()),
					func(t *record.Trial) {
						t.Load = load
						t.Values[0].Unit, t.Values[0].Better = "op/s", record.Higher
						p99 := record.Metric{Name: record.LatencyP99, Unit: "s", Better: record.Lower}
						t.Values = append(t.Values, record.Value{Metric: p99, Value: level * 1e-3})
					}))
			}
		}
		for _, c := range Show(trials, nil, nil).Workloads {
			if found := sweep.KindClientChoice.Of(c); found != nil {
				return found
			}
		}
		return nil
	}
	c := ladder(5, .002, map[float64]float64{4: 500, 8: 900, 16: 1195, 32: 1200, 64: 1190})
	if c == nil || c.Clients != 16 || c.Best != 32 || c.P99 == nil || *c.P99 < .0159 || *c.P99 > .0161 || c.N != 5 {
		t.Errorf("a plateau: %+v", c)
	}
	if c = ladder(5, .0005, map[float64]float64{8: 900, 16: 1180, 32: 1200}); c == nil || c.Clients != 32 || c.Most != 32 {
		t.Errorf("1.7%% below the best, and not for noise: %+v", c)
	}
	if c = ladder(5, .1, map[float64]float64{8: 600, 16: 1190, 32: 1200}); c == nil || c.Clients != 16 {
		t.Errorf("half of the best, however noisy: %+v", c)
	}
	if c = ladder(1, 0, map[float64]float64{8: 900, 16: 1170, 32: 1200}); c == nil || c.Clients != 16 ||
		c.OfBest.Hi != nil {
		t.Errorf("one replicate: %+v", c)
	}
}
