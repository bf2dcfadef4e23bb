package execload

import (
	"github.com/prometheus/procfs"

	"plimsoll/internal/record"
)

// values are what was measured of a run itself, in the order of metrics().
func (o outcome) values() []record.Value {
	measured := []float64{o.wall.Seconds(), o.user.Seconds(), o.system.Seconds()}
	if b, ok := o.seenMemory(); ok {
		measured = append(measured, b)
	}
	var vs []record.Value
	for i, m := range metrics()[:len(measured)] {
		m.Doc = ""
		vs = append(vs, record.Value{Metric: m, Value: measured[i]})
	}
	return vs
}

// seenMemory is the peak of resident memory in bytes, where it is the
// command's. On exec Linux charges a program with the peak of the memory that
// the fork shared (exec_mmap in fs/exec.c), which is this process's: what is not
// clearly more than that says nothing of the command.
func (o outcome) seenMemory() (float64, bool) {
	self, err := procfs.Self()
	if err != nil {
		return 0, false
	}
	st, err := self.NewStatus()
	if err != nil {
		return 0, false
	}
	own := float64(st.VmHWM)
	return float64(o.maxRSS), own > 0 && float64(o.maxRSS) > own*9/8
}
