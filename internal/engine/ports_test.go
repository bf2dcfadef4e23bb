package engine

import "testing"

func TestPortsAreNoConnections(t *testing.T) {
	for _, c := range []struct{ low, high, from, to int }{
		{32768, 60999, 10000, 32768},
		{15000, 50000, 50001, 65536},
		{1024, 65535, 0, 0},
	} {
		if from, to := outside(c.low, c.high); from != c.from || to != c.to {
			t.Errorf("beside %d to %d: %d to %d", c.low, c.high, from, to)
		}
	}
	all, err := FreePorts(20)
	if err != nil {
		t.Fatal(err)
	}
	low, high := ephemeral()
	from, _ := outside(low, high)
	seen := map[uint16]bool{}
	for _, port := range all {
		if seen[port] || from > 0 && int(port) >= low && int(port) <= high {
			t.Errorf("%d among %d", port, all)
		}
		seen[port] = true
	}
}
