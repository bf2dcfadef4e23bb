package selftest

import (
	"context"
	"testing"
)

func TestThroughputs(t *testing.T) {
	gates, err := tests{ctx: context.Background(), in: Real(), seed: DefaultSeed, n: simulations(60)}.throughputs()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("seed %d", DefaultSeed)
	for _, g := range gates {
		t.Logf("%-80s %+.5f (%.5f to %.5f) %t", g.Name, g.Value, *g.Lo, *g.Hi, g.Pass)
		if !g.Pass {
			t.Errorf("%s: %g fails its gate of %g ± %g", g.Name, g.Value, g.Gate, g.Tolerance)
		}
	}
}
