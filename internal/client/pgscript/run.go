package pgscript

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// What is the next action of a client.
type What uint8

// The actions of a client.
const (
	Over  What = iota // none: the script is over
	Send              // the statement, and wait for its answer, or in a pipeline queue it
	Sleep             // for the given time
	Begin             // a pipeline: queue statements from now on
	End               // the pipeline: send the queue and wait for all answers
)

// Next is a client's next action.
type Next struct {
	What      What
	Statement *Statement    // for Send
	For       time.Duration // for Sleep
}

// Next continues a script at a step, 0 at its beginning, up to the next action of the client, and returns that and
// the step after it. The error is an *Error.
func (s *Script) Next(st *State, at int) (next Next, after int, err error) {
	for at < len(s.steps) {
		step := &s.steps[at]
		at++
		switch step.does {
		case doesSQL:
			return Next{What: Send, Statement: step.statement}, at, nil
		case doesStart:
			return Next{What: Begin}, at, nil
		case doesEnd:
			return Next{What: End}, at, nil
		case doesJump:
			at = step.to
		case doesSleep:
			d, err := step.sleep.length(st)
			if err != nil {
				return Next{}, at, s.failed(step, metaSleep, err)
			}
			return Next{What: Sleep, For: d}, at, nil
		default:
			v, err := step.e.eval(st)
			switch {
			case err != nil && step.does == doesSet:
				return Next{}, at, s.failed(step, metaSet, err)
			case err != nil:
				return Next{}, at, s.failed(step, metaIf, err)
			case step.does == doesSet:
				st.set(step.at, v)
			case !v.holds():
				at = step.to
			}
		}
	}
	return Next{}, at, nil
}

func (s *Script) failed(step *step, what string, err error) error {
	return &Error{s.Name, step.line, fmt.Errorf("%s: %w", what, err)}
}

// sleep is a \sleep command.
type sleep struct {
	number   int64
	variable int // −1: number is the time
	unit     time.Duration
}

// longestSleep exceeds any trial.
const longestSleep = 30 * 24 * time.Hour

func (s sleep) length(st *State) (time.Duration, error) {
	n := s.number
	if s.variable >= 0 {
		v := st.variables[s.variable]
		if v.texts {
			var err error
			if v.value, err = parseValue(string(v.text)); err != nil {
				return 0, err
			}
		}
		var err error
		if n, err = v.value.whole(); err != nil {
			return 0, err
		}
	}
	if n > int64(longestSleep/s.unit) {
		return 0, fmt.Errorf("%d %s is not a valid sleep: at most 30 days", n, unitText(s.unit))
	}
	return time.Duration(max(0, n)) * s.unit, nil // negative times have passed
}

func unitText(unit time.Duration) string {
	return map[time.Duration]string{time.Second: "s", time.Millisecond: "ms", time.Microsecond: "us"}[unit]
}

func (c *compiler) sleep(r raw) error {
	out := sleep{variable: -1, unit: time.Second}
	number := strings.TrimRight(r.rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	unit := r.rest[len(number):]
	if strings.ContainsAny(r.rest, ": \t") {
		number, unit = cutWord(r.rest)
	}
	number = strings.TrimSpace(number)
	var err error
	switch {
	case number == "":
		err = errors.New("the time is missing")
	case number[0] == ':' && nameIn(number[1:]) == len(number)-1:
		out.variable, err = c.find(number[1:])
	default:
		if out.number, err = strconv.ParseInt(number, 10, 64); err != nil {
			err = fmt.Errorf("%.40q is not a whole number", number)
		}
	}
	switch strings.ToLower(unit) {
	case "", "s":
	case "ms":
		out.unit = time.Millisecond
	case "us":
		out.unit = time.Microsecond
	default:
		err = fmt.Errorf("the unit %.40q is not us, ms or s", unit)
	}
	if err == nil && out.variable < 0 {
		_, err = out.length(nil)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", metaSleep, err)
	}
	c.add(step{does: doesSleep, sleep: out})
	return nil
}
