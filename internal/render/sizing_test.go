package render

import (
	"bytes"
	"strings"
	"testing"

	"plimsoll/internal/catalog"
	"plimsoll/internal/finding"
	"plimsoll/internal/finding/storage"
	"plimsoll/internal/media/term"
	"plimsoll/internal/record"
)

// diskCell is a cell that asked so much of its disk.
func diskCell(load string, mibps, iops float64) finding.Cell {
	c := estimated(finding.Cell{Machine: "m7gd.xlarge", Workload: "kafka", Load: load, Metric: "throughput", Primary: true, Unit: "B/s", Better: record.Higher}, 1e8, 1.1e8, 1.2e8)
	figure := &storage.DiskFigure{Estimate: termOf(mibps*1e6, .9*mibps*1e6, 1.1*mibps*1e6), Most: 2 * mibps * 1e6}
	c.Found = storage.KindSizing.Put(c.Found, &storage.Sizing{
		Device: "nvme1n1", Kind: "EBS", N: 3, MeanIO: 16384, Reads: .25, Merged: .5, BusyPct: 80, Iowait: 12.34,
		Averages: []storage.DiskAverage{
			{Seconds: .1, Points: []storage.DiskPoint{{Percentile: 50, IOPS: figure, Counted: figure, CountedLeast: figure, Bytes: figure}}},
			{Seconds: 60, Points: []storage.DiskPoint{{Percentile: 50, Why: told("1 windows")[0]}, {Percentile: 99, Why: told("far more windows")[0]}}},
		},
		Cap:  storage.DiskCap{Why: told("no rate <stays> at a level")[0]},
		Need: &storage.DiskNeed{Need: catalog.Need{IOPS: iops, MiBps: mibps, GiB: 500}, Percentile: 99.9, Averaging: 1},
		Storage: []catalog.Storage{
			{Kind: "gp2", GiB: 500, IOPS: 1500, MiBps: 250, USDPerMonth: catalog.Some(50), BurstS: ptr(3600), Region: "us-east-1", Date: "2021-03-08", Source: "a list"},
			{Kind: "io2", GiB: 500, Why: "a volume carries too little"},
		},
		Doubts: told("others used the disk"),
	})
	return c
}

// TestSizingIsOfTheHighestNeed: of a machine's cells those that need most bytes and most I/Os have their tables.
func TestSizingIsOfTheHighestNeed(t *testing.T) {
	idle := diskCell("1/s", 900, 9000)
	storage.KindSizing.Of(idle).Idle = true
	s := finding.Shown{Machines: map[string]record.Machine{}, Workloads: []finding.Cell{
		diskCell("10/s", 10, 100), diskCell("20/s", 20, 900), idle, diskCell("30/s", 30, 300),
	}}
	var b bytes.Buffer
	if err := Show(&b, term.Style{Width: 100}, s); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"disk 20/s: nvme1n1 EBS, I/Os of 16 KiB on average, 25 % of the bytes read, 50 % of requests merged by the kernel, in use 80 % of the time, iowait 12.3 % (n 3)",
		"disk 30/s:", "1 cell asked for less; show --json has them",
		"100 ms 50 % 27.0 to 33.0 30 ", "not told averaged over 60 s, 50 %, 99 % of the time: 1 windows",
		"cap none seen: no rate <stays> at a level", "need 300 IOPS as the provider counts them, 30.0 MiB/s and 500 GiB carry 99.9 % of the time, averaged over 1 s",
		"gp2 500 1500 250 50.00 by credits alone for 3600 s", "io2 500 ? ? ? a volume carries too little",
		"doubt others used the disk", "prices gp2 us-east-1 2021-03-08; show --json names their sources",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(text, "disk 10/s") || strings.Contains(text, "disk 1/s") {
		t.Errorf("less is shown too, or what is idle:\n%s", b.String())
	}
	b.Reset()
	if err := Report(&b, Page{Title: "disks", Shown: s}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<h4>disk: 30/s: nvme1n1 EBS", "no rate &lt;stays&gt; at a level", "by credits alone"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

func TestCapInWords(t *testing.T) {
	at := storage.DiskCap{Binds: true, Metric: "bytes_per_s", Level: 592e6, Share: .75, Iowait: ptr(50), Flight: ptr(12)}
	machine, unknown := at, at
	machine.Of, machine.Limits = storage.CapMachine, []storage.DiskLimit{{Of: storage.CapMachine, Name: "r6g.large, burst", Metric: "bytes_per_s", Value: 593.75e6}}
	unknown.Of, unknown.Why, unknown.Metric, unknown.Level = storage.CapUnknown, told("nothing is near")[0], "counted_iops", 2260
	for _, q := range []struct {
		cap  storage.DiskCap
		want string
	}{
		{machine, "held at 592 MB/s in 75 % of the time, with 12.0 I/Os in flight and iowait 50.0 %: by the machine (r6g.large, burst, 594 MB/s)"},
		{unknown, "held at 2.26 k op/s in 75 % of the time, with 12.0 I/Os in flight and iowait 50.0 %: unknown by what; nothing is near"},
		{storage.DiskCap{Why: told("too short")[0]}, "none seen: too short"},
	} {
		if got := capText(q.cap); got != q.want {
			t.Errorf("%q, want %q", got, q.want)
		}
	}
}
