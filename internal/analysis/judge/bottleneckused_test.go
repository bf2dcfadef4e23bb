package judge

import (
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/bottleneck"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
)

func network(u record.NetworkUse) change { return func(t *record.Trial) { t.Network = &u } }

// TestBottleneckOfWhatIsUsed: of what nobody watched, by what was in use; what is not known is said.
func TestBottleneckOfWhatIsUsed(t *testing.T) {
	open := func(t *record.Trial) {
		t.Load = record.LoadPoint{Kind: record.Open, Level: 1000}
		t.Keys[record.KeyLoad] = t.Load.Key()
	}
	unwatchedDisk := func(t *record.Trial) { t.Disk.Device = "vdb" }
	for name, c := range map[string]struct {
		wrote   float64 // of the 1e9 B/s that workload disk wrote
		changes []change
		want    string
		says    string
	}{
		"the server's CPU":   {2e8, []change{cpus(97, 20)}, bottleneck.CPU, "server's CPUs are 97%"},
		"the disk":           {9.5e8, []change{cpus(40, 20)}, bottleneck.Disk, "vda is at 95% of the bytes written"},
		"more than measured": {2.5e9, []change{cpus(40, 20)}, bottleneck.Unknown, "its capacity was not measured"},
		"the network": {2e8,
			[]change{network(record.NetworkUse{Interface: "eth0", ReceivedBytes: 120e8, Mbit: 10000})}, bottleneck.Network,
			"eth0 transfers 1200 MB/s, 96% of its 1250 MB/s (reported by the interface)"},
		"the generator": {2e8, []change{cpus(40, 97)}, bottleneck.Client, "cannot generate more load"},
		"a rate":        {2e8, []change{cpus(40, 20), open}, bottleneck.Client, "the offered rate is handled"},
		"nothing":       {2e8, nil, bottleneck.Nothing, "none of these is saturated"},
		"an allowance": {2e8,
			[]change{
				network(record.NetworkUse{Interface: "eth0", SentBytes: 5e9,
					Exceeded: map[string]int64{"bw_out_allowance_exceeded": 40, "new_allowance_exceeded": 2}})}, bottleneck.Network,
			"exceeded an allowance of the instance type: outbound bandwidth (packets queued or dropped: 40), new (packets " +
				"queued or dropped: 2)"},
		"the loopback": {2e8, []change{network(record.NetworkUse{LoopbackBytes: 9e12})}, bottleneck.Nothing,
			"never the bottleneck"},
		"CPU and disk": {9.5e8, []change{cpus(97, 20)}, bottleneck.Unknown,
			"cpu and to disk: which is the limit is unknown"},
		"both CPUs": {2e8, []change{cpus(97, 97)}, bottleneck.Unknown,
			"cpu and to client: which is the limit is unknown"},
		"another disk": {2e8, []change{unwatchedDisk}, bottleneck.Unknown,
			"vdb is in use 70% of the time, and its capacity was not measured"},
		"an unknown speed": {2e8, []change{network(record.NetworkUse{Interface: "eth0", SentBytes: 5e9})},
			bottleneck.Unknown, "eth0 transfers 500 MB/s, and its bandwidth is unknown"},
		"a quiet interface": {2e8,
			[]change{network(record.NetworkUse{Interface: "eth0", SentBytes: 5e3, LoopbackBytes: 1e9})}, bottleneck.Nothing,
			"loopback"},
		"no counters of it": {2e8, []change{func(t *record.Trial) { t.Network = nil }}, bottleneck.Unknown,
			"network traffic is unknown"},
		"a database behind a server with CPUs of its own": {2e8, []change{cpus(20, 15), func(t *record.Trial) {
			t.Keys[record.KeyServerBehind] = "postgres"
			*t.CPU = record.CPUUse{Work: 28, Behind: 26, Generator: 2, Machine: 38, CPUs: 2, GeneratorCPUs: 2, Split: true,
				WindowS: 10, Source: record.ChargedGroup}
		}}, bottleneck.Unknown,
			"all CPUs are 95% in use, but the CPUs, which server, postgres and generator share, only 75%"},
		"others with names": {2e8, []change{busy(97), func(t *record.Trial) {
			t.Others = &record.Others{WindowS: 10, Programs: []record.Program{
				{Name: "postgres", Unit: "postgresql.service", CPUS: 10 * float64(trialset.Usable(*t.CPU)) * .3},
				{Name: "make", Children: true, CPUS: 10 * float64(trialset.Usable(*t.CPU)) * .12}, {Name: "sh", CPUS: .01}},
				RestS: 10 * float64(trialset.Usable(*t.CPU)) * .02, UnseenS: 10 * float64(trialset.Usable(*t.CPU)) * .05}
		}}, bottleneck.Unknown, "; other programs take the rest: postgres (postgresql.service) 30%, make and what it ran " +
			"12%, smaller ones 2%, 5% is of no process that can be seen here"},
		"others have it all": {2e8, []change{busy(97)}, bottleneck.Unknown, "all CPUs are 97% in use"},
		"hidden here": {2e8,
			[]change{func(t *record.Trial) { t.Values, t.Keys[record.KeyUnseen] = t.Values[:2], record.UnseenHere },
				network(record.NetworkUse{Interface: "eth0", SentBytes: 5e3, LoopbackBytes: 1e9})}, bottleneck.Unknown,
			"CPU use of the work is unknown; clients are on the same machine"},
		"elsewhere": {2e8, []change{func(t *record.Trial) { t.Values = t.Values[:2] }}, bottleneck.Unknown,
			"CPU use of the work is unknown; the network of the server machine is unknown"},
	} {
		k := ingested(0, 24, "1000B", 5e8, c.wrote, c.changes...)
		trials := []record.Trial{raw(0, "1MiB", 1e9), k}
		s := Show(trials, nil, nil)
		b := bottleneck.KindBottleneck.Of(shownCell(t, s, "kafka", record.Throughput))
		if b == nil || b.What != c.want || !strings.Contains(strings.Join(b.Reasons, "; "), c.says) {
			t.Errorf("%s: %+v, want %s: %q", name, b, c.want, c.says)
		}
	}
}

