package integrity

import (
	"strings"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
)

// LostHosts returns a note for each machine that a session lost in mid-run, with its valid trials until then and the cause.
func LostHosts(events []record.Event, trials []record.Trial) []note.Note {
	var out []note.Note
	for _, e := range events {
		if e.Name != record.HostLost {
			continue
		}
		n := 0
		for i := range trials {
			name := trials[i].Keys[record.KeyMachine]
			own := name == e.Machine || strings.HasPrefix(name, e.Machine+" (") // of sessions that were told apart
			if t := &trials[i]; own && t.Plan == e.Plan && t.Void == "" && t.Counts() {
				n++
			}
		}
		out = note.With(out, note.New("host-lost", e.Machine, n, e.Detail))
	}
	return out
}
