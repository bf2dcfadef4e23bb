package power

import (
	"fmt"
	"math"
)

// tally adds up the readings of one source.
type tally struct {
	watts   bool
	wraps   uint64 // as in source
	begun   bool   // there is a reading to count from; false leaves out the joules until the next reading
	at      int64  // CLOCK_MONOTONIC of the last reading, ns
	value   uint64 // the last: µJ or µW
	joules  float64
	seconds float64 // between the readings that the joules are from
	failure error   // the first; the sum is unknown from then on
}

// mostWatts is more than any one machine draws. A counter that rose faster was reset, or counts something else.
const mostWatts = 20e3

// updates is the time in seconds between two updates of the slowest counter of energy: two readings a moment apart can
// differ by the energy of so long. RAPL's counters change every millisecond, the counters of hwmon's drivers within
// 100 ms.
const updates = 0.1

// add takes a reading. A counter that goes down has wrapped if the joules up to its end and from 0 can have been used
// since the last reading. Else it went back, as after a driver was loaded again, and the energy is unknown.
func (t *tally) add(at int64, value uint64) {
	if t.failure != nil {
		return
	}
	if !t.begun {
		t.begun, t.at, t.value = true, at, value
		return
	}
	seconds := float64(at-t.at) / 1e9
	joules := 0.0
	switch {
	case t.watts:
		joules = seconds * (float64(t.value) + float64(value)) / 2e6
	case value >= t.value:
		joules = float64(value-t.value) / 1e6
	case t.wraps > t.value:
		joules = float64(t.wraps-t.value+value) / 1e6
	default:
		joules = math.Inf(1)
	}
	if joules > mostWatts*(seconds+updates) {
		unit := "J"
		if t.watts {
			unit = "W"
		}
		t.fail(fmt.Errorf("its reading went from %.6f %s to %.6f %s in %.3g s", float64(t.value)/1e6, unit,
			float64(value)/1e6, unit, seconds))
		return
	}
	t.joules, t.seconds = t.joules+joules, t.seconds+seconds
	t.at, t.value = at, value
}

func (t *tally) fail(err error) {
	if t.failure == nil {
		t.failure = err
	}
}

// used returns the energy in J, over the seconds in which it was metered. A counter that never moved measures nothing,
// as in some virtual machines.
func (t *tally) used() (joules, seconds float64, err error) {
	switch {
	case t.failure != nil:
		return 0, 0, t.failure
	case t.seconds <= 0:
		return 0, 0, errTooShort
	case t.joules == 0:
		return 0, 0, errNoMove
	}
	return t.joules, t.seconds, nil
}
