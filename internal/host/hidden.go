package host

import (
	"fmt"

	"plimsoll/internal/host/cloud"
	"plimsoll/internal/host/cpuinfo"
	"plimsoll/internal/record"
)

// hiddenTopology says what of a virtual x86 machine's topology cannot be
// believed, "" for nothing. What it can know is little: a hypervisor shows what
// it likes. Impossible pictures are named as such (each CPU a socket of its own,
// no last cache at all), and one thread a core only as not telling whether two
// CPUs share a core, because it is the truth where the host's SMT is off or CPUs
// are sold as cores. EC2 shows threads as they are, and Arm's servers have none.
func hiddenTopology(m record.Machine) string {
	c := m.CPU
	if !virtualX86(m) {
		return ""
	}
	switch {
	case c.Sockets == c.Threads:
		return fmt.Sprintf("the hypervisor shows each of the %d CPUs as a socket of its own, so what they share is hidden", c.Threads)
	case len(c.Caches) > 0 && !hasLevel(c.Caches, 3):
		return "the hypervisor shows no cache of level 3, so which CPUs share one is hidden"
	case hiddenThreads(m):
		return "the hypervisor shows one thread a core, which does not tell whether two CPUs share a core"
	}
	return ""
}

func virtualX86(m record.Machine) bool {
	return m.Virt != "" && m.Emulated == "" && cpuinfo.X86Vendor(m.CPU.Vendor) && m.CPU.Threads > 1 && m.CPU.Sockets > 0
}

// hiddenThreads says that two CPUs may be threads of one core though each is shown as a core.
func hiddenThreads(m record.Machine) bool {
	return virtualX86(m) && m.CPU.ThreadsPerCore == 1 && (m.Cloud.Provider != cloud.AWS || m.CPU.Sockets == m.CPU.Threads)
}

func hasLevel(caches []record.Cache, level int) bool {
	for _, c := range caches {
		if c.Level >= level {
			return true
		}
	}
	return false
}
