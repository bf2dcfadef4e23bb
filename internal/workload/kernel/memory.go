package kernel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Memory is one lane's buffers. It is mapped, not taken from Go's heap: it starts on a page (and so on a cache
// line), the first thread to touch its pages places them, and the garbage collector does not count it.
// Large buffers begin on a huge page, and the kernel is asked for huge pages. With pages of 4 KiB it is luck which
// frames share sets of the caches and banks of DRAM: of two copies of 128 MiB in one process one was up to a third
// slower as long as it lived, while with huge pages they were equal within 1% and at least as fast as the faster
// one. If the machine's settings forbid huge pages, its fingerprint reports it.
type Memory struct {
	mapped []byte
	Parts  [][]byte // each starts on a page and has no more capacity than length
}

// lookEvery is after how many bytes a lane that touches its memory looks at its context: some 0.1 ms.
const lookEvery = 1 << 20

// hugePage is the smallest huge page of amd64, and of arm64 with pages of 4 KiB.
const hugePage = 2 << 20

// Map maps parts of these lengths in bytes and touches every page from the
// calling thread, so that they lie on its NUMA node.
func Map(sizes ...int) (*Memory, error) {
	return MapOn(context.Background(), Policy{}, sizes...)
}

// MapOn is like Map with pages placed by the policy. It fails once ctx has ended: the pages of a large machine take
// minutes.
func MapOn(ctx context.Context, policy Policy, sizes ...int) (*Memory, error) {
	total := 0
	for _, size := range sizes {
		total += wholePages(size)
	}
	mapped, all, err := mapAligned(total)
	if err != nil {
		return nil, fmt.Errorf("map %d bytes of buffers: %w\nhint: use smaller buffers or fewer CPUs", total, err)
	}
	if err := policy.bind(all); err != nil {
		_ = unix.Munmap(mapped)
		return nil, err
	}
	m := &Memory{mapped: mapped}
	for part := range slices.Chunk(all, lookEvery) {
		if err := ctx.Err(); err != nil {
			return nil, errors.Join(err, m.Free())
		}
		clear(part)
	}
	for _, size := range sizes {
		m.Parts = append(m.Parts, all[:size:size])
		all = all[wholePages(size):]
	}
	return m, nil
}

func wholePages(size int) int {
	page := unix.Getpagesize()
	return (size + page - 1) / page * page
}

// mapAligned returns a mapping and its usable part, aligned to a huge page if large enough.
func mapAligned(size int) (mapped, used []byte, err error) {
	slack := 0
	if size >= hugePage {
		slack = hugePage // never touched
	}
	mapped, err = unix.Mmap(-1, 0, size+slack, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil || slack == 0 {
		return mapped, mapped, err
	}
	from := -int(uintptr(unsafe.Pointer(&mapped[0]))) & (hugePage - 1)
	used = mapped[from:][:size]
	_ = unix.Madvise(used, unix.MADV_HUGEPAGE) // only advice: a kernel without huge pages refuses it
	return mapped, used, nil
}

// Free unmaps the memory. It may be called twice.
func (m *Memory) Free() error {
	if m.mapped == nil {
		return nil
	}
	err := unix.Munmap(m.mapped)
	m.mapped, m.Parts = nil, nil
	return err
}

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
