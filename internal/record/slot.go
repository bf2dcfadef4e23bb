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

// Counts reports whether a trial contributes to its cell's estimate, and so to everything decided, drawn or exported
// about it. Pilots do not: they only chose the times of the others, and had different ones. Nor do trials of an extra
// pair: they were run because another was disturbed, and are used only if those are left out. Nor capped ones: they
// were held near a disk's safe rate on purpose, although their cell is at full load, and above that rate they are meant
// to fail. Nor profiled ones: their samples cost time.
//
// Whether a trial is void is a separate question, and so is whether it is a probe: those of a search count, all of them
// together as one.
func (s Slot) Counts() bool {
	return !s.Pilot && !s.Extra && s.Capped == 0 && !s.Profiled
}
