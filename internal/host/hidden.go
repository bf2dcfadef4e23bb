package host

import (
	"fmt"

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
	if m.Virt == "" || m.Emulated != "" || !x86Vendor(c.Vendor) || c.Threads < 2 || c.Sockets == 0 {
		return ""
	}
	switch {
	case c.Sockets == c.Threads:
		return fmt.Sprintf("the hypervisor shows each of the %d CPUs as a socket of its own, so what they share is hidden", c.Threads)
	case len(c.Caches) > 0 && !hasLevel(c.Caches, 3):
		return "the hypervisor shows no cache of level 3, so which CPUs share one is hidden"
	case c.ThreadsPerCore == 1 && m.Cloud.Provider != cloudAWS:
		return "the hypervisor shows one thread a core, which does not tell whether two CPUs share a core"
	}
	return ""
}

func hasLevel(caches []record.Cache, level int) bool {
	for _, c := range caches {
		if c.Level >= level {
			return true
		}
	}
	return false
}
