package disk

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/client/ring"
	"plimsoll/internal/record"
	"plimsoll/internal/workload/workloadtest"
)

// onDisk skips a test if its files would be in memory, or leave too little free.
func onDisk(t *testing.T) {
	t.Helper()
	var fs unix.Statfs_t
	if err := unix.Statfs(t.TempDir(), &fs); err != nil || uint32(fs.Type) == unix.TMPFS_MAGIC {
		t.Skip("TMPDIR is in memory")
	}
	if err := preflight(t.Context(), params(t, record.Params{"size": "64MiB", "engine": "threads", "depth": "1"}),
		t.TempDir()); err != nil {
		t.Skip(err)
	}
}

func closed(n float64) record.LoadPoint {
	return record.LoadPoint{Kind: record.Closed, Level: n, Unit: record.ParamClients}
}

func open(rate float64) record.LoadPoint {
	return record.LoadPoint{Kind: record.Open, Level: rate, Unit: record.ParamRate, Arrivals: record.Poisson}
}

func TestConformance(t *testing.T) {
	simtest.Long(t)
	onDisk(t)
	with := func(more record.Params) record.Params {
		p := record.Params{"block": "4KiB", "size": "2MiB", "jobs": "2", "depth": "8"}
		for name, v := range more {
			p[name] = v
		}
		return p
	}
	cases := []workloadtest.Case{
		{Name: "threads", Params: with(record.Params{"engine": "threads", "depth": "2", "rw": "randrw", "fdatasync": "3"}),
			Load: closed(4), Lanes: 4},
		{Name: "threads at a rate",
			Params: with(record.Params{"engine": "threads", "depth": "1", "rw": "read", "rate": "200"}), Load: open(200),
			Lanes: 2, For: time.Second},
	}
	if err := ring.Available(); err == nil {
		cases = append(cases,
			workloadtest.Case{Name: "write", Params: with(nil), Load: closed(16), Lanes: 2},
			workloadtest.Case{Name: "read in batches", Params: with(record.Params{"rw": "read", "batch": "4"}), Load: closed(16),
				Lanes: 2},
			workloadtest.Case{Name: "random, one file",
				Params: with(record.Params{"rw": "randrw", "layout": "shared", "fsync": "5"}), Load: closed(16), Lanes: 2},
			workloadtest.Case{Name: "clients", Params: with(record.Params{"rw": "randread", "clients": "3"}), Load: closed(3),
				Lanes: 2},
			workloadtest.Case{Name: "page cache", Params: with(record.Params{"rw": "rw", "direct": "false"}), Load: closed(16),
				Lanes: 2},
			workloadtest.Case{Name: "open", Params: with(record.Params{"rate": "400", "fdatasync": "1"}), Load: open(400),
				Lanes: 2, For: time.Second},
			workloadtest.Case{Name: "spin", Params: with(record.Params{"rate": "400", "pacing": "spin", "jobs": "1"}),
				Load: open(400), Lanes: 1, For: time.Second},
			workloadtest.Case{Name: "capped", Params: with(record.Params{"bandwidth": "8MB", "rw": "randwrite"}),
				Load: closed(16), Lanes: 2},
		)
	} else {
		t.Log(err)
	}
	workloadtest.Run(t, Spec(), cases...)
}
