package noise

import (
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"plimsoll/internal/host/hostfs"
)

const (
	maxWatched = 64  // threads that are read, and so what it costs: one to three microseconds each
	calm       = 5e6 // ns: while no thread waits for longer, most beats need no reading
	calmBeats  = 8
)

// runQueue reads how long threads of this process wait for a CPU. That of the watchdog says too little: once it has its CPU it still needs one
// of Go's processors, whose holder waits for a CPU, or which sysmon cannot retake as it waits itself, and the kernel counts that for them. It
// allocates only when threads come or go.
type runQueue struct {
	dir     *os.File // /proc/self/task; nil: the kernel does not say
	links   uint64   // of dir, which change with the number of threads
	threads []queued
	unread  int  // beats since the last reading
	waits   bool // by which a thread waited for longer than calm
	buf     [64]byte
}

// queued is a thread.
type queued struct {
	name      string // its id
	schedstat *os.File
	waited    uint64 // ns so far
}

// newRunQueue reads the threads of this process. It must be closed.
func newRunQueue(root hostfs.Root) *runQueue {
	q := &runQueue{}
	q.dir, _ = os.Open(root.ProcPath("self/task"))
	q.longest(true)
	q.waits = false // that is what they waited for since they began
	return q
}

func (q *runQueue) close() {
	for _, t := range q.threads {
		t.schedstat.Close()
	}
	if q.dir != nil {
		q.dir.Close()
	}
	q.threads, q.dir = nil, nil
}

// longest returns for how many seconds, since the last reading, that thread waited which waited longest. It reads if the caller needs to know,
// and so that this tells of little else: at each beat while threads wait, else at every eighth. If it does not, it returns 0.
func (q *runQueue) longest(needed bool) float64 {
	if q.unread++; q.dir == nil || !needed && !q.waits && q.unread < calmBeats {
		return 0
	}
	q.unread = 0
	var st unix.Stat_t
	if err := unix.Fstat(int(q.dir.Fd()), &st); err == nil && uint64(st.Nlink) != q.links { //nolint:unconvert // 32 bits on arm64
		q.links = uint64(st.Nlink) //nolint:unconvert // as above
		q.list()
	}
	most := uint64(0)
	for i := range q.threads {
		t := &q.threads[i]
		n, err := t.schedstat.ReadAt(q.buf[:], 0)
		if n <= 0 || err == nil {
			q.links = 0 // it has ended, and another may have begun
			continue
		}
		before := t.waited
		t.waited = runDelay(q.buf[:n])
		most = max(most, t.waited-min(t.waited, before))
	}
	q.waits = most > calm
	return float64(most) / 1e9
}

// list brings the threads up to date. Of more than maxWatched those that came first are read: sysmon, and those that Go uses again and again.
func (q *runQueue) list() {
	_, _ = q.dir.Seek(0, 0)
	names, _ := q.dir.Readdirnames(-1) // what is missing is read next time
	names = names[:min(len(names), maxWatched)]
	q.threads = slices.DeleteFunc(q.threads, func(t queued) bool {
		gone := !slices.Contains(names, t.name)
		if gone {
			t.schedstat.Close()
		}
		return gone
	})
	for _, name := range names {
		if slices.ContainsFunc(q.threads, func(t queued) bool { return t.name == name }) {
			continue
		}
		if f, err := os.Open(q.dir.Name() + "/" + name + "/schedstat"); err == nil {
			q.threads = append(q.threads, queued{name: name, schedstat: f})
		}
	}
}

// runDelay returns the second number in a line of schedstat, the nanoseconds for which a thread waited for a CPU, as hostfs.ParseSchedstat
// reads it, without allocating; 0 if it is not there.
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
