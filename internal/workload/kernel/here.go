package kernel

import (
	"fmt"

	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/topology"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// LanesHere returns the number of lanes of a trial: one for each assigned CPU, or as many as requested.
func LanesHere(env workload.Env, p workload.Params) (int, error) {
	if len(env.CPUs) > 0 {
		return len(env.CPUs), nil
	}
	cpus, err := topology.Allowed()
	if err != nil {
		return 0, err
	}
	return Lanes(p, record.Machine{CPU: record.CPU{Allowed: cpus}}), nil
}

// cachesHere returns the caches that lanes on these CPUs can use; nil if this machine does not expose them, which
// its fingerprint reports.
func cachesHere(cpus []int) []record.Cache {
	caches, err := topology.Caches(hostfs.System())
	if err != nil {
		return nil
	}
	sockets, err1 := topology.BySocket(hostfs.System())
	used, err2 := topology.CountSockets(hostfs.System(), cpus)
	if err1 != nil || err2 != nil || used == 0 {
		return caches
	}
	return onSockets(caches, used, len(sockets))
}

// onSockets scales the caches of all sockets to those used.
func onSockets(caches []record.Cache, used, all int) []record.Cache {
	var out []record.Cache
	for _, c := range caches {
		c.Instances = (c.Instances*used + all - 1) / max(1, all)
		out = append(out, c)
	}
	return out
}

// checkSockets returns an error if sockets=one and the lanes' CPUs belong to several sockets. Choosing CPUs is not a
// workload's task.
func checkSockets(name string, cpus []int, p workload.Params) error {
	if p.Text(record.ParamSockets) != record.SocketsOne {
		return nil
	}
	n, err := topology.CountSockets(hostfs.System(), cpus)
	if err != nil {
		return fmt.Errorf("%s: sockets=one: %w", name, err)
	}
	if n > 1 {
		return fmt.Errorf("%s: sockets=one, but CPUs %s belong to %d sockets\nhint: run plimsoll under taskset -c "+
			"with the CPUs of one socket, or use fewer %s.cpus",
			name, record.FormatCPUList(cpus), n, name)
	}
	return nil
}
