package topology

import (
	"fmt"

	"golang.org/x/sys/unix"
)

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
