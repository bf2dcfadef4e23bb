package topology

import (
	"cmp"
	"fmt"
	"io/fs"

	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/host/kernfmt"
)

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

// CountNodes counts nodes; a kernel without NUMA has one.
func CountNodes(nodes []int, err error) int {
	if err != nil {
		return 0
	}
	return cmp.Or(len(nodes), 1)
}
