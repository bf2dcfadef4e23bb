// Package noise records disturbances of a machine while something is measured: the ledger of a trial, its network
// traffic, the clock of its CPUs, and times in which this process stood still.
package noise

import (
	"errors"
	"os"
	"runtime"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// LedgerProbe takes the ledger of a measured window: the disturbances of the machine between Start
// and Stop.
type LedgerProbe struct {
	root    hostfs.Root
	lanes   []int
	ours    []account.Account
	cpus    []int // whose time counts; none: all
	before  reading
	startup float64 // CPU seconds that Start took
}

// NewLedger prepares a probe that watches all threads of this process. Foreign CPU time is the time
// of all but this process and its children.
func NewLedger(root hostfs.Root) *LedgerProbe {
	return &LedgerProbe{root: root, ours: []account.Account{account.NewTree(root, os.Getpid())}}
}

// Watch names the threads of this process whose run delay is recorded, by their
// kernel ids.
func (p *LedgerProbe) Watch(tids ...int) { p.lanes = tids }

// Ours names the accounts that together hold, each once, all CPU time that is
// not foreign. They replace this process and its children.
func (p *LedgerProbe) Ours(accounts ...account.Account) { p.ours = accounts }

// Within names the CPUs that the trial may use: work of others on the rest of a machine takes
// nothing from it.
func (p *LedgerProbe) Within(cpus []int) { p.cpus = cpus }

// Start begins the window. The error names the sources that are there but
// broken; the ledger leaves them out and is good for the others.
func (p *LedgerProbe) Start() error {
	var err error
	cputime.OnThread(func() {
		began, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
		p.before, err = p.read()
		ended, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
		p.startup = ended - began
	})
	return err
}

// Stop ends the window. A figure is nil if its source could not be read at both ends.
func (p *LedgerProbe) Stop() record.Ledger {
	var l record.Ledger
	cputime.OnThread(func() {
		began, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
		after, _ := p.read()
		l = p.between(p.before, after)
		ended, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
		l.CostS = p.startup + ended - began
	})
	return l
}

// reading is the state of all counters at one instant, in seconds, pages and events since boot; nil
// if there is none.
type reading struct {
	at                        time.Time
	passed, steal, busy, ours *float64
	interrupts, heat          *float64
	psiCPU, psiIO, psiMemory  *float64
	throttled, swapped, load  *float64
	waited                    map[int]float64 // by thread
}

// broken collects the errors of sources that exist and cannot be read.
type broken []error

func (b *broken) value(v float64, err error) *float64 {
	if err == nil {
		return &v
	}
	if !hostfs.NotHere(err) {
		*b = append(*b, err)
	}
	return nil
}

func (p *LedgerProbe) read() (reading, error) {
	var bad broken
	r := reading{at: time.Now()}
	stat, err := cputime.ReadStat(p.root)
	r.passed = bad.value(cputime.Elapsed(stat.CPUTotal), err)
	if err == nil {
		r.steal = &stat.CPUTotal.Steal
		var used procfs.CPUStat
		if used, err = cputime.UsedBy(stat, p.cpus); err != nil {
			bad = append(bad, err)
		} else {
			busy, interrupts := cputime.Busy(used), used.IRQ+used.SoftIRQ
			r.busy, r.interrupts = &busy, &interrupts
		}
	}
	r.ours = bad.value(p.oursSeconds())
	r.psiCPU = bad.value(hostfs.Pressure(p.root, "cpu"))
	r.psiIO = bad.value(hostfs.Pressure(p.root, "io"))
	r.psiMemory = bad.value(hostfs.Pressure(p.root, "memory"))
	r.throttled = bad.value(account.ThrottledSeconds(p.root))
	r.swapped = bad.value(hostfs.SwappedPages(p.root))
	r.load = bad.value(hostfs.LoadAverage(p.root))
	r.heat = bad.value(slowedByHeat(p.root))
	if r.waited, err = p.waits(); err != nil {
		bad.value(0, err)
	}
	return r, errors.Join(bad...)
}

func (p *LedgerProbe) oursSeconds() (float64, error) {
	sum := 0.0
	for _, a := range p.ours {
		s, err := a.CPUSeconds()
		if err != nil {
			return 0, err
		}
		sum += s
	}
	return sum, nil
}

// waits returns the run delay of the threads watched. Threads that end meanwhile are not missed if
// the whole process is watched.
func (p *LedgerProbe) waits() (map[int]float64, error) {
	tids, all := p.lanes, len(p.lanes) == 0
	if all {
		var err error
		if tids, err = hostfs.Threads(p.root); err != nil {
			return nil, err
		}
	}
	out := make(map[int]float64, len(tids))
	for _, tid := range tids {
		s, err := hostfs.RunDelay(p.root, tid)
		if err != nil && !(all && hostfs.NotHere(err)) {
			return nil, err
		}
		if err == nil {
			out[tid] = s
		}
	}
	return out, nil
}

func (p *LedgerProbe) between(a, b reading) record.Ledger {
	wall := b.at.Sub(a.at).Seconds()
	l := record.Ledger{
		PSICPUPct:    share(a.psiCPU, b.psiCPU, wall),
		PSIIOPct:     share(a.psiIO, b.psiIO, wall),
		PSIMemoryPct: share(a.psiMemory, b.psiMemory, wall),
		ThrottledS:   grown(a.throttled, b.throttled),
		SwapPages:    grown(a.swapped, b.swapped),
		LoadAvg1:     a.load,

		InterruptCPU:  share(a.interrupts, b.interrupts, wall),
		ThermalEvents: grown(a.heat, b.heat),
	}
	if total := grown(a.passed, b.passed); total != nil {
		l.StealPct = share(a.steal, b.steal, *total)
	}
	busy, ours := grown(a.busy, b.busy), grown(a.ours, b.ours)
	if busy != nil && ours != nil && wall > 0 {
		l.ForeignCPU = cputime.Percent(*busy-*ours, wall)
	}
	l.RunDelayPct = p.delay(a.waited, b.waited, wall)
	return l
}

// delay returns the run delay per lane. If the whole process is watched, its lanes are the threads
// that may run Go at once.
func (p *LedgerProbe) delay(a, b map[int]float64, wall float64) *float64 {
	if a == nil || len(b) == 0 || wall <= 0 {
		return nil
	}
	lanes := len(p.lanes)
	if lanes == 0 {
		lanes = runtime.GOMAXPROCS(0)
	}
	sum := 0.0
	for tid, s := range b {
		sum += s - a[tid]
	}
	return cputime.Percent(sum, wall*float64(lanes))
}

// grown returns by how much a counter rose; one that went back (a CPU taken offline) rose by
// nothing.
func grown(a, b *float64) *float64 {
	if a == nil || b == nil {
		return nil
	}
	d := max(0, *b-*a)
	return &d
}

func share(a, b *float64, whole float64) *float64 {
	d := grown(a, b)
	if d == nil || whole <= 0 {
		return nil
	}
	return cputime.Percent(*d, whole)
}
