package account

import (
	"fmt"
	"os"
	"sync"
	"syscall"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/record"
)

// userHZ is the kernel's unit of process times, the same on every platform
// that Go runs on: ticks per second.
const userHZ = 100

// Tree is the account of processes and their descendants. It adds up the times
// of those that live and, as their parents have it, of those that were waited
// for. A descendant seen once stays in the account when its parent dies. Lost are
// processes that nobody waited for, and orphans born and gone between two
// readings. Processes that live are counted to the nanosecond, those waited for in ticks of 10 ms.
type Tree struct {
	root hostfs.Root

	mu    sync.Mutex
	roots []int
	known map[int]uint64 // pid -> start time, which tells a reused pid
	last  float64
}

// NewTree opens the account of the given processes.
func NewTree(root hostfs.Root, pids ...int) *Tree {
	t := &Tree{root: root, known: make(map[int]uint64)}
	for _, pid := range pids {
		t.Add(pid)
	}
	return t
}

// Add puts a process that is running into the account, with its descendants.
func (t *Tree) Add(pid int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.roots = append(t.roots, pid)
	t.known[pid] = 0
	if pfs, err := procfs.NewFS(t.root.Proc); err == nil {
		if p, err := pfs.Proc(pid); err == nil {
			if stat, err := p.Stat(); err == nil {
				t.known[pid] = stat.Starttime
			}
		}
	}
}

// Enter calls start and adds the process that it started.
func (t *Tree) Enter(_ *syscall.SysProcAttr, start func() (int, error)) error {
	pid, err := start()
	if err != nil {
		return fmt.Errorf("start in a process tree: %w", err)
	}
	t.Add(pid)
	return nil
}

// CPUSeconds never decreases. When a process that was added is gone, and with
// it the time that it had used, the error wraps os.ErrProcessDone.
func (t *Tree) CPUSeconds() (float64, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	all, err := t.stats()
	if err != nil {
		return t.last, err
	}
	own, err := t.ownSeconds(all)
	if err != nil {
		return t.last, err
	}
	members := t.members(all)
	sum := 0.0
	for pid := range members {
		s := all[pid]
		sum += t.lifetime(s) + float64(s.CUTime+s.CSTime)/userHZ
		t.known[pid] = s.Starttime
	}
	t.last = max(t.last, sum+own)
	for _, pid := range t.roots {
		if !members[pid] {
			return t.last, fmt.Errorf("cpu time of process %d: %w", pid, os.ErrProcessDone)
		}
	}
	return t.last, nil
}

// SecondsAt returns the CPU time, in ticks of 10 ms, that the account had when all processes were read.
func (t *Tree) SecondsAt(all map[int]procfs.ProcStat) float64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	ticks := uint(0)
	for pid := range t.members(all) {
		s := all[pid]
		ticks += s.UTime + s.STime + uint(s.CUTime+s.CSTime)
	}
	return float64(ticks) / userHZ
}

// lifetime returns the CPU time of a process without its children. The kernel's clock of it shows what is less than a
// tick, and of a process that is gone since all were read, the ticks remain.
func (t *Tree) lifetime(s procfs.ProcStat) float64 {
	ticks := float64(s.UTime+s.STime) / userHZ
	if !t.root.Live() || s.PID == os.Getpid() {
		return ticks
	}
	seconds, err := cputime.ProcessSeconds(s.PID)
	if err != nil {
		return ticks
	}
	return seconds
}

// ownSeconds returns the time of this process and of the children it waited for, if it is in the
// account. The kernel is asked for it, and the entry in all is cleared, because qemu-user answers
// for the stat file of its own process, with zeros.
func (t *Tree) ownSeconds(all map[int]procfs.ProcStat) (float64, error) {
	pid := os.Getpid()
	if _, in := t.known[pid]; !in || !t.root.Live() {
		return 0, nil
	}
	t.known[pid] = 0
	all[pid] = procfs.ProcStat{PID: pid}
	var children unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_CHILDREN, &children); err != nil {
		return 0, fmt.Errorf("cpu time of children: %w", err)
	}
	own, err := cputime.ClockSeconds(unix.CLOCK_PROCESS_CPUTIME_ID)
	return own + float64(children.Utime.Nano()+children.Stime.Nano())/1e9, err
}

// members returns the known processes that live, and their descendants.
func (t *Tree) members(all map[int]procfs.ProcStat) map[int]bool {
	children := make(map[int][]int)
	for pid, s := range all {
		children[s.PPID] = append(children[s.PPID], pid)
	}
	members := make(map[int]bool)
	var todo []int
	for pid, started := range t.known {
		if s, ok := all[pid]; ok && s.Starttime == started {
			todo = append(todo, pid)
		}
	}
	for len(todo) > 0 {
		pid := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !members[pid] {
			members[pid] = true
			todo = append(todo, children[pid]...)
		}
	}
	return members
}

func (t *Tree) stats() (map[int]procfs.ProcStat, error) { return procs.Stats(t.root) }

// Source returns record.ChargedTree.
func (t *Tree) Source() string { return record.ChargedTree }

// Close does nothing.
func (t *Tree) Close() error { return nil }
