package main

import (
	"bytes"
	"strings"
	"testing"

	"plimsoll/internal/selftest"
)

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
