package integrity

import (
	"math"
	"slices"
	"strings"
	"time"

	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// OfSessions returns the notes on whole sessions: hosts that were lost, engines that are not alike, and clocks that
// were set.
func OfSessions(events []record.Event, trials []record.Trial) []note.Note {
	return slices.Concat(lostHosts(events, trials), unlikeEngines(trials), steppedClocks(trials))
}

// lostHosts returns a note for each machine that a session lost in mid-run, with its valid trials until then and the
// cause.
func lostHosts(events []record.Event, trials []record.Trial) []note.Note {
	var out []note.Note
	for _, e := range events {
		if e.Name != record.HostLost {
			continue
		}
		n := 0
		for i := range trials {
			name := trials[i].Keys[record.KeyMachine]
			own := name == e.Machine || strings.HasPrefix(name, e.Machine+" (") // of sessions that were told apart
			if t := &trials[i]; own && t.Plan == e.Plan && t.Measures() {
				n++
			}
		}
		out = note.With(out, note.New("host-lost", e.Machine, n, e.Detail))
	}
	return out
}

// stepped is by how many seconds a machine's wall clock must move against its monotonic one to be worth a note: no
// daemon slews a clock so far between two runs.
const stepped = 5

// steppedClocks returns a note for each machine and plan whose wall clock moved against its monotonic one between two
// runs, the first time that it did: it was set, or the machine slept. Durations are of the monotonic one; the times of
// day at which runs stand are wrong on one side of it.
func steppedClocks(trials []record.Trial) []note.Note {
	type clocks struct {
		wall time.Time
		mono int64
	}
	type machine struct{ plan, id string }
	last, said := map[machine]clocks{}, map[machine]bool{}
	var out []note.Note
	for i := range trials {
		t := &trials[i]
		wall, err := record.ParseTime(t.Start)
		if err != nil || t.MonoNs == 0 {
			continue
		}
		m, now := machine{t.Plan, t.Keys[record.KeyMachineID]}, clocks{wall, t.MonoNs}
		before, seen := last[m]
		last[m] = now
		// The monotonic clock begins anew with each boot.
		if !seen || said[m] || now.mono <= before.mono {
			continue
		}
		if by := wall.Sub(before.wall).Seconds() - float64(now.mono-before.mono)/1e9; math.Abs(by) >= stepped {
			said[m] = true
			out = append(out, note.New("clock-stepped", t.Keys[record.KeyMachine], math.Round(by), t.Start))
		}
	}
	return out
}
