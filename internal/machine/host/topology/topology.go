// Package topology reads how the CPUs of a machine share cores, caches, sockets and memory, and keeps threads on some
// of them.
package topology

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/list"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/kernfmt"
	"plimsoll/internal/record"
)

// Layout counts the online processors.
type Layout struct {
	Threads, ThreadsPerCore int
	Cores                   [][]int // CPUs of each, in order of the first
	Sockets                 [][]int // likewise, in order of the sockets' ids
}

// Online lists the CPUs that are online, ascending.
func Online(root hostfs.Root) ([]int, error) {
	return hostfs.ReadParsed(root.SysPath("devices/system/cpu/online"), kernfmt.List)
}

// Read counts cores by their sets of sibling threads: core_id is only
// unique within a cluster or die on some machines.
func Read(root hostfs.Root) (Layout, error) {
	cpus, err := Online(root)
	if err != nil {
		return Layout{}, err
	}
	t := Layout{Threads: len(cpus)}
	cores := map[string]bool{}
	for _, cpu := range cpus {
		path := root.SysPath(fmt.Sprintf("devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu))
		core, err := hostfs.ReadText(path)
		if err != nil {
			return t, err
		}
		siblings, err := kernfmt.List([]byte(core))
		if err != nil {
			return t, fmt.Errorf("siblings of cpu%d: %w", cpu, err)
		}
		if !cores[core] {
			t.Cores = append(t.Cores, siblings)
		}
		cores[core] = true
		t.ThreadsPerCore = max(t.ThreadsPerCore, len(siblings))
	}
	t.Sockets, err = socketsOf(root, cpus)
	return t, err
}

// BySocket lists the online CPUs of each socket, ascending, in order of the
// sockets' ids. On an Arm machine whose firmware does not describe its sockets
// all CPUs are of one.
func BySocket(root hostfs.Root) ([][]int, error) {
	cpus, err := Online(root)
	if err != nil {
		return nil, fmt.Errorf("sockets: %w", err)
	}
	return socketsOf(root, cpus)
}

func socketsOf(root hostfs.Root, cpus []int) ([][]int, error) {
	of := map[int][]int{}
	for _, cpu := range cpus {
		socket, err := socketID(root, cpu)
		if err != nil {
			return nil, fmt.Errorf("socket of cpu%d: %w", cpu, err)
		}
		of[socket] = append(of[socket], cpu)
	}
	out := list.Map(slices.Sorted(maps.Keys(of)), func(socket int) []int { return of[socket] })
	return out, nil
}

// socketID returns the socket of a CPU, -1 if the kernel does not know it.
func socketID(root hostfs.Root, cpu int) (int, error) {
	text, err := hostfs.ReadText(root.SysPath(fmt.Sprintf("devices/system/cpu/cpu%d/topology/physical_package_id", cpu)))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(text)
}

// FormatLists writes the CPUs of each place as records hold them: "0-17,36-53".
func FormatLists(of [][]int) []string {
	return list.Map(of, record.FormatCPUList)
}

// MaxMHz returns the highest clock that the first CPU's governor may choose; virtual machines
// seldom show one.
func MaxMHz(root hostfs.Root) (float64, bool) {
	text, err := hostfs.ReadText(root.SysPath("devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"))
	if err != nil {
		return 0, false
	}
	khz, err := strconv.ParseUint(text, 10, 32)
	return float64(khz) / 1000, err == nil
}

// MemoryNodes lists the nodes that have memory; a kernel without NUMA has node 0.
func MemoryNodes(root hostfs.Root) ([]int, error) {
	nodes, err := hostfs.ReadParsed(root.SysPath("devices/system/node/has_memory"), kernfmt.List)
	if hostfs.NotHere(err) || err == nil && len(nodes) == 0 {
		return []int{0}, nil
	}
	return nodes, err
}

// CountSockets counts the sockets that these CPUs belong to.
func CountSockets(root hostfs.Root, cpus []int) (int, error) {
	sockets, err := socketsOf(root, cpus)
	return len(sockets), err
}

// OnlineNodes lists the online NUMA nodes; a kernel without NUMA has none.
func OnlineNodes(root hostfs.Root) ([]int, error) {
	nodes, err := hostfs.ReadParsed(root.SysPath("devices/system/node/online"), kernfmt.List)
	if hostfs.NotHere(err) {
		return nil, nil
	}
	if err == nil && len(nodes) == 0 {
		return nil, fmt.Errorf("no NUMA node is online: %w", fs.ErrInvalid)
	}
	return nodes, err
}

// NodeCPUs lists the CPUs of NUMA nodes; a node of memory alone has none.
func NodeCPUs(root hostfs.Root, nodes []int) ([][]int, error) {
	var out [][]int
	for _, node := range nodes {
		cpus, err := hostfs.ReadParsed(root.SysPath(fmt.Sprintf("devices/system/node/node%d/cpulist", node)), kernfmt.List)
		if err != nil {
			return nil, err
		}
		out = append(out, cpus)
	}
	return out, nil
}

// NodeOf returns the NUMA node of a CPU, if this machine has one that is known.
func NodeOf(root hostfs.Root, cpu int) (int, bool) {
	nodes, err := OnlineNodes(root)
	if err != nil {
		return 0, false
	}
	cpus, err := NodeCPUs(root, nodes)
	if err != nil {
		return 0, false
	}
	for i, of := range cpus {
		if slices.Contains(of, cpu) {
			return nodes[i], true
		}
	}
	return 0, false
}

// CountNodes counts nodes; a kernel without NUMA has one.
func CountNodes(nodes []int, err error) int {
	if err != nil {
		return 0
	}
	return cmp.Or(len(nodes), 1)
}

// BindMemory has the calling thread, and the processes that it starts from then on, take memory of one NUMA node alone.
// The caller has locked its goroutine to the thread. The returned function ends that.
func BindMemory(node int) (free func() error, err error) {
	var nodes unix.CPUSet
	nodes.Set(node)
	if err := unix.SetMemPolicy(unix.MPOL_BIND, &nodes); err != nil {
		return nil, fmt.Errorf("take memory of NUMA node %d alone: %w", node, err)
	}
	return func() error {
		if err := unix.SetMemPolicy(unix.MPOL_DEFAULT, nil); err != nil {
			return fmt.Errorf("take memory of any NUMA node again: %w", err)
		}
		return nil
	}, nil
}
