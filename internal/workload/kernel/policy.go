package kernel

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Policy places pages on NUMA nodes. The zero policy is the kernel's own: the node of the thread that touches a page
// first.
type Policy struct {
	nodes      []int
	interleave bool
}

// OnNode returns a policy that places all pages on one node.
func OnNode(node int) Policy { return Policy{nodes: []int{node}} }

// Interleaved returns a policy that places pages on these nodes in turn.
func Interleaved(nodes []int) Policy { return Policy{nodes: nodes, interleave: true} }

const wordBits = 64

// bind applies the policy to an untouched mapping.
func (p Policy) bind(all []byte) error {
	if len(p.nodes) == 0 || len(all) == 0 {
		return nil
	}
	mode := uintptr(unix.MPOL_BIND)
	if p.interleave {
		mode = unix.MPOL_INTERLEAVE
	}
	var mask [16]uint64 // 1024 nodes, the kernel's limit
	for _, node := range p.nodes {
		if node < 0 || node >= len(mask)*wordBits {
			return fmt.Errorf("place memory: no NUMA node %d", node)
		}
		mask[node/wordBits] |= 1 << (node % wordBits)
	}
	// The kernel reads one bit fewer than maxnode.
	_, _, errno := unix.Syscall6(unix.SYS_MBIND, uintptr(unsafe.Pointer(&all[0])), uintptr(len(all)), mode,
		uintptr(unsafe.Pointer(&mask[0])), uintptr(len(mask)*wordBits+1), 0)
	if errno != 0 {
		return fmt.Errorf("place memory on NUMA nodes %v: %w\nhint: use placement=local", p.nodes, errno)
	}
	return nil
}
