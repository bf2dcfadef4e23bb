package memorylatency

import (
	"strings"
	"testing"

	"plimsoll/internal/client/load"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
	"plimsoll/internal/workload/kernel/kerneltest"
	"plimsoll/internal/workload/workloadtest"
)

func resolved(t testing.TB, set record.Params) workload.Params {
	t.Helper()
	return kerneltest.Params(t, Spec(), set)
}

func TestConformance(t *testing.T) {
	workloadtest.Run(t, Spec(),
		workloadtest.Case{Name: "idle memory", Params: record.Params{"size": "2MiB"}},
		workloadtest.Case{Name: "under load", Params: record.Params{"size": "2MiB"}, Lanes: 2},
		workloadtest.Case{Name: "half of the time", Params: record.Params{"size": "2MiB", "traffic": "50"}, Lanes: 2},
		workloadtest.Case{Name: "no traffic", Params: record.Params{"size": "2MiB", "traffic": "0"}, Lanes: 2})
}

func made(t *testing.T, size int) *chain {
	t.Helper()
	c, err := newChain(t.Context(), kernel.Policy{}, size, 7)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Free() })
	return c
}

// TestChainVisitsEveryLine: the chain is one cycle over all lines.
func TestChainVisitsEveryLine(t *testing.T) {
	for _, size := range []int{64, 4096, 1 << 20} {
		c := made(t, size)
		seen := make([]bool, size/64)
		at := uint64(0)
		for range seen {
			if at%line != 0 || seen[at/line] {
				t.Fatalf("%d B: word %d twice, or between lines", size, at)
			}
			seen[at/line] = true
			at = c.next[at]
		}
		if at != 0 {
			t.Errorf("%d B: ends at word %d", size, at)
		}
	}
}

// TestVerify: the end of so many loads is known by arithmetic, and each link is checked.
func TestVerify(t *testing.T) {
	c := made(t, 1<<20)
	if err := c.Verify(); err == nil {
		t.Error("nothing was followed")
	}
	for _, n := range []int{1, 2, 7, 100} {
		if err := c.Run(n); err != nil {
			t.Fatal(err)
		}
		if err := c.Verify(); err != nil {
			t.Errorf("after %d loads: %v", c.done, err)
		}
	}
	c.done++
	if err := c.Verify(); err == nil || !strings.Contains(err.Error(), "ended at word") {
		t.Errorf("one load too few: %v", err)
	}
	c.done--
	c.next[line] ^= line
	if err := c.Verify(); err == nil || !strings.Contains(err.Error(), "line 1 leads to") {
		t.Errorf("a wrong link: %v", err)
	}
}

func TestCopies(t *testing.T) {
	c, err := newCopies(2*chunk, 7, 1, 50)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Free()
	if err := c.Verify(); err == nil {
		t.Error("nothing was copied")
	}
	if err := c.Run(3); err != nil || c.Verify() != nil || c.at != chunk {
		t.Errorf("%v, %v, at %d", err, c.Verify(), c.at)
	}
	c.to[5] ^= 1
	if err := c.Verify(); err == nil {
		t.Error("a wrong byte is accepted")
	}
}

func TestSizes(t *testing.T) {
	last := record.Cache{Level: 3, Type: "unified", Bytes: 33 << 20, Instances: 1}
	for _, c := range []struct {
		set         string
		lanes       int
		last        record.Cache
		chain, each int64
	}{
		{"0B", 1, last, 256 << 20, 132 << 20}, {"0B", 2, last, 256 << 20, 66 << 20}, {"0B", 1, record.Cache{}, 0, 1 << 20},
		{"100MB", 2, last, 64 << 20, 64 << 20}, {"1B", 1, last, 1 << 20, 1 << 20},
		{"64MiB", 1, record.Cache{}, 64 << 20, 64 << 20},
	} {
		p := resolved(t, record.Params{"size": c.set})
		if a, b := chainSize(p, c.last), copySize(p, c.lanes, c.last); a != c.chain || b != c.each {
			t.Errorf("%+v: %d, %d", c, a, b)
		}
	}
}

func TestCheck(t *testing.T) {
	one := record.Machine{NUMA: 1, CPU: record.CPU{Allowed: []int{0, 1}}}
	two := one
	two.NUMA = 2
	for _, c := range []struct {
		node string
		m    record.Machine
		want string
	}{
		{"local", one, ""}, {"1", two, ""}, {"1", one, "cannot be tested here: one NUMA node"},
		{"far", two, "is not a NUMA node"},
		{"-1", two, "is not a NUMA node"},
	} {
		err := Spec().Check(resolved(t, record.Params{"node": c.node}), c.m)
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "\nhint: ")) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := onNode("3", []int{0, 1}); err == nil {
		t.Error("node 3 of 2")
	}
	if _, err := onNode("1", []int{0, 1}); err != nil {
		t.Error(err)
	}
}

// TestValues: the latency is the chain's own rate, and the traffic is the others'.
func TestValues(t *testing.T) {
	r := load.Result{Lanes: []load.LaneResult{{OpsPerSecond: 1e4}, {OpsPerSecond: 5e3}, {OpsPerSecond: 5e3}}}
	got, err := (&driver{traffic: 100}).Values(r)
	if err != nil || len(got) != 2 || got[0].Name != metricLoad || got[0].Value < 99.9e-9 || got[0].Value > 100.1e-9 ||
		got[0].Better != record.Lower || got[1].Name != record.MemoryTraffic || got[1].Value != 1e4*2*chunk {
		t.Errorf("%+v, %v", got, err)
	}
	if got, _ := (&driver{}).Values(r); got[1].Value != 0 {
		t.Errorf("no traffic: %+v", got)
	}
	if _, err := (&driver{}).Values(load.Result{}); err == nil {
		t.Error("no lane")
	}
}
