package noise

import (
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/hostfs"
)

const (
	maxWatched = 64  // threads that are read, and so what it costs: one to two microseconds each
	calmBeats  = 4   // a reading, while no thread waits
	calm       = 1e6 // ns of run delay a beat that are no waiting yet
)

// runQueue reads the run delay of threads of this process. That of the watchdog says too little: once it has its CPU it
// still needs a P of Go's, whose holder waits for a CPU, or which sysmon cannot retake as it waits itself, and the
// kernel counts that for them. It allocates only when threads come or go.
type runQueue struct {
	dir *os.File // /proc/self/task; nil: the kernel does not say
	// the thread that asks, which is always read, and last: what it waits for as the others are read counts
	own     string
	links   uint64 // of dir, which change with the number of threads
	cut     bool   // the last list had more than maxWatched
	threads []queued
	unread  int  // beats since the last reading
	waits   bool // a thread did before it
	buf     [64]byte
}

// queued is a thread.
type queued struct {
	name  string // its id
	file  int    // its schedstat; -1: it has ended
	delay uint64 // ns so far
}

// newRunQueue reads the threads of this process, one of which will ask. It must be closed.
func newRunQueue(root hostfs.Root, own int) *runQueue {
	q := &runQueue{own: strconv.Itoa(own)}
	q.dir, _ = os.Open(root.ProcPath("self/task"))
	q.longest(true)
	q.waits = false // that is what they waited for since they began
	return q
}

func (q *runQueue) close() {
	for _, t := range q.threads {
		t.close()
	}
	if q.dir != nil {
		q.dir.Close()
	}
	q.threads, q.dir = nil, nil
}

func (t queued) close() {
	if t.file >= 0 {
		_ = unix.Close(t.file)
	}
}

// longest returns the run delay, in seconds since the last reading, of the thread that waited for longest. It reads if
// the caller needs to know, at each beat while threads wait, so that this covers little else, and at every fourth while
// none does. If it does not read, it returns 0.
func (q *runQueue) longest(needed bool) float64 {
	if q.unread++; q.dir == nil || !needed && !q.waits && q.unread < calmBeats {
		return 0
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(q.dir.Fd()), &st); err == nil &&
		uint64(st.Nlink) != q.links { //nolint:unconvert // 32 bits on arm64
		q.links = uint64(st.Nlink) //nolint:unconvert // as above
		q.list()
	}
	most := uint64(0)
	for i := range q.threads {
		most = max(most, q.read(&q.threads[i]))
	}
	q.waits = most > calm*uint64(q.unread)
	q.unread = 0
	return float64(most) / 1e9
}

// read returns the run delay of a thread since it was read last, in nanoseconds. One that has ended is listed no more,
// and its successor is.
func (q *runQueue) read(t *queued) uint64 {
	n, err := unix.Pread(t.file, q.buf[:], 0)
	if err != nil || n <= 0 {
		t.close()
		t.file, q.links = -1, 0
		return 0
	}
	before := t.delay
	t.delay = runDelay(q.buf[:n])
	return t.delay - min(t.delay, before)
}

// list brings the threads up to date. Of more than maxWatched those that came first are read: sysmon, and those that Go
// uses again and again.
func (q *runQueue) list() {
	_, _ = q.dir.Seek(0, 0)
	names, _ := q.dir.Readdirnames(-1) // what is missing is read next time
	names = slices.DeleteFunc(names, func(name string) bool { return name == q.own })
	cut := len(names) >= maxWatched
	names = append(names[:min(len(names), maxWatched-1)], q.own)
	before := q.threads
	q.threads = make([]queued, 0, len(names))
	for _, name := range names {
		i := slices.IndexFunc(before, func(t queued) bool { return t.name == name && t.file >= 0 })
		if i >= 0 {
			q.threads = append(q.threads, before[i])
			before[i].file = -1
		} else if t, ok := q.open(name); ok {
			q.threads = append(q.threads, t)
		}
	}
	for _, t := range before {
		t.close()
	}
	q.cut = cut
	if n := len(q.threads); n > 0 && n < len(names) {
		q.links = 0 // one has ended, and another may have begun
	}
}

// open returns a thread that is read from now on. It has waited since it began, unless it may have been there before.
func (q *runQueue) open(name string) (queued, bool) {
	file, err := unix.Open(q.dir.Name()+"/"+name+"/schedstat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	t := queued{name: name, file: file}
	if err == nil && q.cut {
		q.read(&t)
	}
	return t, err == nil
}

// runDelay returns the second number in a line of schedstat, the nanoseconds for which a thread waited for a CPU, as
// hostfs.ParseSchedstat reads it, without allocating; 0 if it is not there.
func runDelay(b []byte) uint64 {
	n, at := uint64(0), 0
	for _, c := range b {
		switch {
		case c == ' ':
			if at++; at == 2 {
				return n
			}
		case at == 1 && c >= '0' && c <= '9':
			n = n*10 + uint64(c-'0')
		}
	}
	return n
}
