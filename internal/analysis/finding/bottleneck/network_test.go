package bottleneck

import (
	"strings"
	"testing"

	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
)

// overNetwork is a run of 10 s with traffic of eth0, in bytes and packets a second.
func overNetwork(workload string, received, sent, packets int64) record.Trial {
	return record.Trial{
		Keys:      map[string]string{record.KeyWorkload: workload, record.KeyMachine: "m"},
		Load:      record.LoadPoint{Kind: record.Closed, Level: 4, Unit: record.ParamClients},
		DurationS: 10,
		Values: []record.Value{{Metric: record.Metric{Name: record.Throughput, Unit: "op/s"}, Value: 1},
			{Metric: record.Metric{Name: record.CPUPercent, Unit: "%"}, Value: 30}},
		CPU: &record.CPUUse{WindowS: 10, CPUs: 2, Work: 6, Machine: 6},
		Network: &record.NetworkUse{Interface: "eth0", ReceivedBytes: 10 * received, SentBytes: 10 * sent,
			ReceivedPackets: 10 * packets, Mbit: 10_000},
	}
}

// TestMeasuredNetwork: the traffic of a workload is related to the most that workload network moved over the same
// interface, by bytes in each direction and by packets, and else to the interface's nominal speed.
func TestMeasuredNetwork(t *testing.T) {
	measured := networksMeasured([]record.Trial{
		overNetwork(networkWorkload, 100e6, 1e6, 70e3), overNetwork(networkWorkload, 1e6, 80e6, 60e3),
		overNetwork(networkWorkload, 9e6, 1e6, 150e3), // small datagrams
		overNetwork("http", 500e6, 500e6, 1e6),
	})
	noType := func(string) catalog.Type { return catalog.Type{} }
	for name, c := range map[string]struct {
		run        record.Trial
		what, says string
	}{
		"sent":             {overNetwork("http", 2e6, 76e6, 52e3), Network, "95% of the bytes sent a second that workload"},
		"received":         {overNetwork("http", 92e6, 1e6, 63e3), Network, "92% of the bytes received a second"},
		"packets":          {overNetwork("http", 9e6, 1e6, 145e3), Network, "97% of the packets a second"},
		"room":             {overNetwork("http", 50e6, 1e6, 34e3), Nothing, "50% of the bytes received a second"},
		"more than was":    {overNetwork("http", 120e6, 1e6, 80e3), Nothing, "of its 1250 MB/s (reported"},
		"not by itself":    {overNetwork(networkWorkload, 100e6, 1e6, 70e3), Nothing, "of its 1250 MB/s (reported"},
		"on another":       {elsewhere(overNetwork("http", 92e6, 1e6, 63e3)), Nothing, "of its 1250 MB/s (reported"},
		"smaller packets":  {overNetwork("http", 2e6, 1e3, 149e3), Nothing, "2% of the bytes received"},
		"nothing in flows": {overNetwork("http", 0, 40e6, 20e3), Nothing, "50% of the bytes sent"},
	} {
		got := bottleneckOf([]record.Trial{c.run}, nil, measured, noType, "")
		if said := strings.Join(got.Reasons, "; "); got.What != c.what || !strings.Contains(said, c.says) {
			t.Errorf("%s: %s: %s, want %s: %s", name, got.What, said, c.what, c.says)
		}
	}
}

func elsewhere(t record.Trial) record.Trial {
	t.Network.Interface = "eth1"
	return t
}

// TestThrottledNetwork: a stream that a shaper holds back has the network for its bottleneck, not the disk.
func TestThrottledNetwork(t *testing.T) {
	got := bottleneckOf([]record.Trial{overNetwork(networkWorkload, 1e6, 10e6, 7e3)}, nil, nil,
		func(string) catalog.Type { return catalog.Type{} }, "10.0 MB/s")
	if said := strings.Join(got.Reasons, "; "); got.What != Network ||
		!strings.Contains(said, "the network is throttled to 10.0 MB/s") || strings.Contains(said, "disk is throttled") {
		t.Errorf("%s: %s", got.What, said)
	}
}
