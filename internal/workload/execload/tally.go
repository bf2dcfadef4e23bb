package execload

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"plimsoll/internal/process"
)

// maxNotes bounds how many different doubts a trial carries.
const maxNotes = 4

// tally is what all lanes' runs have in common. It may be used by many at once.
type tally struct {
	mu           sync.Mutex
	runs, failed int
	first        error // of the failures
	doubts       []string
	dubious      int // runs with doubts
}

func (t *tally) add(o process.Outcome, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs++
	if err != nil {
		t.failed++
		if t.first == nil {
			t.first = err
		}
	}
	if len(o.Doubts) > 0 {
		t.dubious++
	}
	for _, d := range o.Doubts {
		if !slices.Contains(t.doubts, d) && len(t.doubts) < maxNotes {
			t.doubts = append(t.doubts, d)
		}
	}
}

// firstLine is what the first failed run said, without what it printed.
func (t *tally) firstLine() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.first == nil {
		return nil
	}
	line, _, _ := strings.Cut(t.first.Error(), "\n")
	return errors.New(line)
}

// notes are the trial's doubts; where there were many runs, also how many of
// them are concerned.
func (t *tally) notes() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	notes := slices.Clone(t.doubts)
	if t.runs > 1 && t.dubious > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d runs left something behind", t.dubious, t.runs))
	}
	if t.failed > 0 && t.failed < t.runs {
		reason, _, _ := strings.Cut(t.first.Error(), "\n")
		notes = append(notes, fmt.Sprintf("%d of %d runs failed, the first so: %s", t.failed, t.runs, reason))
	}
	return notes
}

// verdict is an error when there were runs and none succeeded.
func (t *tally) verdict() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failed > 0 && t.failed == t.runs {
		return fmt.Errorf("exec: all %d runs failed, the first so: %w", t.runs, t.first)
	}
	return nil
}
