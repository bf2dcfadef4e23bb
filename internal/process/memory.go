package process

import "github.com/prometheus/procfs"

// SeenMemory returns the peak resident memory in bytes, if it is the command's. On exec Linux charges a program with
// the peak of the memory that the fork shared (exec_mmap in fs/exec.c), which is this process's: a value not clearly
// above that says nothing about the command.
func (o Outcome) SeenMemory() (float64, bool) {
	self, err := procfs.Self()
	if err != nil {
		return 0, false
	}
	st, err := self.NewStatus()
	if err != nil {
		return 0, false
	}
	own := float64(st.VmHWM)
	return float64(o.MaxRSS), own > 0 && float64(o.MaxRSS) > own*9/8
}
