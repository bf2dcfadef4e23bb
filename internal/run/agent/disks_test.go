package agent

import (
	"maps"
	"reflect"
	"slices"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/pulse"
	"plimsoll/internal/machine/host/storage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
	"plimsoll/internal/workload"
)

// written is a timeline of two disks over three steps: a writes, b reads less; a's clock of busy time wraps at 32 bits.
func written() storage.Timeline {
	return storage.Timeline{
		Devices: []string{"b", "a"},
		AtNs:    []int64{1e9, 1.1e9, 1.25e9, 1.3e9},
		Iowait:  []uint64{100, 110, 105, 115},
		CPU:     []uint64{1000, 1040, 1080, 1100},
		Disks: [][]storage.Counters{
			{{Reads: 5, ReadSectors: 80}, {Reads: 6, ReadSectors: 88}, {Reads: 6, ReadSectors: 88}, {Reads: 6, ReadSectors: 88}},
			{
				{Writes: 10, WriteSectors: 1000, WriteMerges: 7, BusyMs: 1<<32 - 50, RequestMs: 1<<32 - 10, QueueMs: 1<<32 - 600},
				{Writes: 30, WriteSectors: 3000, WriteMerges: 9, BusyMs: 40, InFlight: 3},
				{Writes: 30, WriteSectors: 3000, WriteMerges: 9, BusyMs: 40},
				{Writes: 40, WriteSectors: 4000, WriteMerges: 9, BusyMs: 90, RequestMs: 290, QueueMs: 600},
			},
		},
		CostS: .002,
	}
}

func TestDiskUse(t *testing.T) {
	tl := written()
	at, others := busiest(tl, nil)
	got := diskUse(tl, at)
	want := record.DiskUse{
		Device: "a", Writes: 30, WriteBytes: 3000 * 512, Merges: 2, Steps: 3, CostS: .002,
		BusyPct: 100 * 140 / 300., IowaitPct: 15, QueueDepth: 4, WaitS: .01,
	}
	if others != 8*512 || !reflect.DeepEqual(got, want) {
		t.Errorf("others %d, %+v, want %+v", others, got, want)
	}
	// The disk that holds the data is it, however much another one moves; one that is not sampled, such as a RAM disk,
	// changes nothing.
	if at, others := busiest(tl, []string{"b"}); tl.Devices[at] != "b" || others != 3000*512 {
		t.Errorf("of data on b: %s, others %d", tl.Devices[at], others)
	}
	if at, _ := busiest(tl, []string{"ram0"}); tl.Devices[at] != "a" {
		t.Errorf("of data on ram0: %s", tl.Devices[at])
	}
	for i := range tl.Disks {
		for k := range tl.Disks[i] {
			tl.Disks[i][k] = tl.Disks[i][0]
		}
	}
	at, _ = busiest(tl, nil)
	if u := diskUse(tl, at); u.Reads+u.Writes != 0 {
		t.Errorf("nothing was done: %+v", u)
	}
}

// TestMembers: of data on an array each of its disks that was sampled, by name, and of data on one disk none.
func TestMembers(t *testing.T) {
	tl := written()
	got := arrayMembers(tl, []string{"b", "a", "unseen"})
	want := []record.DiskMember{{Device: "a", Writes: 30, WriteBytes: 3000 * 512, Merges: 2, BusyPct: 100 * 140 / 300.,
		QueueDepth: 4, WaitS: .01}, {Device: "b", Reads: 1, ReadBytes: 8 * 512}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := arrayMembers(tl, []string{"a", "unseen"}); got != nil {
		t.Errorf("of one disk: %+v", got)
	}
}

// TestDiskSeries: the series contain the timeline, without columns that are 0.
func TestDiskSeries(t *testing.T) {
	s := &side{trial: record.Trial{ID: "t"}}
	s.diskSeries(written(), 1)
	got := map[string][]int64{}
	for _, x := range s.series {
		if x.StepNs != 1e8 || x.Trial != "t" {
			t.Errorf("%+v", x)
		}
		values, err := session.DecodeWindows(x.Data)
		if err != nil {
			t.Fatal(err)
		}
		got[x.Name] = values
	}
	want := map[string][]int64{
		"diskuse.step_ns": {1e8, 1.5e8, 5e7}, "diskuse.iowait_ticks": {10, 0, 10}, "diskuse.cpu_ticks": {40, 40, 20},
		"diskuse.a.write_ios": {20, 0, 10}, "diskuse.a.write_sectors": {2000, 0, 1000}, "diskuse.a.write_merges": {2, 0, 0},
		"diskuse.a.in_flight": {3, 0, 0}, "diskuse.a.busy_ms": {90, 0, 50},
	}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestDisksOfWhomTheyAre: nothing is read if sides share the window, or on a host that only generates the load.
func TestDisksOfWhomTheyAre(t *testing.T) {
	alone := &trial{agent: Agent{Root: hostfs.System()}, sides: []*side{{}}}
	for _, tt := range []*trial{
		{agent: alone.agent, sides: []*side{{}, {}}},
		{agent: alone.agent, sides: []*side{{}}, target: "192.0.2.1:80"},
	} {
		if m := newDiskMeter(tt); m.sampler != nil || m.broken != nil {
			t.Errorf("%+v", m)
		}
	}
	beats := pulse.Start(pulse.Beat)
	defer beats.Stop()
	m := newDiskMeter(alone)
	m.begin(beats)
	m.end()
	m.end()
	if m.broken != nil {
		t.Error(m.broken)
	}
	never := newDiskMeter(alone)
	never.end()
	if never.sampler != nil || len(never.tl.AtNs) > 0 {
		t.Errorf("a meter that never began: %+v", never)
	}
}

// TestWhereDataLie: the scratch directory, the requested path, or unknown; also for a trial that other hosts load,
// which has the same parameters.
func TestWhereDataLie(t *testing.T) {
	tr := &trial{scratch: "/tmp/scratch"}
	path := func(path string, known bool) workload.Spec {
		return workload.Spec{Path: func(workload.Params) (string, bool) { return path, known }}
	}
	for want, spec := range map[string]workload.Spec{"/tmp/scratch": path("", true), "/mnt/a": path("/mnt/a", true),
		"": path("/mnt/a", false)} {
		if got := tr.dataOf(spec, workload.Params{}); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := tr.dataOf(workload.Spec{}, workload.Params{}); got != tr.scratch {
		t.Errorf("got %q where nothing is said", got)
	}
}
