package cpuinfo

import (
	"slices"
	"testing"

	"plimsoll/internal/machine/host/hosttest"
)

func FuzzCPUInfo(f *testing.F) {
	hosttest.Seed(f, []string{"/proc/cpuinfo", "../hosttest/testdata/processors.txtar"},
		"processor\t: 0\nFeatures\t: aes sve\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n")
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := Parse(b)
		if (err == nil) != (len(all) > 0) {
			t.Fatalf("%d processors, %v", len(all), err)
		}
		if cpu := Summarise(all); !slices.IsSorted(cpu.Features) {
			t.Errorf("features %q", cpu.Features)
		}
	})
}
