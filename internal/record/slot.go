package record

import "fmt"

// Slot is where a run belongs in its plan, and what the plan orders it for. An order has it, and its trial returns it
// unchanged.
type Slot struct {
	Plan      string `json:"plan"` // hash of the plan
	Cell      int    `json:"cell"` // index into the plan's cells
	Group     int    `json:"group"`
	Replicate int    `json:"replicate"` // trials of one group and replicate are pairs
	// Of an import whose file has the pairs; else nil.
	Pair     *int `json:"pair,omitempty"`
	Position int  `json:"position"`          // in its group's order
	Attempt  int  `json:"attempt,omitempty"` // 0, or more if an earlier attempt failed
	Probe    int  `json:"probe,omitempty"`   // probe of a search for a load line, from 1; 0: not part of one
	// Of the run after a search at the line found, from which the search takes nothing: the statistic of that line.
	Confirms string `json:"confirms,omitempty"`
	Pilot    bool   `json:"pilot,omitempty"` // only chose the times of the others: in no estimate
	// Of a pair that replaces a disturbed one: used only if those are left out.
	Extra bool `json:"extra,omitempty"`
	// Stacks are sampled (series Profile*), which costs time: in no estimate.
	Profiled bool `json:"profiled,omitempty"`
	// Share of a disk's safe rate that is offered to verify it: in no estimate.
	Capped float64 `json:"capped,omitempty"`
}

// ID returns the identity of the slot's trial, which is unique in any concatenation of files.
func (s Slot) ID() string {
	role := ""
	if s.Probe > 0 {
		role = fmt.Sprintf("-p%d", s.Probe)
	}
	if s.Capped > 0 {
		role = fmt.Sprintf("-s%.0f", 100*s.Capped)
	}
	if s.Profiled {
		role = "-f"
	}
	return fmt.Sprintf("%s-r%d-g%d-c%d%s-a%d", s.Plan, s.Replicate, s.Group, s.Cell, role, s.Attempt)
}

// Role is what a run is for.
type Role int

// The roles of runs.
const (
	RoleReplicate    Role = iota // gives its cell a value
	RoleProbe                    // one load of a search: all of its probes together give its cell one value
	RoleConfirmation             // the run after a search, at the line found
	RolePilot                    // only chose the times of the others, and had different ones
	RoleExtra                    // of a pair that was run because another was disturbed: used only if that is left out
	// Near a disk's safe rate on purpose, although its cell is at full load: above that rate it is meant to fail.
	RoleSafeRate
	RoleProfile // has samples of stacks, which cost time
)

// Role returns what the run is for.
func (s Slot) Role() Role {
	switch {
	case s.Profiled:
		return RoleProfile
	case s.Capped > 0:
		return RoleSafeRate
	case s.Pilot:
		return RolePilot
	case s.Extra:
		return RoleExtra
	case s.Confirms != "":
		return RoleConfirmation
	case s.Probe > 0:
		return RoleProbe
	}
	return RoleReplicate
}

// Counts reports whether a run is for its cell's estimate, and so for everything decided, drawn or exported about it.
// Whether it failed is a separate question: see Trial.Measures.
func (s Slot) Counts() bool { return s.Role() <= RoleConfirmation }
