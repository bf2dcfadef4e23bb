package kernel

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Memory is one lane's buffers. It is mapped, not taken from Go's heap: it
// starts on a page (and so on a cache line), its pages are placed by who
// touches them first, and the garbage collector does not count it.
type Memory struct {
	all   []byte
	Parts [][]byte // each starts on a page and has no more capacity than length
}

// Map maps parts of these lengths in bytes and touches every page from the
// calling thread, so that they lie on its NUMA node.
func Map(sizes ...int) (*Memory, error) { return MapOn(Policy{}, sizes...) }

// MapOn is Map with the pages where the policy says.
func MapOn(policy Policy, sizes ...int) (*Memory, error) {
	page, total := unix.Getpagesize(), 0
	for _, size := range sizes {
		total += (size + page - 1) / page * page
	}
	all, err := unix.Mmap(-1, 0, total, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("map %d bytes of buffers: %w\nhint: use smaller buffers or fewer cpus", total, err)
	}
	if err := policy.bind(all); err != nil {
		_ = unix.Munmap(all)
		return nil, err
	}
	clear(all)
	m := &Memory{all: all}
	for _, size := range sizes {
		m.Parts = append(m.Parts, all[:size:size])
		all = all[(size+page-1)/page*page:]
	}
	return m, nil
}

// Free gives the memory back. It may be called twice.
func (m *Memory) Free() error {
	if m.all == nil {
		return nil
	}
	err := unix.Munmap(m.all)
	m.all, m.Parts = nil, nil
	return err
}
