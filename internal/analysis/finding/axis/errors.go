package axis

import (
	"fmt"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/nearest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// Unknown is a name in a question that no trial bears: wrong usage.
type Unknown struct {
	What  string // "factor", "baseline"
	Name  string
	Known []string // the nearest first
}

func newUnknown(what, name string, known []string) Unknown {
	return Unknown{what, name, nearest.Sorted(name, known)}
}

func (e Unknown) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("unknown %s %q: the runs have none", e.What, e.Name)
	}
	return fmt.Sprintf("unknown %s %q\nhint: the runs have %s", e.What, e.Name, strings.Join(e.Known, ", "))
}

// Ambiguous is a name in a question that several things bear: wrong usage.
type Ambiguous struct {
	What, Name string
	Meant      []string
}

func (e Ambiguous) Error() string {
	return fmt.Sprintf("%s %q may be any of %s\nhint: name one of them in full", e.What, e.Name,
		strings.Join(e.Meant, ", "))
}

// Alone is a comparison with one side only: wrong usage.
type Alone struct {
	By, Side string
	Others   []string // what the trials differ in
}

func (e Alone) Error() string {
	if e.By == ByFile {
		return "nothing to compare by file: one file was given\nhint: plimsoll compare OLD NEW"
	}
	if e.By == record.KeyMachine {
		hint := "add the file of another machine, or of another session of this one"
		if len(e.Others) > 0 {
			hint = "compare them --by " + strings.Join(e.Others, ", or --by ")
		}
		return fmt.Sprintf("nothing to compare: all runs are of machine %s\nhint: %s", e.Side, hint)
	}
	if e.By == trialset.ByType {
		return fmt.Sprintf("nothing to compare: all machines are of type %s\nhint: add files of another type's machines",
			e.Side)
	}
	return fmt.Sprintf("nothing to compare: all runs have %s=%s\nhint: measure another level with --vary", e.By, e.Side)
}

// Unwrap makes it wrong usage.
func (e Unknown) Unwrap() error { return usage.Errorf("%s", e.Error()) }

// Unwrap makes it wrong usage.
func (e Ambiguous) Unwrap() error { return usage.Errorf("%s", e.Error()) }

// Unwrap makes it wrong usage.
func (e Alone) Unwrap() error { return usage.Errorf("%s", e.Error()) }
