package category

import (
	"slices"
	"testing"

	"plimsoll/internal/record"
)

// TestMemory: a profile is sorted once, its waits by other rules, and another profile is another one.
func TestMemory(t *testing.T) {
	p := record.Profile{Stacks: []record.Stack{
		{Frames: frames("ext4_file_read_iter@k"), N: 1}, {Frames: frames("main.work@a"), N: 1}}}
	var m Memory
	first := m.OfCPU(p)
	if want := []Name{KernelDisk, Application}; !slices.Equal(first, want) {
		t.Fatalf("got %q, want %q", first, want)
	}
	if again := m.OfCPU(p); &again[0] != &first[0] {
		t.Error("it was sorted again")
	}
	if waits := m.OfWaits(p); !slices.Equal(waits, []Name{WaitingDisk, Unattributed}) {
		t.Errorf("its waits are %q", waits)
	}
	shorter := record.Profile{Stacks: p.Stacks[:1]}
	if got := m.OfCPU(shorter); len(got) != 1 {
		t.Errorf("a part of it has %q", got)
	}
	var none *Memory
	if got := none.OfCPU(p); !slices.Equal(got, first) {
		t.Errorf("without a memory: %q", got)
	}
}
