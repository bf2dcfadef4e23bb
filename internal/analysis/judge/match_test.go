package judge

import (
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// loading is a trial that loads so many CPUs; all says that these are the machine's.
func loading(n int, all bool) change {
	return func(t *record.Trial) {
		t.Load = record.LoadPoint{Kind: record.Closed, Level: float64(n), Unit: record.ParamCPUs, All: all}
		t.Keys[record.KeyLoad], t.Keys["aes.cpus"] = t.Load.Key(), strconv.Itoa(n)
		if all {
			t.Keys["aes.cpus"] = record.AllCPUs
		}
	}
}

// TestAllMeetsAsMany: all CPUs of a machine of 64 are compared with 64 of another one's 72, and with all of these too.
func TestAllMeetsAsMany(t *testing.T) {
	var trials []record.Trial
	for i := range 3 {
		trials = append(trials,
			trial("x86", i, 2e9, planned("px"), cellNo(0), loading(64, false)), trial("x86", i, 2.1e9, planned("px"), cellNo(1),
				loading(72, true)),
			trial("arm", i, 4e9, planned("pa"), cellNo(0), loading(64, true)), trial("arm", i, 1e9, planned("pa"), cellNo(2),
				loading(32, false)))
	}
	for _, c := range []struct {
		most     int
		baseline string
		loads    string
		only     string
	}{
		{0, "x86", "64 cpus 2, all cpus 1.9", "only arm ran these benchmarks, so they are not compared: aes at 32 cpus"},
		{64, "x86", "64 cpus 2", "only arm ran these benchmarks, so they are not compared: aes at 32 cpus"},
		{64, "arm", "64 cpus 0.5", "only arm ran these benchmarks, so they are not compared: aes at 32 cpus"},
	} {
		kept, _ := trialset.AtMost(trials, c.most)
		got, err := Compare(kept, nil, nil, Options{Baseline: c.baseline})
		if err != nil {
			t.Fatal(err)
		}
		var loads []string
		for _, v := range got.Pairs[0].Verdicts {
			loads = append(loads, v.Load+" "+strconv.FormatFloat(v.Ratio, 'g', 2, 64))
		}
		only := strings.Join(note.Texts(got.Pairs[0].Warnings), "; ")
		if strings.Join(loads, ", ") != c.loads || !strings.Contains(only, c.only) || strings.Contains(only, "all cpus") {
			t.Errorf("at most %d against %s: %q; %s", c.most, c.baseline, loads, only)
		}
	}
}
