package cputime

import (
	"os"
	"testing"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/hosttest"
)

func TestBusySeconds(t *testing.T) {
	root := hosttest.Fixture(t, "smt-numa")
	for _, tt := range []struct {
		cpus []int
		want float64
	}{{nil, 8.96}, {[]int{0}, 1.12}, {[]int{1, 7}, 2.24}} {
		if got, err := BusySeconds(root, tt.cpus); err != nil || got < tt.want-1e-9 || got > tt.want+1e-9 {
			t.Errorf("cpus %v: %v s, %v; want %v", tt.cpus, got, err, tt.want)
		}
	}
	if _, err := BusySeconds(root, []int{8}); err == nil {
		t.Error("a CPU that is not there must fail")
	}
	if _, err := BusySeconds(hostfs.Root{Proc: os.TempDir()}, nil); !hostfs.NotHere(err) {
		t.Errorf("without a stat file: %v", err)
	}
}
