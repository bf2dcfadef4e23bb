package host

import (
	"fmt"
	"path/filepath"

	"plimsoll/internal/record"
)

// Caches lists the caches of the online CPUs, smallest level first.
func Caches(root Root) ([]record.Cache, error) { return readCaches(root) }

// NUMANodes lists the nodes that have memory; a kernel without NUMA has node 0.
func NUMANodes(root Root) ([]int, error) {
	nodes, err := readParsed(root.sys("devices/system/node/has_memory"), parseList)
	if NotHere(err) || err == nil && len(nodes) == 0 {
		return []int{0}, nil
	}
	return nodes, err
}

// Sockets counts the sockets that these CPUs belong to.
func Sockets(root Root, cpus []int) (int, error) {
	seen := map[string]bool{}
	for _, cpu := range cpus {
		socket, err := readText(filepath.Join(root.sys(fmt.Sprintf("devices/system/cpu/cpu%d", cpu)), "topology/physical_package_id"))
		if err != nil {
			return 0, fmt.Errorf("socket of cpu%d: %w", cpu, err)
		}
		seen[socket] = true
	}
	return len(seen), nil
}
