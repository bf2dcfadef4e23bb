package kernel

import (
	"fmt"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Lanes returns the number of lanes that the parameter cpus requests on that machine.
func Lanes(p workload.Params, m record.Machine) int {
	if p.Text(record.ParamCPUs) == record.AllCPUs {
		return max(1, len(usable(p, m)))
	}
	return p.Int(record.ParamCPUs)
}

// usable returns the CPUs for lanes; empty if unknown.
func usable(p workload.Params, m record.Machine) []int {
	if p.Text(record.ParamSockets) == record.SocketsOne {
		return m.CPU.OneSocket()
	}
	return m.CPU.Allowed
}

// checkCPUs returns an error if the machine lacks the requested CPUs.
func checkCPUs(name string, p workload.Params, m record.Machine) error {
	if p.Text(record.ParamSockets) == record.SocketsOne && m.CPU.Sockets == 1 {
		return fmt.Errorf("%s: sockets=one cannot be tested here: this machine has one socket\nhint: leave out "+
			"%s.sockets", name, name)
	}
	cpus := usable(p, m)
	if asked := Lanes(p, m); len(cpus) > 0 && asked > len(cpus) {
		return fmt.Errorf("%s: %d CPUs requested, %d available (%s)\nhint: set %s.cpus=all, or to %d at most",
			name, asked, len(cpus), record.FormatCPUList(cpus), name, len(cpus))
	}
	// One CPU under a smaller quota is the minimum: the ledger records how much it was throttled.
	if quota := m.Cgroup.CPUQuota; quota > 0 && p.Text(record.ParamCPUs) != record.AllCPUs &&
		float64(p.Int(record.ParamCPUs)) > max(quota, 1) {
		return fmt.Errorf("%s: %d CPUs requested, the cgroup's quota is %.3g\nhint: set %s.cpus to that at most, "+
			"or to all, which records how much was throttled",
			name, p.Int(record.ParamCPUs), quota, name)
	}
	return nil
}

// checkMemory returns an error if buffers of perLane bytes in every lane exceed the memory that a process may use on
// that machine.
func checkMemory(d Declaration, perLane int64, p workload.Params, m record.Machine) error {
	lanes := Lanes(p, m)
	have, limit := memory(m)
	if have == 0 || perLane <= have/int64(lanes) {
		return nil
	}
	return fmt.Errorf("%s: buffers of %d bytes on each of %d CPUs exceed the %d bytes of memory %s\nhint: use a "+
		"smaller %s.%s or fewer %s.cpus",
		d.Name, perLane, lanes, have, limit, d.Name, d.Grows, d.Name)
}

// memory returns the bytes that a process may use, 0 if unknown, and what limits them, in words.
func memory(m record.Machine) (bytes int64, limit string) {
	bytes, limit = m.Memory, "that this machine has"
	if now := m.State.Available; now > 0 && (bytes == 0 || now < bytes) {
		bytes, limit = now, "that this machine has free now"
	}
	if most := m.Cgroup.MemoryLimit; most > 0 && (bytes == 0 || most < bytes) {
		bytes, limit = most, "that its cgroup allows"
	}
	return bytes, limit
}
