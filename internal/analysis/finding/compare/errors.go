package compare

import (
	"fmt"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/record/note"
)

// Scattered is a usage error: a comparison of sessions if each machine has one.
type Scattered struct{ By string }

func (e Scattered) Error() string {
	return fmt.Sprintf("nothing to compare by %s: no machine was measured in two of them\nhint: leave out --by, and "+
		"machines are compared", e.By)
}

// Incomparable is a usage error: a pair of sides that cannot be compared.
type Incomparable interface {
	error
	cause() string
}

// Disjoint is a usage error: the sides have no cell in common.
type Disjoint struct {
	A, B       string
	Machine    string   // the one both would be measured on; "" if machines are compared
	HasA, HasB []string // their cells
	Nodes      bool     // there are clusters of several numbers of nodes
}

func (e Disjoint) Error() string {
	if e.Nodes {
		return e.cause() + "\nhint: --equal-cost compares clusters of different numbers of nodes; else measure both with " +
			"the same workload, parameters and load"
	}
	return e.cause() + "\nhint: measure both with the same workload, parameters and load"
}

func (e Disjoint) cause() string {
	on := ""
	if e.Machine != "" {
		on = " on " + e.Machine
	}
	return fmt.Sprintf("%s and %s have nothing in common%s: %s has %s, %s has %s", e.A, e.B, on, e.A,
		trialset.FirstFew(e.HasA), e.B, trialset.FirstFew(e.HasB))
}

// Halved is a usage error: a comparison by a factor of a half fraction, in which no two cells differ in one factor
// alone.
type Halved struct{ By string }

func (e Halved) Error() string {
	return e.cause() + "\nhint: plimsoll show FILE states its effect; compare needs a session of at most three factors"
}

func (e Halved) cause() string {
	return fmt.Sprintf("nothing to compare by %s: in a half fraction of four factors, no two combinations "+
		"differ in it alone", e.By)
}

// UnequalPaths is a usage error: the sides ran unequal code on two architectures in all common cells.
type UnequalPaths struct {
	A, B  string
	Cells []string // the cells, each with its code paths
}

func (e UnequalPaths) Error() string {
	return e.cause() + "\nhint: compare --allow-unequal-paths compares them nevertheless"
}

func (e UnequalPaths) cause() string {
	return fmt.Sprintf("%s and %s ran unequal code paths: %s", e.A, e.B, trialset.FirstFew(e.Cells))
}

// warnings names the cells that are left out of a comparison.
func (e UnequalPaths) warnings() []note.Note {
	if len(e.Cells) == 0 {
		return nil
	}
	return []note.Note{note.New("unequal-paths-left-out", e)}
}

// NoValid is a side without a valid trial.
type NoValid struct {
	Side    string
	Cells   []string // those that both sides have
	Void    int
	Reasons []string // why they failed, without repetition
}

func (e NoValid) Error() string {
	return fmt.Sprintf("no valid run of %s remains: %d failed (%s)\nhint: remove the cause and run it again with --resume",
		e.Side, e.Void, trialset.FirstFew(e.Reasons))
}

// Unwrap makes it wrong usage.
func (e Scattered) Unwrap() error { return usage.Errorf("%s", e.Error()) }

// Unwrap makes it wrong usage.
func (e Untyped) Unwrap() error { return usage.Errorf("%s", e.Error()) }

// Unwrap makes it wrong usage.
func (e Disjoint) Unwrap() error { return usage.Errorf("%s", e.Error()) }

// Unwrap makes it wrong usage.
func (e UnequalPaths) Unwrap() error { return usage.Errorf("%s", e.Error()) }

// Unwrap makes it wrong usage.
func (e Halved) Unwrap() error { return usage.Errorf("%s", e.Error()) }
