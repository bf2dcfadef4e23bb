package loadline

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/base/list"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// DefaultHeadroom is the fraction of a load line up to which a machine may be loaded
// (docs/method.md#headroom-and-fleets).
const DefaultHeadroom = .85

// Alarm is the highest load per machine of a fleet at which, after one machine has failed, the others still carry the
// total with at most the headroom's fraction of their load line.
type Alarm struct {
	Machines int      `json:"machines"` // of the fleet, including the one that may fail
	Share    float64  `json:"share"`    // of the line: headroom · (machines − 1) / machines
	Value    float64  `json:"value"`    // in the line's unit, of Line
	Line     float64  `json:"line"`     // the lower end of the load line's interval, or its value if it has none
	CPU      *float64 `json:"cpu"`      // % at that load, interpolated between probes; nil if they do not cover it
}

// alarmFleets returns the fleet sizes for which alarms are stated.
func alarmFleets() []int { return []int{2, 4, 10} }

// SetAlarms sets the line's alarms for a headroom.
func (l *Line) SetAlarms(headroom float64) {
	l.Headroom, l.Alarms = headroom, nil
	l.Doubts = slices.DeleteFunc(l.Doubts, func(n note.Note) bool { return n.Code == alarmsFall })
	for _, n := range alarmFleets() {
		a := Alarm{Machines: n, Share: stat.AlarmShare(n, 1, headroom), Line: l.safe()}
		a.Value = a.Share * a.Line
		a.CPU = l.CPUAt(a.Value)
		l.Alarms = append(l.Alarms, a)
	}
	l.withoutFalling()
}

// alarmsFall is the note of alarms whose CPU use falls as their load rises.
const alarmsFall note.Code = "alarms-fall"

// muchCPU is the fall in CPU use, in points, between alarms that more load cannot explain.
const muchCPU = 2.

// withoutFalling takes the CPU use from alarms if it falls from one to a higher one: more load takes more CPU, so that
// the probes between which they lie scatter by more than the alarms differ.
func (l *Line) withoutFalling() {
	var cpu []float64
	for _, a := range l.Alarms {
		if a.CPU != nil {
			cpu = append(cpu, *a.CPU)
		}
	}
	most, falls := 0.0, false
	for _, v := range cpu {
		falls, most = falls || v < most-muchCPU, max(most, v)
	}
	if !falls {
		return
	}
	l.doubt(alarmsFall, strings.Join(list.Map(cpu, func(v float64) string { return fmt.Sprintf("%.1f", v) }), ", "))
	for i := range l.Alarms {
		l.Alarms[i].CPU = nil
	}
}

// safe returns the lower bound of the line, or its value if it has no interval.
func (l *Line) safe() float64 {
	if l.Bounded() {
		return *l.Lo
	}
	return l.MaxSustained
}

// CPUAt returns the CPU use in % at which the value is carried, or nil if no two probes enclose it.
func (l *Line) CPUAt(value float64) *float64 {
	_, cpu, values := withCPU(l.Probes)
	if at, ok := stat.Between(values, cpu, value); ok {
		return &at
	}
	return nil
}
