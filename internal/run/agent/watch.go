package agent

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"plimsoll/internal/record"
)

// The phases of a trial, in order, as sent with beats. A target only ever prepares, waits and finishes.
const (
	phasePreparing = "preparing"
	phaseWaiting   = "waiting" // for a command: other hosts are not ready yet, or load it
	phaseMeasuring = "measuring"
	phaseFinishing = "finishing" // verifies, reads profiles, cleans up
)

func phases() []string {
	return []string{phasePreparing, phaseWaiting, phaseMeasuring, phaseFinishing}
}

// Time limits of an agent that sends beats. A beat shows that the process lives, not that it makes progress, so a phase
// without a fixed end continues as long as it uses CPU time: filling a database of 2,000 warehouses takes hours, and a
// hung process uses none.
const (
	answerLimit = time.Minute    // to answer a question
	stillLimit  = time.Hour      // to prepare or finish without using 1 s of CPU time
	phaseLimit  = 24 * time.Hour // to prepare or finish, whatever it uses
	loadLimit   = 8 * phaseLimit // to measure, or to wait while others do: over a week, the longest --for and exec.timeout
	wordLimit   = time.Minute    // to obey a command
	resendLimit = 3 * time.Minute
	// from the answer to the word that it is done: it stops servers and removes files meanwhile
	endLimit = 3 * time.Minute
)

// watch enforces the time limits. It counts turns of listening rather than time, so that a suspension of this process
// is not held against the agent.
type watch struct {
	client  Client
	req     Request
	phase   string
	used    int64         // CPU seconds used by it and all that it started
	spent   time.Duration // in this phase
	still   time.Duration // in this phase, since it last used 1 s of CPU time
	resumed atomic.Bool   // a command to stop waiting was sent
	since   time.Duration // since that command
	after   time.Duration // since the whole answer is here
}

// beat records the phase and CPU time of a beat.
func (w *watch) beat(m Message) error {
	if m.Phase == "" || m.Phase == w.phase {
		if m.UsedS > w.used {
			w.used, w.still = m.UsedS, 0
		}
		return nil
	}
	next := slices.Index(phases(), m.Phase)
	if next < slices.Index(phases(), w.phase) || next < 0 {
		return fmt.Errorf("its phase went from %s to %.40q", cmp.Or(w.phase, phasePreparing), m.Phase)
	}
	w.phase, w.spent, w.still = m.Phase, 0, 0
	return nil
}

// pass counts a turn, and returns an error if the agent exceeds a time limit. whole says that all runs are here.
func (w *watch) pass(turn time.Duration, whole bool) error {
	if whole {
		w.after += turn
	}
	w.spent += turn
	w.still += turn
	if w.resumed.Load() {
		w.since += turn
	}
	switch limit := cmp.Or(w.client.Answer, endLimit); {
	case w.after > limit:
		return fmt.Errorf("it is not done %v after its answer", limit)
	case w.req.Do == DoMachine || w.req.Do == DoSpeed || w.req.Do == DoPreflight || w.req.Do == DoDevice:
		if limit := cmp.Or(w.client.Answer, answerLimit); w.spent > limit {
			return fmt.Errorf("no answer within %v", limit)
		}
	case w.req.Do == DoResend && w.spent > resendLimit:
		return fmt.Errorf("nothing sent again within %v", resendLimit)
	case w.phase == phaseMeasuring && w.loaded() > 0:
		if limit := w.loaded(); w.spent > limit {
			return fmt.Errorf("it was still measuring after %v", limit)
		}
	case w.phase == phaseWaiting && w.since > wordLimit:
		return fmt.Errorf("still waiting %v after it was told to go on", wordLimit)
	case w.spent > phaseLimit && w.phase != phaseWaiting && w.phase != phaseMeasuring || w.spent > loadLimit:
		return fmt.Errorf("it has been %s for %v", cmp.Or(w.phase, phasePreparing), w.spent)
	case w.works():
		if limit := cmp.Or(w.client.Still, stillLimit); w.still > limit {
			return fmt.Errorf("it has been %s for %v without using a second of CPU time", cmp.Or(w.phase, phasePreparing), limit)
		}
	}
	return nil
}

// works reports whether the agent is busy with work of its own.
func (w *watch) works() bool {
	return w.req.Order != nil && w.phase != phaseWaiting && w.phase != phaseMeasuring
}

// loaded returns the time limit of the load, including the overrun of its lanes; 0 for a load without a planned end.
func (w *watch) loaded() time.Duration {
	o := w.req.Order
	if o == nil || len(o.Sides) == 0 || o.Sides[0].Load.Kind == record.Once {
		return 0
	}
	window := time.Duration(len(o.Sides)) * seconds(o.WarmupS+o.DurationS)
	return window + max(overrun, seconds(o.DurationS)) + wordLimit
}

// sent notes a command that ends the agent's waiting.
func (w *watch) sent(word string) {
	if first, _, _ := strings.Cut(word, " "); first == WordStart || first == WordEnd || first == WordLeave {
		w.resumed.Store(true)
	}
}
