package integrity

import (
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

// Starved notes how many clients got no answer, of the run with the most, and how many operations, unless there was one
// for each of these clients: the figures are those of the others.
func Starved(trials []record.Trial) []note.Note {
	var most, of, operations int64
	for _, t := range trials {
		g := t.Generator
		if g == nil {
			continue
		}
		if g.Starved > most {
			most, of = g.Starved, g.Clients
		}
		if all := g.Unanswered + g.Stale; all > g.Starved {
			operations = max(operations, all)
		}
	}
	var out []note.Note
	if most > 0 {
		out = append(out, note.New("clients-starved", most, of))
	}
	if operations == 1 {
		out = append(out, note.New("operation-unanswered"))
	}
	if operations > 1 {
		out = append(out, note.New("operations-unanswered", operations))
	}
	return out
}
