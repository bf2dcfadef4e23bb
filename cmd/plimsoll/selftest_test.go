package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/selftest"
)

// TestSelftestPrints holds the document and the exit code of a certificate of few simulations, which may well fail;
// selftest.txtar has the one of all of them, at night.
func TestSelftestPrints(t *testing.T) {
	simtest.Long(t)
	t.Parallel()
	var stdout, stderr bytes.Buffer
	a := &app{stdout: &stdout, said: &stdout, stderr: &stderr, simulations: 10}
	err := a.selftest(context.Background(), false, true)
	var c selftest.Certificate
	if err := json.Unmarshal(stdout.Bytes(), &c); err != nil {
		t.Fatalf("%v: %.300s", err, stdout.String())
	}
	if c.Simulations != 10 || c.Seed != selftest.DefaultSeed || len(c.Gates) < 50 || c.NotBuilt == nil {
		t.Errorf("%d simulations of seed %d, %d gates, not built: %v", c.Simulations, c.Seed, len(c.Gates), c.NotBuilt)
	}
	if code := a.exit(err); (code == exitDone) != c.Pass || c.Pass != (len(c.Failed()) == 0) {
		t.Errorf("exit code %d of a certificate that passed: %v", code, c.Pass)
	}
	bad := 0
	for _, g := range c.Gates {
		if g.KnownBad {
			bad++
		}
		if g.Name == "" || g.Kind == "" || g.Sense == "" || g.N > 0 && (*g.Lo > g.Value || g.Value > *g.Hi) {
			t.Errorf("%+v", g)
		}
	}
	if bad != 10 {
		t.Errorf("%d gates are known to be bad", bad)
	}
}

func TestAFailedGateIsExitCodeOne(t *testing.T) {
	c := selftest.Certificate{Gates: []selftest.Gate{{Name: "good", Pass: true}, {Name: "shown", KnownBad: true}}}
	if err := uncertified(c); err != nil {
		t.Errorf("what is known to be bad fails: %v", err)
	}
	c.Gates = append(c.Gates, selftest.Gate{Name: "broken"})
	var stderr bytes.Buffer
	a := &app{stderr: &stderr}
	if code := a.exit(uncertified(c)); code != exitFailed ||
		!strings.Contains(stderr.String(), "1 of 3 gates failed, first: broken\nhint: ") {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}
