package execload

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"plimsoll/internal/base/process"
)

// maxNotes bounds the number of different doubts of a trial.
const maxNotes = 4

// tally counts the runs of all lanes. It is safe for concurrent use.
type tally struct {
	mu           sync.Mutex
	runs, failed int
	first        error // first failure
	doubts       []string
	dubious      int // runs with doubts
	left         int // most processes that a run left
}

func (t *tally) add(o process.Outcome, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs++
	t.left = max(t.left, o.Left)
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

// firstLine returns the first failed run's error, without its output.
func (t *tally) firstLine() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.first == nil {
		return nil
	}
	line, _, _ := strings.Cut(t.first.Error(), "\n")
	return errors.New(line)
}

// notes returns the trial's doubts and, if there were many runs, how many of them are affected.
func (t *tally) notes() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	notes := slices.Clone(t.doubts)
	if t.runs > 1 && t.dubious > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d runs left something behind", t.dubious, t.runs))
	}
	if t.failed > 0 && t.failed < t.runs {
		reason, _, _ := strings.Cut(t.first.Error(), "\n")
		notes = append(notes, fmt.Sprintf("%d of %d runs failed, the first with: %s", t.failed, t.runs, reason))
	}
	return notes
}

// verdict returns an error if there were runs and none succeeded.
func (t *tally) verdict() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.failed > 0 && t.failed == t.runs {
		return fmt.Errorf("exec: all %d runs failed, the first with: %w", t.runs, t.first)
	}
	return nil
}
