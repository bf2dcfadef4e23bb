package render

import (
	"fmt"
	"io"

	"plimsoll/internal/analysis/sequential"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Fitness writes in a line which change a comparison on a machine detects within five minutes, of the work whose noise
// is largest, and the heaviest warning about the machine in another. The error is the writer's.
func Fitness(w io.Writer, style term.Style, m record.Machine, found []sequential.Decidable) error {
	p := term.NewPrinter(w, style)
	p.Gap()
	p.Notes(0, fitnessNotes(m, found))
	return p.Err
}

func fitnessNotes(m record.Machine, found []sequential.Decidable) []block.Sentence {
	text := "nothing was measured often enough: plimsoll machine --for 60s"
	side, apart := noisiest(found, true), noisiest(found, false)
	if side != nil && apart != nil {
		text = fmt.Sprintf("in %d minutes this machine can detect a change of %s%% with --vary, and of %s%% between "+
			"separate runs", side.Minutes, decides(*side), decides(*apart))
	}
	out := []block.Sentence{{Lead: "sensitivity", Tone: block.Strong, Text: text}}
	if len(m.Warnings) == 0 {
		return out
	}
	warning, _ := usage.Hints(m.Warnings[0])
	if n := len(m.Warnings) - 1; n > 0 {
		warning += fmt.Sprintf("; %s: plimsoll machine --facts", figure.Count(n, "more warning"))
	}
	return append(out, block.Sentence{Lead: "machine", Tone: block.Warn, Text: warning})
}

// noisiest returns the largest difference that is needed within five minutes by one kind of comparison; nil if none was
// measured.
func noisiest(found []sequential.Decidable, sliced bool) *sequential.Projection {
	const minutes = 5
	var out *sequential.Projection
	for _, d := range found {
		for i, p := range d.In {
			if d.Sliced == sliced && p.Minutes == minutes && p.Difference != nil &&
				(out == nil || *p.Difference > *out.Difference) {
				out = &d.In[i]
			}
		}
	}
	return out
}

func decides(p sequential.Projection) string { return twoDigits(100 * *p.Difference) }
