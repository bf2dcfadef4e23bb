package host

import "plimsoll/internal/record"

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
	sockets, err := socketsOf(root, cpus)
	return len(sockets), err
}
