// Package waits samples the waits of threads in the kernel.
package waits

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// Step is the time between two looks at the threads that wait.
const Step = 50 * time.Millisecond

const (
	// lookAnew is how many looks share one list of threads.
	lookAnew = 4
	// waitShare bounds the CPU time of sampling, of one CPU: with more threads, samples are rarer.
	waitShare = 0.02
	// mostKept is how many threads have a file kept open, of the files that a process may have.
	mostKept = 512
)

// Waits holds the stacks in which threads were seen to wait.
type Waits struct {
	Stacks []record.Stack
	StepNs int64   // time between two looks, on average; 0 if there was none
	Looks  int     //
	CostS  float64 // CPU seconds that looking took
	How    string  // the kind of a stack: "stack", "wchan" or "syscall", the worst that had to do; "" if no thread waited

	// Threads is how many there were and Disk how many of them slept in the state D, on average over the looks. RunDelayS
	// is how long they waited for a CPU, in seconds, all together, and BusiestS the CPU time of the thread that had most,
	// whose name is Busiest; both are 0 where the kernel keeps no schedstat.
	Threads, Disk       float64
	RunDelayS, BusiestS float64
	Busiest             string
}

// Sampler samples threads at a fixed step, and counts the stacks of those in the states S and D
// (proc(5)). A thread that has not run since the last sample, by its schedstat, is not read again.
type Sampler struct {
	root    hostfs.Root
	pids    func() []int // whose threads
	only    []int        // threads of this process in the place of those; nil: not
	tasks   map[int]*task
	kept    int            // of them have a file open
	places  map[string]int // by the stack's text
	stacks  []record.Stack
	waited  bool // a thread did
	hidden  bool // stacks are not shown
	named   bool // a function was, in their place
	buf     []byte
	looks   int
	mu      sync.Mutex // guards seen
	seen    map[int]bool
	stop    chan struct{}
	stopped chan struct{}
	began   time.Time
	took    time.Duration
	costNs  atomic.Int64 // so far
	step    time.Duration
	share   float64 // of one CPU that sampling may take
	sum     sums
}

// sums are over all looks, and over the threads that are no longer looked at.
type sums struct {
	threads, disk       int
	runDelay, busiestNs uint64
	busiest             string
}

// task is one thread that is looked at.
type task struct {
	dir       string
	schedstat *os.File // nil if the kernel keeps none, and of threads beyond mostKept
	last      []byte   // its schedstat at the last look
	place     int      // of its wait then; -1: it did not wait
	alive     bool     // it was in the last list
	disk      bool     // it was in the state D at the last look
	ran       uint64   // ns, at the first look
	delayed   uint64   // likewise
}

// NewSampler prepares to sample all threads of processes, which are listed anew several times a
// second, or, if only is not nil, these threads of this process.
func NewSampler(root hostfs.Root, pids func() []int, only []int) *Sampler {
	return &Sampler{root: root, pids: pids, only: only, tasks: map[int]*task{}, places: map[string]int{},
		seen: map[int]bool{},
		buf:  make([]byte, 16<<10), stop: make(chan struct{}), stopped: make(chan struct{}), step: Step, share: waitShare}
}

// Sparing has it look a quarter as often, at a quarter of the cost, for runs that are estimated.
func (w *Sampler) Sparing() *Sampler {
	w.step, w.share = 4*Step, waitShare/4
	return w
}

// Start begins to look. It must be followed by Stop.
func (w *Sampler) Start() {
	go func() {
		runtime.LockOSThread() // its clock is the cost
		defer runtime.UnlockOSThread()
		defer close(w.stopped)
		w.began = time.Now()
		before, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
		w.loop(before)
		w.took = time.Since(w.began)
		for tid := range w.tasks {
			w.forget(tid)
		}
	}()
}

// CPUSeconds returns the CPU time of sampling so far.
func (w *Sampler) CPUSeconds() float64 { return float64(w.costNs.Load()) / 1e9 }

