package ring

import (
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Config describes a ring.
type Config struct {
	Depth   int      // operations that can be in flight
	Files   []int    // descriptors; operations use their indexes
	Buffers [][]byte // from Map; operations use their indexes

	// Register locks the buffers in memory once, instead of in each operation. It counts against RLIMIT_MEMLOCK,
	// except for root.
	Register bool
}

// Ring is one io_uring, for a single thread.
type Ring struct {
	fd      int
	thread  int     // owner
	enterFD uintptr // fd, or its index among the thread's registered ones
	setup   uint32
	always  uint32 // flags of each call
	files   bool   // registered
	fixed   bool   // buffers are registered
	buffers [][]byte
	pieces  []uint16 // registered piece of each buffer

	queue, answers, entries []byte // as mapped

	sqes         []sqe
	sqHead       *uint32
	sqTail       *uint32
	tail         uint32 // ours; the kernel sees it at the next Enter
	cqes         []cqe
	cqHead       *uint32
	cqTail       *uint32
	head         uint32
	depth        int
	flying       int // queued and not yet returned by Next
	calls        int64
	arg          enterArg
	patience     kernelTime
	mask, cqMask uint32
}

// New makes a ring. The error is a *RefusedError if io_uring is unavailable here, or a *DepthError or a
// *MemlockError if this configuration is impossible.
func New(c Config) (*Ring, error) {
	if c.Depth < 1 || c.Depth > MaxEntries {
		return nil, &DepthError{c.Depth, MaxEntries}
	}
	r := &Ring{fd: -1, thread: unix.Gettid(), depth: c.Depth, buffers: c.Buffers}
	p, err := r.open(uint32(c.Depth))
	if err == nil {
		err = r.share(p)
	}
	if err == nil {
		err = r.checkOps()
	}
	if err == nil {
		err = r.register(c)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// Available returns nil if New can make a ring here, else a *RefusedError.
func Available() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	r, err := New(Config{Depth: 1})
	if err == nil {
		return r.Close()
	}
	var no *RefusedError
	if errors.As(err, &no) {
		return no
	}
	return nil // New reports other errors better, for the configuration actually used
}

// ways returns the setup flags to try, the cheapest first: completions are processed only in Enter, at any system
// call, or whenever the kernel likes.
func ways() []uint32 {
	return []uint32{setupSubmitAll | setupSingleIssuer | setupDeferTask, setupSubmitAll | setupCoopTask, 0}
}

func (r *Ring) open(entries uint32) (params, error) {
	var p params
	var errno unix.Errno
	for _, flags := range ways() {
		p = params{flags: flags}
		var fd uintptr
		fd, _, errno = unix.Syscall(unix.SYS_IO_URING_SETUP, uintptr(entries), uintptr(unsafe.Pointer(&p)), 0)
		if errno == 0 {
			r.fd, r.setup = int(fd), flags
			break
		}
		if errno != unix.EINVAL {
			break
		}
	}
	if errno != 0 {
		if err := refused(errno); err != nil {
			return p, err
		}
		const perEntry = uint64(unsafe.Sizeof(sqe{}) + 2*unsafe.Sizeof(cqe{}) + 4)
		return p, fmt.Errorf("set up an io_uring of %d entries: %w",
			entries, shortOfMemory(errno, uint64(entries)*perEntry))
	}
	if p.features&featExtArg == 0 || p.features&featNoDrop == 0 {
		return p, &RefusedError{Why: "the kernel is older than Linux 5.11"}
	}
	r.enterFD, r.always = uintptr(r.fd), enterExtArg
	r.arg.sigmaskSize = signalSetBytes
	return p, nil
}

// share maps the memory shared with the kernel.
func (r *Ring) share(p params) error {
	queueBytes := int(p.sq.array) + int(p.sqEntries)*4
	answerBytes := int(p.cq.cqes) + int(p.cqEntries)*int(unsafe.Sizeof(cqe{}))
	single := p.features&featSingleMmap != 0
	if single {
		queueBytes = max(queueBytes, answerBytes)
	}
	var err error
	if r.queue, err = r.mapped(offSQ, queueBytes); err != nil {
		return err
	}
	answers := r.queue
	if !single {
		if r.answers, err = r.mapped(offCQ, answerBytes); err != nil {
			return err
		}
		answers = r.answers
	}
	if r.entries, err = r.mapped(offSQEs, int(p.sqEntries)*int(unsafe.Sizeof(sqe{}))); err != nil {
		return err
	}
	r.sqes = unsafe.Slice((*sqe)(unsafe.Pointer(&r.entries[0])), p.sqEntries)
	r.cqes = unsafe.Slice((*cqe)(unsafe.Pointer(&answers[p.cq.cqes])), p.cqEntries)
	r.sqHead, r.sqTail = word(r.queue, p.sq.head), word(r.queue, p.sq.tail)
	r.cqHead, r.cqTail = word(answers, p.cq.head), word(answers, p.cq.tail)
	r.mask, r.cqMask = *word(r.queue, p.sq.ringMask), *word(answers, p.cq.ringMask)
	// Each slot of the queue permanently refers to the entry of the same index.
	for i := range p.sqEntries {
		*word(r.queue, p.sq.array+4*i) = i
	}
	return nil
}

func (r *Ring) mapped(offset int64, n int) ([]byte, error) {
	b, err := unix.Mmap(r.fd, offset, n, protection, unix.MAP_SHARED|unix.MAP_POPULATE)
	if err != nil {
		return nil, fmt.Errorf("map an io_uring's memory: %w", err)
	}
	return b, nil
}

func word(b []byte, offset uint32) *uint32 { return (*uint32)(unsafe.Pointer(&b[offset])) }

// Path returns how the ring works: "io_uring", with "+fixed" if buffers are registered and "+defer" if completions
// are processed in Enter alone.
func (r *Ring) Path() string {
	path := "io_uring"
	if r.fixed {
		path += "+fixed"
	}
	if r.setup&setupDeferTask != 0 {
		path += "+defer"
	}
	return path
}

// Free returns how many more operations can be queued.
func (r *Ring) Free() int { return r.depth - r.flying }

// Flying returns the number of operations queued, in flight, or completed and not yet returned by Next.
func (r *Ring) Flying() int { return r.flying }

// Calls returns the number of system calls made by Enter.
func (r *Ring) Calls() int64 { return r.calls }

// Read queues a read of n bytes at an offset of a file into the beginning of a buffer. Next returns the id, and the
// bytes read or a negative errno. Read reports false if the ring is full.
func (r *Ring) Read(file, buffer, n int, offset int64, id uint64) bool {
	return r.transfer(opRead, opReadFixed, file, buffer, n, offset, id)
}

// Write is Read's counterpart.
func (r *Ring) Write(file, buffer, n int, offset int64, id uint64) bool {
	return r.transfer(opWrite, opWriteFixed, file, buffer, n, offset, id)
}

func (r *Ring) transfer(op, opFixed uint8, file, buffer, n int, offset int64, id uint64) bool {
	if r.flying >= r.depth {
		return false
	}
	b := r.buffers[buffer][:n]
	e := &r.sqes[r.tail&r.mask]
	*e = sqe{opcode: op, flags: sqeFixedFile, fd: int32(file), off: uint64(offset),
		addr: uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b)))),
		len:  uint32(n), userData: id}
	if r.fixed {
		e.opcode, e.bufIndex = opFixed, r.pieces[buffer]
	}
	r.tail++
	r.flying++
	return true
}

