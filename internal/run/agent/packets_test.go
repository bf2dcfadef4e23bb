package agent

import (
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// TestPackets: a server's packets are those of the path that moved most; what serves nobody, and what serves from
// elsewhere, has none.
func TestPackets(t *testing.T) {
	server := workload.Spec{Charge: workload.Started, Workload: record.Workload{Serves: true,
		Metrics: []record.Metric{{Name: record.Throughput}}}}
	own := server
	own.Serves = false
	metered := &record.CPUUse{Work: 1, WindowS: 2, CPUs: 1, GeneratorCPUs: 1, Source: record.ChargedGroup}
	outside := &record.NetworkUse{Interface: "eth0", ReceivedBytes: 900, SentBytes: 400, ReceivedPackets: 30,
		SentPackets:   10,
		LoopbackBytes: 800, LoopbackPackets: 100}
	inside := &record.NetworkUse{Interface: "eth0", ReceivedBytes: 100, ReceivedPackets: 3, LoopbackBytes: 800,
		LoopbackPackets: 50}
	for name, c := range map[string]struct {
		spec        workload.Spec
		cpu         *record.CPUUse
		network     *record.NetworkUse
		rate, perOp float64
		none        bool
	}{
		"from elsewhere": {spec: server, cpu: metered, network: outside, rate: 20, perOp: 2},
		"on one machine": {spec: server, cpu: metered, network: inside, rate: 25, perOp: 2.5},
		"not counted":    {spec: server, cpu: metered, network: &record.NetworkUse{LoopbackBytes: 9}, none: true},
		"no traffic":     {spec: server, cpu: metered, none: true},
		"serves nobody":  {spec: own, cpu: metered, network: outside, none: true},
		"CPU unknown":    {spec: server, network: outside, none: true},
		"a server elsewhere": {spec: server, cpu: &record.CPUUse{WindowS: 2, Source: record.ChargedNone}, network: outside,
			none: true},
	} {
		tr := record.Trial{Load: record.LoadPoint{Kind: record.Closed}, CPU: c.cpu, Network: c.network}
		tr.Values = counted(c.spec, tr, load.Result{OpsPerSecond: 10, Latency: hdrhistogram.New(1, 1e9, 3)})
		rate, ok := tr.Value(record.Packets)
		perOp, each := tr.Value(record.PacketsPerOp)
		if ok == c.none || each == c.none || rate.Value != c.rate || perOp.Value != c.perOp {
			t.Errorf("%s: %+v", name, tr.Values)
		}
	}
}
