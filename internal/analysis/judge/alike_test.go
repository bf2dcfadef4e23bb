package judge

import (
	"testing"

	"plimsoll/internal/record"
)

func TestPathAndRegimeOfACell(t *testing.T) {
	every := func(record.Trial) bool { return true }
	first := func(t record.Trial) bool { return t.Replicate == 0 }
	for _, c := range []struct {
		name         string
		trials       []record.Trial
		path, regime string
		doubt        string
	}{
		{"alike", alter(few("m1"), every, key(record.KeyPath, "avx2"), key(record.KeyRegime, record.RegimeDRAM)), "avx2",
			record.RegimeDRAM, ""},
		{"not stated", few("m1"), "", "", ""},
		{"mixed path", alter(alter(few("m1"), every, key(record.KeyPath, "avx2")), first, key(record.KeyPath, "neon")), "",
			"", "runs with different values of path are pooled: avx2, neon"},
		{"mixed regime", alter(alter(few("m1"), every, key(record.KeyRegime, record.RegimeDRAM)), first,
			key(record.KeyRegime, record.RegimeCache)), "", "", "runs with different values of regime are pooled: cache, dram"},
		{"void ones do not count", alter(alter(few("m1"), every, key(record.KeyPath, "avx2")), first,
			key(record.KeyPath, "neon"), void("late")), "avx2", "", "needs at least 3 runs"},
		{"all void", alter(few("m1"), every, key(record.KeyPath, "avx2"), void("late")), "avx2", "", "all runs failed"},
	} {
		cells := Show(c.trials, nil, nil).Workloads
		if len(cells) != 1 || cells[0].Path != c.path || cells[0].Regime != c.regime {
			t.Errorf("%s: %+v", c.name, cells)
			continue
		}
		if got := cells[0].Doubts; c.doubt == "" && len(got) > 0 || c.doubt != "" && !flagged(got, c.doubt) {
			t.Errorf("%s: doubts %q, want %q", c.name, got, c.doubt)
		}
	}
}

// few is one cell of three trials.
func few(machine string) []record.Trial {
	return []record.Trial{trial(machine, 0, 1e9), trial(machine, 1, 1.01e9), trial(machine, 2, .99e9)}
}
