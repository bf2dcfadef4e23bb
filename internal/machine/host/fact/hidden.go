package fact

import (
	"fmt"
	"slices"

	"plimsoll/internal/record"
)

// hiddenTopology returns a sentence on the part of a virtual x86 machine's topology that cannot be
// believed, or "" if all of it can. Little can be known: a hypervisor shows anything it likes.
// Impossible pictures are named as such (each CPU a socket of its own, no last cache at all), and
// one thread a core only as not telling whether two CPUs share a core, because it is the truth if
// the host's SMT is off or CPUs are sold as cores. EC2 shows threads as they are, and Arm's servers
// have none.
func hiddenTopology(m record.Machine) string {
	c := m.CPU
	if !virtualX86(m) {
		return ""
	}
	switch {
	case c.Sockets == c.Threads:
		return fmt.Sprintf("the hypervisor shows each of the %d CPUs as a socket of its own, so their shared caches and "+
			"cores are unknown", c.Threads)
	case len(c.Caches) > 0 && !hasLevel(c.Caches, 3):
		return "the hypervisor shows no cache of level 3, so which CPUs share one is hidden"
	case HiddenThreads(m):
		return "the hypervisor shows one thread a core, which does not tell whether two CPUs share a core"
	}
	return ""
}

func virtualX86(m record.Machine) bool {
	return m.Virt != "" && m.Emulated == "" && m.CPU.X86() && m.CPU.Threads > 1 && m.CPU.Sockets > 0
}

// HiddenThreads reports whether two CPUs may be threads of one core though each is shown as a core.
func HiddenThreads(m record.Machine) bool {
	return virtualX86(m) && m.CPU.ThreadsPerCore == 1 &&
		(m.Cloud.Provider != record.CloudAWS || m.CPU.Sockets == m.CPU.Threads)
}

func hasLevel(caches []record.Cache, level int) bool {
	return slices.ContainsFunc(caches, func(c record.Cache) bool { return c.Level >= level })
}
