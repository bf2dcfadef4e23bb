package detached

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"plimsoll/internal/base/input"
	"plimsoll/internal/plan"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/session"
)

// The phases of a run: it is going on, or how it ended. Reasons of the session's format stand for themselves.
const (
	Running  = "running"
	Done     = "done"
	CutShort = "cut short" // without an end, and nobody writes it
)

// State is how far the run of a session is.
type State struct {
	File    string  `json:"file"`
	Plan    string  `json:"plan"`
	Phase   string  `json:"phase"`            // running, done, interrupted, budget, failed, cut short
	Detail  string  `json:"detail,omitempty"` // why it ended
	Runs    int     `json:"runs"`             // finished
	Failed  int     `json:"failed"`           // of these
	Left    int     `json:"left"`             // runs still to come if all go well
	LeftS   float64 `json:"left_s"`           // seconds of warm-up and measurement of these
	Began   string  `json:"began,omitempty"`  // of the first run
	Machine string  `json:"machine,omitempty"`
}

// Of returns the state of a session's last plan, or an error if no plan that was made here is as long. running says
// whether a process writes the session.
func Of(file string, log *session.Log, running bool) (State, error) {
	out := State{File: file, Phase: CutShort}
	if len(log.Machines) > 0 {
		out.Machine = log.Machines[0].Name
	}
	if len(log.Plans) == 0 {
		return out.phased(running), nil
	}
	p := log.Plans[len(log.Plans)-1]
	out.Plan = p.Plan.Name
	planned := p.Plan
	if planned.Imported != nil { // not here: nothing of it is missing
		planned = record.Plan{}
	}
	if err := plan.Bounded(planned); err != nil {
		return out, fmt.Errorf("%s: %w", file, err)
	}
	course := plan.Follow(planned)
	for i := range log.Trials {
		t := &log.Trials[i]
		if t.Plan != p.Hash {
			continue
		}
		course.Add(*t)
		if out.Runs++; t.Void != "" {
			out.Failed++
		}
		if out.Began == "" {
			out.Began = t.Start
		}
	}
	left := course.Remaining(nil)
	out.Left, out.LeftS = left.Trials, left.Load
	out.endedBy(log.Ends, p.Hash, out.Runs)
	return out.phased(running), nil
}

// endedBy sets the phase by the plan's last end, unless runs have followed it.
func (s *State) endedBy(ends []record.End, hash string, runs int) {
	for _, e := range ends {
		if e.Plan == hash && e.Trials >= runs {
			s.Phase, s.Detail = e.Reason, e.Detail
		}
	}
}

func (s State) phased(running bool) State {
	if running {
		s.Phase, s.Detail = Running, ""
	}
	return s
}

// Sentence tells the state in words.
func (s State) Sentence() string {
	text := fmt.Sprintf("%s, %s", s.Phase, figure.Count(s.Runs, "run"))
	if s.Plan != "" {
		text += " of " + s.Plan
	}
	if s.Failed > 0 {
		text += fmt.Sprintf(" (%d failed)", s.Failed)
	}
	if s.Left > 0 {
		text += fmt.Sprintf(", %d left", s.Left)
	}
	if s.LeftS >= 1 {
		text += fmt.Sprintf(" with %s of warm-up and measurement",
			time.Duration(s.LeftS*float64(time.Second)).Round(time.Second))
	}
	if s.Detail != "" {
		text += ": " + s.Detail
	}
	return text
}

// isWritten reports whether a process writes a session.
func isWritten(file string) (bool, error) {
	st, err := os.Stat(file)
	if err != nil {
		return false, input.Wrap(err)
	}
	return session.Written().Has(st), nil
}

// read returns the state of a session's run.
func read(ctx context.Context, open session.Opener, file string) (State, error) {
	running, err := isWritten(file)
	if err != nil {
		return State{}, err
	}
	log, err := session.ReadBy(ctx, open, file)
	if err != nil {
		return State{}, err
	}
	return Of(file, log, running)
}

// States returns the states of sessions, those of a folder for the folder, and the errors of those that cannot be read.
func States(ctx context.Context, open session.Opener, paths []string) ([]State, error) {
	states, errs := []State{}, []error(nil) // [] in JSON if there are none
	for _, path := range paths {
		files, err := sessionsAt(path)
		if err != nil {
			errs = append(errs, err)
		}
		for _, file := range files {
			s, err := read(ctx, open, file)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			states = append(states, s)
		}
	}
	return states, errors.Join(errs...)
}

// sessionsAt returns the sessions of a folder, or the path of anything else.
func sessionsAt(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, nil // read tells what is wrong with it
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, input.Wrap(err)
	}
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), session.Suffix) {
			out = append(out, filepath.Join(path, e.Name()))
		}
	}
	return out, nil
}
