package fact

// All lists the facts, in the order in which they are read and, within a group, listed.
func All() []Fact {
	return []Fact{
		id(), hostName(), cpu(), shape(), sockets(), nodes(), caches(), usable(), features(),
		memory(), system(), cloud(), hypervisor(), emulated(), cgroup(), disks(), nics(), power(),
		governor(), smt(), hugePages(), swap(), clockSource(), mitigations(),
		irqAffinity(), diskMerges(), swappiness(), aioLimit(),
		state(), cpuClock(), software(),
	}
}