func (w *Sampler) loop(before float64) {
	for {
		began := time.Now()
		w.look()
		pause := w.step - time.Since(began)
		if now, err := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID); err == nil {
			w.costNs.Store(int64((now - before) * 1e9))
			rare := time.Duration((now - before) / float64(w.looks) / w.share * float64(time.Second))
			pause = max(pause, rare-time.Since(began))
		}
		select {
		case <-w.stop:
			return
		case <-time.After(pause):
		}
	}
}

// Stop ends the sampling and returns its result.
func (w *Sampler) Stop() Waits {
	select {
	case <-w.stop:
	default:
		close(w.stop)
	}
	<-w.stopped
	looks := float64(max(w.looks, 1))
	out := Waits{Threads: float64(w.sum.threads) / looks, Disk: float64(w.sum.disk) / looks,
		RunDelayS: float64(w.sum.runDelay) / 1e9, BusiestS: float64(w.sum.busiestNs) / 1e9, Busiest: w.sum.busiest,
		Looks: w.looks, CostS: w.CPUSeconds(), StepNs: w.took.Nanoseconds() / int64(max(w.looks, 1))}
	for _, s := range w.stacks {
		if s.N > 0 {
			out.Stacks = append(out.Stacks, s)
		}
	}
	out.How = w.how()
	return out
}

// Seen lists the processes whose threads were sampled so far.
func (w *Sampler) Seen() []int {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []int
	for pid := range w.seen {
		out = append(out, pid)
	}
	slices.Sort(out)
	return out
}

// look looks at every thread once.
func (w *Sampler) look() {
	if w.looks%lookAnew == 0 {
		w.list()
	}
	w.looks++
	for tid, t := range w.tasks {
		if err := w.lookAt(t); err != nil { // it has ended
			w.forget(tid)
		}
	}
}

// list finds out which threads there are.
func (w *Sampler) list() {
	for _, t := range w.tasks {
		t.alive = false
	}
	if w.only != nil {
		for _, tid := range w.only {
			w.have(tid, w.root.ProcPath("self/task", strconv.Itoa(tid)))
		}
	} else {
		pids := w.pids()
		w.mu.Lock()
		for _, pid := range pids {
			w.seen[pid] = true
		}
		w.mu.Unlock()
		for _, pid := range pids {
			w.listProcess(pid)
		}
	}
	for tid, t := range w.tasks {
		if !t.alive {
			w.forget(tid)
		}
	}
}

func (w *Sampler) listProcess(pid int) {
	dir := w.root.ProcPath(strconv.Itoa(pid), "task")
	f, err := os.Open(dir)
	if err != nil {
		return // it has ended
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1)
	for _, name := range names {
		if tid, err := strconv.Atoi(name); err == nil {
			w.have(tid, dir+"/"+name)
		}
	}
}

func (w *Sampler) have(tid int, dir string) {
	if t, ok := w.tasks[tid]; ok {
		t.alive = true
		return
	}
	t := &task{dir: dir, place: -1, alive: true}
	if w.kept < mostKept {
		t.schedstat, _ = os.Open(dir + "/schedstat")
	}
	if t.schedstat != nil {
		w.kept++
		n, _ := t.schedstat.ReadAt(w.buf, 0)
		t.ran, t.delayed = schedstatOf(w.buf[:n])
	}
	w.tasks[tid] = t
}

// schedstatOf returns for how long a thread ran and for how long it waited for a CPU, in ns: proc(5) has
// /proc/PID/schedstat, the first two numbers of it.
func schedstatOf(b []byte) (ran, delayed uint64) {
	fields := bytes.Fields(b)
	if len(fields) < 2 {
		return 0, 0
	}
	ran, _ = strconv.ParseUint(string(fields[0]), 10, 64)
	delayed, _ = strconv.ParseUint(string(fields[1]), 10, 64)
	return ran, delayed
}

// forget closes the file of a thread.
func (w *Sampler) forget(tid int) {
	if t := w.tasks[tid]; t.schedstat != nil {
		if n, _ := t.schedstat.ReadAt(w.buf, 0); n > 0 { // of a thread that has ended there is what was read last
			t.last = append(t.last[:0], w.buf[:n]...)
		}
		if ran, delayed := schedstatOf(t.last); ran >= t.ran && delayed >= t.delayed {
			w.sum.runDelay += delayed - t.delayed
			if ran-t.ran > w.sum.busiestNs {
				name, _ := os.ReadFile(t.dir + "/comm")
				w.sum.busiestNs, w.sum.busiest = ran-t.ran, strings.TrimSpace(string(name))
			}
		}
		t.schedstat.Close()
		w.kept--
	}
	delete(w.tasks, tid)
}

