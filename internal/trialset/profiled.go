package trialset

import (
	"plimsoll/internal/record"
)

// CellID is the cell of a plan on one machine.
type CellID struct {
	plan, machine string
	cell          int
}

// IDOf returns the cell that a trial belongs to.
func IDOf(t record.Trial) CellID { return CellID{t.Plan, t.Keys[record.KeyMachine], t.Cell} }
