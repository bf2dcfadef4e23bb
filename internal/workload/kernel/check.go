package kernel

import (
	"fmt"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Lanes is how many lanes the parameter cpus asks for on that machine.
func Lanes(p workload.Params, m record.Machine) int {
	if p.Text(record.ParamCPUs) == record.AllCPUs {
		return max(1, len(m.CPU.Allowed))
	}
	return p.Int(record.ParamCPUs)
}

// CheckMemory says why buffers of perLane bytes in every lane do not fit into
// that machine's memory. Its hint is to make the named parameter smaller.
func CheckMemory(name, param string, perLane int64, p workload.Params, m record.Machine) error {
	lanes := Lanes(p, m)
	need := int64(lanes) * perLane
	if have := memory(m); have > 0 && need > have {
		return fmt.Errorf("%s: buffers on %d CPUs need %d bytes of memory, this machine has %d\nhint: use a smaller %s.%s or fewer %s.cpus",
			name, lanes, need, have, name, param, name)
	}
	return nil
}

// memory is what a process may use in bytes, 0 where unknown.
func memory(m record.Machine) int64 {
	if limit := m.Cgroup.MemoryLimit; limit > 0 && (m.Memory == 0 || limit < m.Memory) {
		return limit
	}
	return m.Memory
}