// Sync queues fsync, or fdatasync if data is true. It covers only the writes that Next has already returned.
func (r *Ring) Sync(file int, data bool, id uint64) bool {
	if r.flying >= r.depth {
		return false
	}
	e := &r.sqes[r.tail&r.mask]
	*e = sqe{opcode: opFsync, flags: sqeFixedFile, fd: int32(file), userData: id}
	if data {
		e.opFlags = fsyncData
	}
	r.tail++
	r.flying++
	return true
}

// rawWait is the longest wait without notifying Go's scheduler, in nanoseconds: notifying it costs more than so
// short a wait.
const rawWait = 1_000_000

// Enter submits all queued operations and waits until at least wait operations are complete or the timeout, in
// nanoseconds, has passed, by one system call; a wait of 0 only polls. It makes no call if nothing is queued and
// enough are complete already. A signal ends it early. Waiting for more than are in flight sleeps until the timeout.
func (r *Ring) Enter(wait int, timeout int64) error {
	if r.tail == *r.sqTail && wait > 0 && int(atomic.LoadUint32(r.cqTail)-r.head) >= wait {
		return nil
	}
	atomic.StoreUint32(r.sqTail, r.tail)
	submit := r.tail - atomic.LoadUint32(r.sqHead)
	r.patience = kernelTime{timeout / 1e9, timeout % 1e9}
	r.arg.ts = uint64(uintptr(unsafe.Pointer(&r.patience)))
	errno := r.enter(uintptr(submit), uintptr(wait), timeout > rawWait)
	runtime.KeepAlive(r)
	switch errno {
	case 0, unix.ETIME, unix.EINTR, unix.EAGAIN, unix.EBUSY:
		// The last two mean that the kernel is short of memory or has completions we have not taken: operations that
		// were not submitted stay queued.
		return nil
	}
	return fmt.Errorf("io_uring_enter of %d operations: %w", submit, errno)
}

func (r *Ring) enter(submit, wait uintptr, long bool) unix.Errno {
	r.calls++
	flags := uintptr(r.always | enterGetEvents)
	arg := uintptr(unsafe.Pointer(&r.arg))
	var errno unix.Errno
	if long {
		_, _, errno = unix.Syscall6(unix.SYS_IO_URING_ENTER, r.enterFD, submit, wait, flags, arg, unsafe.Sizeof(r.arg))
	} else {
		_, _, errno = unix.RawSyscall6(unix.SYS_IO_URING_ENTER, r.enterFD, submit, wait, flags, arg, unsafe.Sizeof(r.arg))
	}
	return errno
}

// Next returns one completed operation: the id that it was queued with, and the kernel's result: a count of bytes,
// or a negative errno. ok is false if Enter has seen no further completion.
func (r *Ring) Next() (id uint64, res int32, ok bool) {
	if r.head == atomic.LoadUint32(r.cqTail) {
		return 0, 0, false
	}
	e := &r.cqes[r.head&r.cqMask]
	id, res = e.userData, e.res
	r.head++
	atomic.StoreUint32(r.cqHead, r.head)
	r.flying--
	return id, res, true
}

// Close releases the ring; another thread may call it too, once the ring's own has ended. Operations in flight must
// have ended: until then the kernel writes into their buffers.
func (r *Ring) Close() error {
	var errs []error
	r.forgetFiles()
	r.forgetRing()
	for _, b := range [][]byte{r.queue, r.answers, r.entries} {
		if b != nil {
			errs = append(errs, unix.Munmap(b))
		}
	}
	r.queue, r.answers, r.entries = nil, nil, nil
	if r.fd >= 0 {
		errs = append(errs, unix.Close(r.fd))
	}
	r.fd = -1
	return errors.Join(errs...)
}
