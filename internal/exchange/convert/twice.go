package convert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
	"plimsoll/internal/record/session"
)

// Twice finds trials that exist already: of one cell and with equal values, however formatted.
type Twice struct {
	seen map[string]int    // number of trials by fingerprint
	from map[string]string // file of the first of them
}

// NewTwice returns a finder that knows the imports of a session.
func NewTwice(log *session.Log) Twice {
	t := Twice{map[string]int{}, map[string]string{}}
	files := map[string]string{}
	for _, p := range log.Plans {
		if p.Plan.Imported != nil {
			files[p.Hash] = p.Plan.Imported.File
		}
	}
	for _, trial := range log.Trials {
		if file, ok := files[trial.Plan]; ok {
			t.add(valuesIn(trial), 1, file)
		}
	}
	return t
}

// add counts trials of one fingerprint.
func (t Twice) add(at string, n int, file string) {
	t.seen[at] += n
	if _, ok := t.from[at]; !ok {
		t.from[at] = file
	}
}

// Take rejects an input if all of its trials exist already, and returns a warning if some do: a single figure may be
// equal by chance.
func (t Twice) Take(ctx context.Context, b *Batch) (note string, err error) {
	there, figures, file := 0, 0, ""
	used := map[string]int{}
	for trial := range b.Trials("") {
		if ctx.Err() != nil {
			return "", errors.New("stopped")
		}
		at := valuesIn(trial)
		if used[at]++; used[at] <= t.seen[at] {
			there, figures, file = there+1, figures+len(trial.Values), t.from[at]
		}
	}
	for at, n := range used {
		t.add(at, n, b.Source.File)
	}
	switch {
	case there == b.Len() && figures > 1:
		return "", usage.Errorf("%s: all of its runs are there already, with the same values, as %s\nhint: its runs "+
			"would count twice", b.Source.File, file)
	case figures > 1:
		return fmt.Sprintf("%s: %d of %d runs are there already, with the same values, as %s", b.Source.File, there, b.Len(),
			file), nil
	}
	return "", nil
}

// valuesIn returns a trial's cell and its values to the printed precision.
func valuesIn(t record.Trial) string {
	parts := []string{cellIn(t)}
	for _, v := range t.Values {
		parts = append(parts, fmt.Sprintf("%q %.12g", v.Name, v.Value))
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
}

// cellIn returns a trial's cell, whichever format its file has.
func cellIn(t record.Trial) string {
	workload := t.Keys[record.KeyWorkload]
	parts := []string{t.Load.Key()}
	for key, v := range t.Keys {
		if key == record.KeyMachine || key == record.KeyWorkload || strings.HasPrefix(key, workload+".") {
			parts = append(parts, fmt.Sprintf("%q=%q", key, v))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
}
