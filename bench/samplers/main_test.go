package main

import (
	"testing"

	"plimsoll/internal/machine/host/hostfs"
)

func TestWatches(t *testing.T) {
	if err := run([]string{"50ms", "200ms"}); hostfs.NotHere(err) {
		t.Skip(err)
	} else if err != nil {
		t.Error(err)
	}
	if err := run([]string{"0", "50ms"}); err != nil {
		t.Error(err)
	}
	for _, args := range [][]string{nil, {"1s"}, {"often", "1s"}, {"1ms", "1s"}, {"1s", "long"}} {
		if run(args) == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}
