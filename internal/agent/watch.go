package agent

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"plimsoll/internal/record"
)

// The phases of a trial, in their order, as beats tell them. A target is only ever preparing, waiting and finishing.
const (
	phasePreparing = "preparing"
	phaseWaiting   = "waiting" // for a word: other hosts are not ready yet, or load it
	phaseMeasuring = "measuring"
	phaseFinishing = "finishing" // verifies, takes profiles, removes what it made
)

func phases() []string {
	return []string{phasePreparing, phaseWaiting, phaseMeasuring, phaseFinishing}
}

// How long an agent that beats may take. That it beats shows that its process lives, not that it gets anywhere, so that
// a phase without an end of its own is let go on as long as CPU time is used for it: a database of 2,000 warehouses fills for
// hours, and what hangs uses none.
const (
	answerLimit = time.Minute    // to answer a question
	stillLimit  = time.Hour      // to prepare or finish without using a second of CPU time
	phaseLimit  = 24 * time.Hour // to prepare, wait or finish, whatever is used
	wordLimit   = time.Minute    // to do what it was told
)

// watch is how an agent spends the time that it has. The time is counted in turns of listening, so that none is held
// against it in which this process itself stood still.
type watch struct {
	client Client
	req    Request
	phase  string
	used   int64         // seconds of CPU time that it and what it started have used
	spent  time.Duration // in this phase
	still  time.Duration // of it, since a second of CPU time was used
	told   atomic.Bool   // to end its waiting
	since  time.Duration // that it was told so
}

// beat takes note of where the agent is.
func (w *watch) beat(m Message) error {
	if m.Phase == "" || m.Phase == w.phase {
		if m.UsedS > w.used {
			w.used, w.still = m.UsedS, 0
		}
		return nil
	}
	next := slices.Index(phases(), m.Phase)
	if next < slices.Index(phases(), w.phase) || next < 0 {
		return fmt.Errorf("it was %s and says that it is %.40q", cmp.Or(w.phase, phasePreparing), m.Phase)
	}
	w.phase, w.spent, w.still = m.Phase, 0, 0
	return nil
}

// pass lets a turn of listening pass, and says what the agent has taken too long for.
func (w *watch) pass(turn time.Duration) error {
	w.spent += turn
	w.still += turn
	if w.told.Load() {
		w.since += turn
	}
	switch {
	case w.req.Do == DoMachine || w.req.Do == DoLook || w.req.Do == DoDevice:
		if limit := cmp.Or(w.client.Answer, answerLimit); w.spent > limit {
			return fmt.Errorf("it did not answer within %v", limit)
		}
	case w.phase == phaseMeasuring && w.loaded() > 0:
		if limit := w.loaded(); w.spent > limit {
			return fmt.Errorf("it was still measuring after %v", limit)
		}
	case w.phase == phaseWaiting && w.since > wordLimit:
		return fmt.Errorf("it was told to go on %v ago and still waits", wordLimit)
	case w.spent > phaseLimit:
		return fmt.Errorf("it has been %s for %v", cmp.Or(w.phase, phasePreparing), phaseLimit)
	case w.works():
		if limit := cmp.Or(w.client.Still, stillLimit); w.still > limit {
			return fmt.Errorf("it has been %s for %v without using a second of CPU time", cmp.Or(w.phase, phasePreparing), limit)
		}
	}
	return nil
}

// works says whether the agent has something to do by itself.
func (w *watch) works() bool {
	return w.req.Order != nil && w.phase != phaseWaiting && w.phase != phaseMeasuring
}

// loaded is how long the load may take with all that its lanes may overrun it; 0 of one that takes as long as it takes.
func (w *watch) loaded() time.Duration {
	o := w.req.Order
	if o == nil || len(o.Sides) == 0 || o.Sides[0].Load.Kind == record.Once {
		return 0
	}
	window := time.Duration(len(o.Sides)) * seconds(o.WarmupS+o.DurationS)
	return window + max(overrun, seconds(o.DurationS)) + wordLimit
}

// tell takes note of a word that ends the agent's waiting.
func (w *watch) tell(word string) {
	if word == WordStart || word == WordEnd || word == WordLeave {
		w.told.Store(true)
	}
}
