package ring

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// The numbers and layouts below are those of include/uapi/linux/io_uring.h.

const (
	opFsync      = 3
	opReadFixed  = 4
	opWriteFixed = 5
	opRead       = 22
	opWrite      = 23

	sqeFixedFile = 1 << 0 // IOSQE_FIXED_FILE
	fsyncData    = 1 << 0 // IORING_FSYNC_DATASYNC

	setupSubmitAll    = 1 << 7  // IORING_SETUP_SUBMIT_ALL, Linux 5.18
	setupCoopTask     = 1 << 8  // IORING_SETUP_COOP_TASKRUN, 5.19
	setupSingleIssuer = 1 << 12 // IORING_SETUP_SINGLE_ISSUER, 6.0
	setupDeferTask    = 1 << 13 // IORING_SETUP_DEFER_TASKRUN, 6.1

	featSingleMmap = 1 << 0
	featNoDrop     = 1 << 1
	featExtArg     = 1 << 8

	enterGetEvents      = 1 << 0
	enterExtArg         = 1 << 3
	enterRegisteredRing = 1 << 4

	registerBuffers   = 0
	registerFiles     = 2
	unregisterFiles   = 3
	registerProbe     = 8
	registerRingFDs   = 20
	unregisterRingFDs = 21

	offSQ   = 0
	offCQ   = 0x8000000
	offSQEs = 0x10000000

	probeSupported = 1 << 0 // IO_URING_OP_SUPPORTED
)

// params is struct io_uring_params.
type params struct {
	sqEntries, cqEntries, flags, threadCPU, threadIdle, features, wqFD uint32
	_                                                                  [3]uint32
	sq                                                                 sqOffsets
	cq                                                                 cqOffsets
}

// sqOffsets is struct io_sqring_offsets.
type sqOffsets struct {
	head, tail, ringMask, ringEntries, flags, dropped, array, _ uint32
	_                                                           uint64
}

// cqOffsets is struct io_cqring_offsets.
type cqOffsets struct {
	head, tail, ringMask, ringEntries, overflow, cqes, flags, _ uint32
	_                                                           uint64
}

// sqe is struct io_uring_sqe.
type sqe struct {
	opcode, flags uint8
	ioprio        uint16
	fd            int32
	off, addr     uint64
	len, opFlags  uint32
	userData      uint64
	bufIndex      uint16
	personality   uint16
	_             uint32
	_             [2]uint64
}

// cqe is struct io_uring_cqe.
type cqe struct {
	userData uint64
	res      int32
	flags    uint32
}

// enterArg is struct io_uring_getevents_arg.
type enterArg struct {
	sigmask     uint64
	sigmaskSize uint32
	minWaitUsec uint32
	ts          uint64
}

// kernelTime is struct __kernel_timespec, with 64-bit fields on every machine.
type kernelTime struct{ sec, nsec int64 }

// fdUpdate is struct io_uring_rsrc_update.
type fdUpdate struct {
	offset, _ uint32
	data      uint64
}

// probe is struct io_uring_probe with room for 64 operations.
type probe struct {
	last, count uint8
	_           uint16
	_           [3]uint32
	ops         [64]struct {
		op, _ uint8
		flags uint16
		_     uint32
	}
}

// anyRing asks IORING_REGISTER_RING_FDS for any free slot.
const anyRing = 1<<32 - 1

// signalSetBytes is the size of the kernel's signal set on amd64 and arm64.
const signalSetBytes = 8

const protection = unix.PROT_READ | unix.PROT_WRITE

// hugePage is the minimum size for huge pages: fewer pages are faster to hand to a device.
const hugePage = 2 << 20

// Map returns n buffers of size bytes each, mapped outside Go's heap: they never move, and begin on a page if size
// is a multiple of the page size, else at a multiple of size. They are written once, so that the pages are present.
// Unmap frees all of them.
//
// A mapping that may have huge pages is as long as whole ones, as Linux aligns no other to them. Else some buffers have
// small pages and others do not, and what the kernel does with an operation depends on how many there are: it splits
// 1 MiB of small pages for a device that takes 128 segments, and a blkio quota counts that twice.
func Map(n, size int) (buffers [][]byte, all []byte, err error) {
	if n < 1 || size < 1 || n > 1<<40/size {
		return nil, nil, fmt.Errorf("%d buffers of %d bytes", n, size)
	}
	length := n * size
	if length >= hugePage {
		length = (length + hugePage - 1) / hugePage * hugePage
	}
	all, err = unix.Mmap(-1, 0, length, protection, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
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