// lookAt counts one thread at the place of its wait. It returns an error if the thread is gone.
func (w *Sampler) lookAt(t *task) error {
	if t.schedstat != nil {
		n, err := t.schedstat.ReadAt(w.buf, 0)
		if n == 0 && err != nil {
			return err
		}
		if t.place >= 0 && bytes.Equal(t.last, w.buf[:n]) {
			w.stacks[t.place].N++
			w.sum.threads++
			if t.disk {
				w.sum.disk++
			}
			return nil
		}
		t.last = append(t.last[:0], w.buf[:n]...)
	}
	t.place = -1
	text, err := w.read(t.dir + "/stat")
	if err != nil {
		return err
	}
	stat, err := parseTaskStat(text)
	w.sum.threads++
	if t.disk = stat.state == 'D'; t.disk {
		w.sum.disk++
	}
	if err != nil || stat.state != 'S' && stat.state != 'D' {
		return err
	}
	t.place = w.placeOf(stat.comm, w.waitsIn(t.dir))
	w.stacks[t.place].N++
	return nil
}

// read reads a small file into the sampler's buffer.
func (w *Sampler) read(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	n, err := f.Read(w.buf)
	if n == 0 && err != nil && !strings.HasSuffix(path, "/wchan") { // of which nothing is an answer
		return nil, err
	}
	return w.buf[:n], nil
}

// how returns the kind of a stack.
func (w *Sampler) how() string {
	switch {
	case !w.waited:
		return ""
	case !w.hidden:
		return "stack"
	case w.named:
		return "wchan"
	}
	return "syscall"
}

// waitsIn returns the stack of a waiting thread, with a frame of its own if that waits for a mutex.
func (w *Sampler) waitsIn(dir string) []record.Frame {
	frames := w.stackIn(dir)
	if !slices.ContainsFunc(frames, func(f record.Frame) bool { return strings.HasPrefix(f.Function, "futex") }) {
		return frames
	}
	if text, err := w.read(dir + "/syscall"); err == nil && contended(text) {
		return append([]record.Frame{{Function: record.ContendedMutex, Module: record.ModuleKernel}}, frames...)
	}
	return frames
}

// stackIn returns the stack of a waiting thread, in the best way that is permitted. None is known
// of a thread that runs again by now, or has ended.
func (w *Sampler) stackIn(dir string) []record.Frame {
	w.waited = true
	if !w.hidden {
		text, err := w.read(dir + "/stack")
		if err == nil || !denied(dir, err) {
			frames, _ := parseKernelStack(text)
			return frames
		}
		w.hidden = true
	}
	text, err := w.read(dir + "/wchan")
	if name, ok := parseWchan(text); err == nil && ok {
		w.named = true
		return []record.Frame{{Function: name, Module: record.ModuleKernel}}
	}
	if w.named { // the kernel names it of others: this one has been woken
		return nil
	}
	text, _ = w.read(dir + "/syscall")
	if name, ok := parseSyscall(text); ok {
		return []record.Frame{{Function: name, Module: record.ModuleKernel}}
	}
	return nil
}

// denied: kernels without the files of stacks are as good as those that do not show them. Of a thread that has ended
// there is no directory either.
func denied(dir string, err error) bool {
	if errors.Is(err, fs.ErrNotExist) {
		_, gone := os.Stat(dir)
		return gone == nil
	}
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.ENOSYS)
}

func (w *Sampler) placeOf(thread string, frames []record.Frame) int {
	var key strings.Builder
	key.WriteString(thread)
	for _, f := range frames {
		fmt.Fprintf(&key, "\n%s", f.Function)
	}
	at, ok := w.places[key.String()]
	if !ok {
		at = len(w.stacks)
		w.places[key.String()] = at
		w.stacks = append(w.stacks, record.Stack{Frames: frames, Thread: thread})
	}
	return at
}
