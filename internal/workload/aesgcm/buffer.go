package aesgcm

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// buffers is one lane's memory. It is mapped, not taken from Go's heap: it
// starts on a page (and so on a cache line), its pages are placed by who
// touches them first, and the garbage collector does not count it.
type buffers struct {
	all, src, dst []byte
}

// newBuffers maps a source and a destination of these lengths in bytes and
// touches every page from the calling thread.
func newBuffers(src, dst int) (*buffers, error) {
	page := unix.Getpagesize()
	start := (src + page - 1) / page * page
	all, err := unix.Mmap(-1, 0, start+dst, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("map %d bytes of buffers: %w\nhint: use a smaller aes-gcm.size or fewer aes-gcm.cpus", start+dst, err)
	}
	clear(all)
	return &buffers{all, all[:src:src], all[start:]}, nil
}

func (b *buffers) free() error {
	if b.all == nil {
		return nil
	}
	err := unix.Munmap(b.all)
	b.all, b.src, b.dst = nil, nil, nil
	return err
}
