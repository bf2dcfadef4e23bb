package ring

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// hugePage is the minimum size for huge pages: fewer pages are faster to hand to a device.
const hugePage = 2 << 20

// Map returns n buffers of size bytes each, mapped outside Go's heap: they never move, and begin on a page if size
// is a multiple of the page size, else at a multiple of size. They are written once, so that the pages are present.
// Unmap frees all of them.
func Map(n, size int) (buffers [][]byte, all []byte, err error) {
	if n < 1 || size < 1 || n > 1<<40/size {
		return nil, nil, fmt.Errorf("%d buffers of %d bytes", n, size)
	}
	all, err = unix.Mmap(-1, 0, n*size, protection, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return nil, nil, fmt.Errorf("map %d buffers of %d bytes: %w", n, size, err)
	}
	if len(all) >= hugePage {
		_ = unix.Madvise(all, unix.MADV_HUGEPAGE) // if refused, pages are small
	}
	for i := 0; i < len(all); i += 4096 {
		all[i] = 1
	}
	for i := range n {
		buffers = append(buffers, all[i*size:(i+1)*size:(i+1)*size])
	}
	return buffers, all, nil
}

// Unmap unmaps the memory of Map.
func Unmap(all []byte) error { return unix.Munmap(all) }
