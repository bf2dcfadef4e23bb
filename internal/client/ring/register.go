package ring

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// register registers files, buffers and the ring itself with the kernel, so that operations need no look-up.
func (r *Ring) register(c Config) error {
	if len(c.Files) > 0 {
		fds := make([]int32, len(c.Files))
		for i, fd := range c.Files {
			fds[i] = int32(fd)
		}
		if err := r.tell(registerFiles, unsafe.Pointer(&fds[0]), len(fds)); err != nil {
			return fmt.Errorf("register %d files with an io_uring: %w", len(fds), err)
		}
		r.files = true
	}
	if c.Register && len(c.Buffers) > 0 {
		if err := r.registerBuffers(c.Buffers); err != nil {
			return err
		}
	}
	r.registerRing()
	return nil
}

// maxVector is the kernel's limit on a registered piece of memory.
const maxVector = 1 << 30

// registerBuffers registers adjacent buffers as one, since the kernel accepts few (1024 before Linux 5.13, then
// 16384), and records the piece of each.
func (r *Ring) registerBuffers(buffers [][]byte) error {
	var vectors []unix.Iovec
	r.pieces = make([]uint16, len(buffers))
	total, length, end := uint64(0), 0, uintptr(0)
	for i, b := range buffers {
		at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
		if len(vectors) == 0 || at != end || length+len(b) > maxVector {
			vectors = append(vectors, unix.Iovec{Base: unsafe.SliceData(b)})
			length = 0
		}
		length += len(b)
		end = at + uintptr(len(b))
		vectors[len(vectors)-1].SetLen(length)
		r.pieces[i] = uint16(len(vectors) - 1)
	}
	for _, v := range vectors {
		total += pages(int(v.Len))
	}
	if err := r.tell(registerBuffers, unsafe.Pointer(&vectors[0]), len(vectors)); err != nil {
		return fmt.Errorf("register %d buffers with an io_uring: %w", len(buffers), shortOfMemory(err, total))
	}
	r.fixed = true
	return nil
}

// pages rounds up to whole pages, which is the amount locked.
func pages(n int) uint64 {
	size := os.Getpagesize()
	return uint64((n + size - 1) / size * size)
}

// registerRing saves the look-up of the descriptor in each call (Linux 5.18); without it everything still works.
func (r *Ring) registerRing() {
	u := fdUpdate{offset: anyRing, data: uint64(r.fd)}
	if r.tell(registerRingFDs, unsafe.Pointer(&u), 1) == nil {
		r.enterFD, r.always = uintptr(u.offset), r.always|enterRegisteredRing
	}
}

// forgetFiles releases the files at once: a ring itself is torn down some time after it was closed.
func (r *Ring) forgetFiles() {
	if r.files {
		_ = r.tell(unregisterFiles, nil, 0) // the ring's end does it too
	}
	r.files = false
}

// forgetRing releases the thread's own reference to the ring, which would outlive the descriptor.
func (r *Ring) forgetRing() {
	if r.always&enterRegisteredRing == 0 || unix.Gettid() != r.thread {
		return
	}
	u := fdUpdate{offset: uint32(r.enterFD)}
	_ = r.tell(unregisterRingFDs, unsafe.Pointer(&u), 1) // the thread's end does it too
	r.always &^= enterRegisteredRing
}

// checkOps checks that the kernel supports the operations used here: a filter or an old kernel may lack some.
func (r *Ring) checkOps() error {
	var p probe
	if err := r.tell(registerProbe, unsafe.Pointer(&p), len(p.ops)); err != nil {
		return &RefusedError{"the kernel does not report its io_uring operations", err}
	}
	for _, op := range []int{opFsync, opReadFixed, opWriteFixed, opRead, opWrite} {
		if p.ops[op].flags&probeSupported == 0 {
			return &RefusedError{Why: fmt.Sprintf("the kernel's io_uring lacks operation %d", op)}
		}
	}
	return nil
}

func (r *Ring) tell(what uintptr, data unsafe.Pointer, n int) error {
	_, _, errno := unix.Syscall6(unix.SYS_IO_URING_REGISTER, uintptr(r.fd), what, uintptr(data), uintptr(n), 0, 0)
	if errno != 0 {
		return errno
	}
	return nil
}
