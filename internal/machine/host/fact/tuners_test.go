package fact

import (
	"testing"
	"testing/fstest"

	"plimsoll/internal/record"
)

// TestTuners: what tuners change is recorded by device, and lines that are of none are passed over.
func TestTuners(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	fsys := fstest.MapFS{
		"proc/interrupts": file("      CPU0  CPU1\n 24:  1  0  IO-APIC  5-edge  ACPI:Ged\n 31:  7  0  " +
			"PCI-MSIX-0000:00:04.0  0-edge  nvme0q0\n 32:  0  9  PCI-MSIX-0000:00:04.0  1-edge  nvme0q1\n" +
			" 40:  0  5  PCI-MSIX-0000:00:05.0  1-edge  eth0-Tx-Rx-0\n 41:  0  0  PCI-MSIX-0000:00:05.0  2-edge  " +
			"eth0-Tx-Rx-1\nLOC:  4  3  Local timer interrupts\n"),
		"proc/irq/24/smp_affinity_list":    file("0-1\n"),
		"proc/irq/31/smp_affinity_list":    file("0\n"),
		"proc/irq/32/smp_affinity_list":    file("1\n"),
		"proc/irq/40/smp_affinity_list":    file("0-1\n"),
		"proc/irq/41/smp_affinity_list":    file("0-1\n"),
		"sys/block/nvme0n1/queue/nomerges": file("2\n"),
		"sys/block/nvme1n1/queue/nomerges": file("2\n"),
		"sys/block/vda/queue/nomerges":     file("0\n"),
		"sys/block/loop0/queue/nomerges":   file("0\n"),
		"proc/sys/vm/swappiness":           file("1\n"),
		"proc/sys/fs/aio-max-nr":           file("1048576\n"),
	}
	var m record.Machine
	for _, f := range []Fact{irqAffinity(), diskMerges(), swappiness(), aioLimit()} {
		if err := f.Read(fsys, &m); err != nil {
			t.Errorf("%s: %v", f.Key, err)
		}
	}
	for key, want := range map[string]string{
		"irq_affinity":  "eth0-Tx-Rx: 2 on 0-1; nvme0q: 2 on 2 sets of 0-1; ACPI:Ged: 1 on 0-1",
		"disk_nomerges": "0: vda; 2: nvme0n1 nvme1n1", "swappiness": "1", "aio_max_nr": "1048576",
	} {
		if got := m.Facts[key].Text; got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}
