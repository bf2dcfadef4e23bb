package agent

import (
	"errors"
	"slices"
	"testing"

	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/record"
)

// TestLooksBehindCharge: a proxy that does not keep connections has none at some looks, and one that failed early in
// the warm-up is made up for by a later one.
func TestLooksBehindCharge(t *testing.T) {
	nothing, database := look{}, look{behind: procs.Behind{Roots: []int{1}, Programs: []string{"postgres"}}}
	failed := look{err: errors.New("list sockets: refused")}
	for _, test := range []struct {
		name    string
		looks   []look
		program string
		doubts  int
	}{
		{"none ended in time", nil, "", 0},
		{"nothing", []look{nothing, nothing}, "", 0},
		{"the last has none", []look{nothing, database, nothing}, "postgres", 0},
		{"the first failed", []look{failed, database}, "postgres", 0},
		{"the last failed", []look{database, failed}, "postgres", 0},
		{"all failed", []look{failed, failed}, "", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := &side{trial: record.Trial{Keys: map[string]string{}}}
			l := &looksBehind{side: s, end: func() {}}
			for found := range slices.Values(test.looks) {
				l.keep(found)
			}
			l.take()
			l.keep(database) // too late: it has no reading before the window
			if got := s.trial.Keys[record.KeyServerBehind]; got != test.program || (s.behind != nil) != (test.program != "") {
				t.Errorf("charged %q, want %q", got, test.program)
			}
			if len(s.trial.Doubts) != test.doubts {
				t.Errorf("doubts %q, want %d", s.trial.Doubts, test.doubts)
			}
		})
	}
}
