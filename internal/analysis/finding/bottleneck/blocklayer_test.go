package bottleneck

import (
	"strings"
	"testing"

	"plimsoll/internal/machine/catalog"
	"plimsoll/internal/record"
)

// onArray is a trial of workload disk whose data lie on these disks.
func onArray(members ...record.DiskMember) record.Trial {
	return record.Trial{DurationS: 2, Keys: map[string]string{record.KeyWorkload: DiskWorkload},
		CPU: &record.CPUUse{Work: 1, WindowS: 2, CPUs: 4, Source: record.ChargedThreads},
		Values: []record.Value{{Value: 1,
			Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher}}},
		Disk: &record.DiskUse{Device: "nvme0n1", Writes: 10, WriteBytes: 1 << 20, BusyPct: 99, Members: members}}
}

func member(name string, bytes, merges int64) record.DiskMember {
	return record.DiskMember{Device: name, Writes: 100, WriteBytes: bytes, Merges: merges, BusyPct: 98, QueueDepth: 127.8,
		WaitS: .0021}
}

// TestMembersAreEvidence: what the disks of an array did stands beside the bottleneck; merges and uneven work are told,
// and one disk, or disks that differ between runs, have none of it.
func TestMembersAreEvidence(t *testing.T) {
	typeOf := func(string) catalog.Type { return catalog.Type{} }
	for name, c := range map[string]struct {
		trials []record.Trial
		want   string
	}{
		"alike": {[]record.Trial{onArray(member("a", 1000, 0), member("b", 1000, 0)),
			onArray(member("a", 1100, 0), member("b", 1000, 0))},
			"each of 2 disks below the data had 128 requests in flight (busy 98%, 2.1 ms a request), and no requests were " +
				"merged"},
		"merged, and uneven": {[]record.Trial{onArray(member("a", 3000, 100), member("b", 1000, 0))},
			"and up to 50% of the requests were merged; a moved 75% of the bytes"},
		"one disk": {[]record.Trial{onArray()}, ""},
		"other disks": {[]record.Trial{onArray(member("a", 9, 0), member("b", 9, 0)), onArray(member("a", 9, 0),
			member("c", 9, 0))}, ""},
		"of one run":       {[]record.Trial{onArray(member("a", 9, 0), member("b", 9, 0)), onArray()}, ""},
		"they did nothing": {[]record.Trial{onArray(member("a", 0, 0), member("b", 0, 0))}, ""},
	} {
		got := bottleneckOf(c.trials, nil, nil, typeOf, "")
		said := strings.Join(got.Details, "; ")
		if !strings.Contains(said, c.want) || c.want == "" && said != "" {
			t.Errorf("%s: %q, want %q", name, said, c.want)
		}
	}
	got := bottleneckOf([]record.Trial{onArray(member("a", 1000, 300), member("b", 1000, 0))}, nil, nil, typeOf, "")
	if m := got.Evidence.Members; len(m) != 2 || m[0].Merged != .75 || m[0].Bytes != 500 || m[0].IOs != 50 {
		t.Errorf("%+v", m)
	}
}
