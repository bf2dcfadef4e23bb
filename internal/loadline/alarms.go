package loadline

import (
	"plimsoll/internal/stat"
)

// DefaultHeadroom is the fraction of a load line that a machine may carry (METHOD section 5).
const DefaultHeadroom = .85

// Alarm is how far each machine of a fleet may be loaded so that, after one has failed, the others
// still carry all of it with at most the headroom's fraction of their load line.
type Alarm struct {
	Machines int      `json:"machines"` // of the fleet, the one that may fail among them
	Share    float64  `json:"share"`    // of the line: headroom · (machines − 1) / machines
	Value    float64  `json:"value"`    // in the line's unit, of Line
	Line     float64  `json:"line"`     // the lower end of the load line's interval, else what it states
	CPU      *float64 `json:"cpu"`      // % at that load, interpolated between probes; nil where they do not say
}

// alarmFleets are the sizes of fleets for which alarms are stated.
func alarmFleets() []int { return []int{2, 4, 10} }

// SetAlarms states the line's alarms for a headroom.
func (l *Line) SetAlarms(headroom float64) {
	l.Headroom, l.Alarms = headroom, nil
	for _, n := range alarmFleets() {
		a := Alarm{Machines: n, Share: stat.AlarmShare(n, 1, headroom), Line: l.safe()}
		a.Value = a.Share * a.Line
		a.CPU = l.CpuAt(a.Value)
		l.Alarms = append(l.Alarms, a)
	}
}

// safe is what the line is known to be at least, as far as its interval says.
func (l *Line) safe() float64 {
	if l.Lo != nil {
		return *l.Lo
	}
	return l.MaxSustained
}

// CpuAt is the CPU use, %, at which so much is carried; nil where no two probes have it between them.
func (l *Line) CpuAt(value float64) *float64 {
	_, cpu, values := withCPU(l.Probes)
	if at, ok := stat.Between(values, cpu, value); ok {
		return &at
	}
	return nil
}
