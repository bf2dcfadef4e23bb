package render

import (
	"bytes"
	"testing"

	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
)

// server is a machine that shows all that a machine can show.
func server() record.Machine {
	m := xeon()
	m.Name, m.Unknown, m.Warnings = "db-1", nil, nil
	m.CPU = record.CPU{
		Vendor: "GenuineIntel", Model: "Intel(R) Xeon(R) Gold 6240 CPU @ 2.60GHz", Core: "Cascade Lake",
		Microcode: "0x5003605",
		Sockets:   2, Cores: 36, Threads: 72, ThreadsPerCore: 2, SocketCPUs: []string{"0-17,36-53", "18-35,54-71"},
		Allowed: []int{0, 1, 2, 3}, Features: []string{"aes", "avx512f", "pclmulqdq"}, MHz: 3900,
	}
	m.NUMA, m.NodeCPUs = 2, m.CPU.SocketCPUs
	m.Cloud = record.Cloud{Provider: "aws", Type: "c5.metal", Region: "eu-central-1", Zone: "eu-central-1b"}
	m.Settings = record.Settings{
		Governor: "71x performance, 1x powersave", Driver: "intel_pstate", Boost: "on", SMT: "on", THP: "madvise",
		THPDefrag:   "defer",
		HugePages:   []record.HugePages{{PageBytes: 2 << 20, Pages: 512, Free: 500}},
		ClockSource: "tsc", ClockSources: []string{"tsc", "hpet", "acpi_pm"},
		Mitigations: map[string]string{"mds": "Mitigation: Clear CPU buffers", "retbleed": "Vulnerable"}, Swap: 8 << 30,
	}
	m.Disks = []record.Disk{
		{Name: "md0", Bytes: 3_800_000_000_000, RAID: "raid0", Members: []string{"nvme1n1", "nvme2n1"}},
		{Name: "nvme0n1", Model: "Amazon Elastic Block Store", Kind: "EBS", Bytes: 8 << 30, Scheduler: "none"},
		{Name: "nvme1n1", Model: "Amazon EC2 NVMe Instance Storage", Kind: "instance store", Bytes: 1_900_000_000_000,
			Scheduler: "none"},
		{Name: "sda", Bytes: 8_000_000_000_000, Rotational: true, Scheduler: "mq-deadline"},
	}
	m.NICs = []record.NIC{{Name: "ens5", Driver: "ena", Mbit: 25000, MTU: 9001, Up: true}, {Name: "ens6", MTU: 1500}}
	m.Power = []record.Power{
		{Name: "package-0", Scope: "package", Source: record.PowerRAPL, Readable: true},
		{Name: "package-0 dram", Scope: "dram", Source: record.PowerRAPL, Readable: true},
		{Name: "power_meter power1", Source: record.PowerWatts},
	}
	return m
}

func TestMachineOfAServer(t *testing.T) {
	for look, style := range map[string]term.Style{"plain": {Width: 100}, "narrow": {Width: 50}} {
		var b bytes.Buffer
		if err := Machine(&b, style, server()); err != nil {
			t.Fatal(err)
		}
		golden(t, "server."+look+".txt", b.Bytes())
	}
}

func TestMachineThatSaysNothing(t *testing.T) {
	var b bytes.Buffer
	if err := Machine(&b, term.Style{Width: 80}, record.Machine{Name: "x"}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != "x\n  state  load 0.00\n" {
		t.Errorf("%q", got)
	}
}