// TestBottleneckOfKernelsAndDisks: lanes that do the work themselves, and a disk's own full load, which is no measure
// of itself; an instance type may know what a network is good for.
func TestBottleneckOfKernelsAndDisks(t *testing.T) {
	kernel := trial("m1", 0, 1e9, func(t *record.Trial) {
		t.CPU = &record.CPUUse{Work: 9.9, WindowS: 10, CPUs: 1, Source: record.ChargedThreads, Machine: 10}
	})
	disk := raw(0, "16KiB", 1e9, func(t *record.Trial) {
		t.CPU = &record.CPUUse{Work: 2, WindowS: 10, CPUs: 2, Source: record.ChargedThreads, Machine: 3}
	})
	trials := []record.Trial{kernel, disk}
	s := Show(trials, nil, nil)
	if b := bottleneck.KindBottleneck.Of(shownCell(t, s, "aes", record.Throughput)); b == nil ||
		b.What != bottleneck.CPU || !strings.Contains(b.Reasons[0], "work's CPUs are 99%") {
		t.Errorf("a kernel: %+v", b)
	}
	if b := bottleneck.KindBottleneck.Of(shownCell(t, s, "disk", record.Throughput)); b == nil ||
		b.What != bottleneck.Disk || !strings.Contains(b.Reasons[0], "in flight 99%") {
		t.Errorf("a disk: %+v", b)
	}
	full := ingested(0, 24, "1000B", 5e8, 2e8, network(record.NetworkUse{Interface: "eth0", SentBytes: 12e9}))
	trials = []record.Trial{raw(0, "1MiB", 1e9), full}
	in := finding.NewInput(trials, nil, nil)
	in.Read.Type = func(m record.Machine) (catalog.Type, bool) {
		return catalog.Type{Name: m.Name, NetworkMbps: catalog.Amount{Value: 10_000, Known: true}}, true
	}
	s = Analyze(in)
	if b := bottleneck.KindBottleneck.Of(shownCell(t, s, "kafka", record.Throughput)); b == nil ||
		b.What != bottleneck.Network || !strings.Contains(b.Reasons[0], "(guaranteed to m1)") {
		t.Errorf("a type's network: %+v", b)
	}
	burst := catalog.Amount{Value: 25_000, Known: true}
	for name, c := range map[string]struct {
		baseline float64 // Mbit/s
		over     map[string]int64
		bound    bool
		reason   string
	}{
		"in a burst": {4_000, nil, false,
			"a burst over the 500 MB/s guaranteed to m1 (burst 3125 MB/s): under sustained load the network falls to that"},
		"back to baseline": {10_000, nil, true, "of its 1250 MB/s (guaranteed to m1)"},
		"over an allowance": {4_000, map[string]int64{"bw_out_allowance_exceeded": 7}, true,
			"outbound bandwidth (packets queued or dropped: 7) (m1: baseline 4 Gbit/s, burst 25 Gbit/s)"},
	} {
		in := finding.NewInput([]record.Trial{raw(0, "1MiB", 1e9),
			ingested(0, 24, "1000B", 5e8, 2e8,
				network(record.NetworkUse{Interface: "eth0", SentBytes: 12e9, Exceeded: c.over}))}, nil, nil)
		in.Read.Type = func(m record.Machine) (catalog.Type, bool) {
			return catalog.Type{Name: m.Name, NetworkMbps: catalog.Amount{Value: c.baseline, Known: true},
				NetworkBurstMbps: burst}, true
		}
		b := bottleneck.KindBottleneck.Of(shownCell(t, Analyze(in), "kafka", record.Throughput))
		if b == nil || (b.What == bottleneck.Network) != c.bound ||
			!strings.Contains(strings.Join(b.Reasons, "; "), c.reason) {
			t.Errorf("%s: %+v", name, b)
		}
	}
}
