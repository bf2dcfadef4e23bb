package storage

import (
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/machine/catalog"
)

// diskCell is a cell that asked so much of its disk.
func diskCell(load string, mibps, iops float64) finding.Cell {
	c := finding.Cell{Machine: "m7gd.xlarge", Workload: "kafka", Load: load, Metric: "throughput", Primary: true,
		Unit: "B/s"}
	figure := &DiskFigure{Estimate: termOf(mibps*1e6, .9*mibps*1e6, 1.1*mibps*1e6), Most: 2 * mibps * 1e6}
	c.Found = KindSizing.Put(c.Found, &Sizing{
		Device: "nvme1n1", Kind: "EBS", N: 3, MeanIO: 16384, Reads: .25, Merged: .5, BusyPct: 80, Iowait: 12.34,
		Averages: []DiskAverage{
			{Seconds: .1,
				Points: []DiskPoint{{Percentile: 50, IOPS: figure, Counted: figure, CountedLeast: figure, Bytes: figure}}},
			{Seconds: 60, Points: []DiskPoint{{Percentile: 50, Why: told("1 windows")[0]},
				{Percentile: 99, Why: told("far more windows")[0]}}},
		},
		Cap:  DiskCap{Why: told("no rate <stays> at a level")[0]},
		Need: &DiskNeed{Need: catalog.Need{IOPS: iops, MiBps: mibps, GiB: 500}, Percentile: 99.9, Averaging: 1},
		Storage: []catalog.Storage{
			{Kind: "gp2", GiB: 500, IOPS: 1500, MiBps: 250, USDPerMonth: catalog.Some(50), BurstS: ptr(3600),
				Region: "us-east-1", Date: "2021-03-08", Source: "a list"},
			{Kind: "io2", GiB: 500, Why: "a volume handles too little"},
		},
		Doubts: told("others used the disk"),
	})
	return c
}

// TestSizingIsOfTheHighestNeed: of a machine's cells those that need most bytes and most I/Os have their tables.
func TestSizingIsOfTheHighestNeed(t *testing.T) {
	idle := diskCell("1/s", 900, 9000)
	KindSizing.Of(idle).Idle = true
	text := printed(sizingSays,
		diskCell("10/s", 10, 100), diskCell("20/s", 20, 900), idle, diskCell("30/s", 30, 300),
	)
	for _, want := range []string{
		"disk 20/s: nvme1n1 EBS, I/Os of 16 KiB on average, 25% of the bytes read, 50% of requests merged by the kernel, " +
			"in use 80% of the time, iowait 12.3% (n=3)",
		"disk 30/s:", "1 cell with lower needs; show --json lists them",
		"100 ms 50% 27.0 to 33.0 30 ", "unknown averaged over 60 s, 50%, 99% of the time: 1 windows",
		"cap none found: no rate <stays> at a level", "need 300 IOPS as the provider counts them, 30.0 MiB/s and 500 GiB " +
			"suffice for 99.9% of the time, averaged over 1 s",
		"gp2 500 1500 250 50.00 on burst credits alone for 3600 s", "io2 500 ? ? ? a volume handles too little",
		"note others used the disk", "prices gp2 us-east-1 2021-03-08; show --json has their sources",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "disk 10/s") || strings.Contains(text, "disk 1/s") {
		t.Errorf("less is shown too, or what is idle:\n%s", text)
	}
}

func TestCapInWords(t *testing.T) {
	at := DiskCap{Held: true, Metric: "bytes_per_s", Level: 592e6, Share: .75, Iowait: ptr(50), Flight: ptr(12)}
	machine, unknown := at, at
	machine.Of, machine.Limits = CapMachine, []DiskLimit{
		{Of: CapMachine, Name: "r6g.large, burst", Metric: "bytes_per_s", Value: 593.75e6}}
	unknown.Of, unknown.Why, unknown.Metric, unknown.Level = CapUnknown, told("nothing is near")[0], "counted_iops", 2260
	for _, q := range []struct {
		cap  DiskCap
		want string
	}{
		{machine, "capped at 592 MB/s for 75% of the time, with 12.0 I/Os in flight and iowait 50.0%: by the machine " +
			"(r6g.large, burst, 594 MB/s)"},
		{unknown, "capped at 2.26k op/s for 75% of the time, with 12.0 I/Os in flight and iowait 50.0%: by an unknown " +
			"limit; nothing is near"},
		{DiskCap{Why: told("too short")[0]}, "none found: too short"},
	} {
		if got := capText(q.cap); got != q.want {
			t.Errorf("%q, want %q", got, q.want)
		}
	}
}

// TestNoVolumeNoTable: a disk that a quota held has a need and no volume for it, and then no empty table.
func TestNoVolumeNoTable(t *testing.T) {
	held := diskCell("10/s", 10, 100)
	if text := printed(sizingSays, held); !strings.Contains(text, "$/month") {
		t.Error(text)
	}
	KindSizing.Of(held).Storage = nil
	if text := printed(sizingSays, held); strings.Contains(text, "$/month") || !strings.Contains(text, "need 100 IOPS") {
		t.Error(text)
	}
}
