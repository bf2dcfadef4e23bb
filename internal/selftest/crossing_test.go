package selftest

import (
	"context"
	"testing"
)

func TestCrossings(t *testing.T) {
	gates, err := tests{ctx: context.Background(), in: Real(), seed: DefaultSeed, n: simulations(60)}.crossings()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("seed %d", DefaultSeed)
	for _, g := range gates {
		t.Logf("%-60s %.4f of %d (%.4f to %.4f) %t", g.Name, g.Value, g.N, *g.Lo, *g.Hi, g.Pass)
		if !g.Pass {
			t.Errorf("%s: %g fails its gate of %g", g.Name, g.Value, g.Gate)
		}
	}
}
