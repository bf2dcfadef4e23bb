package power

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/process"
	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/pulse"
	"plimsoll/internal/record"
)

var (
	errTooShort = errors.New("it was read less than twice in the window")
	errNoMove   = errors.New("it did not move")
)

const (
	// fileStep is the time between two readings of a file. RAPL's counters wrap after a minute at most powers, and a
	// reading of some µs of CPU time every 250 ms disturbs nothing.
	fileStep = 250 * time.Millisecond
	// programStep is the time between two runs of a program. A board's controller updates its reading about that often.
	programStep = time.Second
	// programLimit is how long a program may take.
	programLimit = 5 * time.Second
	// mostDomains bounds the part of a run's line that its energy takes.
	mostDomains = 16
)

// Used is the energy that one domain used between Start and Stop.
type Used struct {
	record.Power
	Joules, Seconds float64
	Err             error // why they are unknown
}

// Sampler reads all meters of a machine that this user may read. Files are read on the pulse's thread, without
// allocation. Programs have their own goroutine.
type Sampler struct {
	files    []*fileMeter
	programs []*programMeter
	remove   func()  // from the pulse; nil: not started
	costS    float64 // CPU seconds that reading files took
	buf      [64]byte
}

type fileMeter struct {
	source source
	file   *os.File
	tally  *tally  // that the next reading is added to; nil: none
	turns  []tally // of each side that takes turns
}

// New opens the meters of a machine: the user's command, if there is one, else all that are found. The error is about
// the command.
func New(ctx context.Context, root hostfs.Root, command string) (*Sampler, error) {
	s := &Sampler{}
	if command != "" {
		p := newProgram(byCommand(command))
		if err := p.try(ctx); err != nil {
			return nil, fmt.Errorf("--energy: its command was run, and %w\nhint: it must print one number with J or W, such as "+
				"85.5 W", err)
		}
		s.programs = append(s.programs, p)
		return s, nil
	}
	for _, src := range sources(root) {
		if len(s.files)+len(s.programs) == mostDomains {
			break
		}
		if src.path == "" {
			if p := newProgram(src); src.readable() && p.try(ctx) == nil {
				s.programs = append(s.programs, p)
			}
		} else if f, err := os.Open(src.path); err == nil {
			s.files = append(s.files, &fileMeter{source: src, file: f})
		}
	}
	return s, nil
}

// Any reports whether there is a meter to read.
func (s *Sampler) Any() bool { return s != nil && len(s.files)+len(s.programs) > 0 }

// Programs reports whether a meter is a program, which uses CPU time in its own process.
func (s *Sampler) Programs() bool { return s != nil && len(s.programs) > 0 }

// Settles returns for how long to sample to know the machine's power at rest: two readings of a program and the time
// that they take.
func (s *Sampler) Settles() time.Duration {
	if s.Programs() {
		return 2*programStep + programStep/2
	}
	return 2 * fileStep
}

// Start takes the first readings, and more until Stop.
func (s *Sampler) Start(p *pulse.Pulse) {
	for _, f := range s.files {
		f.tally = f.source.newTally()
	}
	cputime.OnThread(s.sample)
	s.remove = p.Every(fileStep, s.sample)
	for _, m := range s.programs {
		m.start()
	}
}

// Stop takes the last readings of files, ends programs that are running, and returns the energy of each domain.
func (s *Sampler) Stop() []Used {
	if s.remove == nil {
		return nil
	}
	s.remove()
	s.remove = nil
	cputime.OnThread(s.sample)
	var out []Used
	for _, f := range s.files {
		out = append(out, usedOf(f.source.domain, f.tally))
		f.tally = nil
	}
	for _, m := range s.programs {
		m.stop()
		out = append(out, usedOf(m.source.domain, &m.tally))
	}
	return out
}

// TakeTurns prepares the counters that distinguish sides which alternate within milliseconds, for Turn, and closes all
// other meters: RAPL's change every millisecond, others too seldom.
func (s *Sampler) TakeTurns(sides int) {
	s.programs = nil
	all := s.files
	s.files = nil
	for _, f := range all {
		if f.source.domain.Source != record.PowerRAPL {
			_ = f.file.Close()
			continue
		}
		s.files = append(s.files, f)
		for range sides {
			f.turns = append(f.turns, *f.source.newTally())
		}
	}
}

// Turn reads all counters and begins a side's turn; -1: nobody's. It allocates nothing.
func (s *Sampler) Turn(side int) {
	began := threadSeconds()
	for _, f := range s.files {
		at, value, err := f.read(s.buf[:])
		f.count(at, value, err)
		if f.tally = nil; side >= 0 {
			f.tally = &f.turns[side]
			f.tally.begun = false
			f.count(at, value, err)
		}
	}
	s.costS += threadSeconds() - began
}

// Turns returns the energy that each domain used in the turns of a side.
func (s *Sampler) Turns(side int) []Used {
	var out []Used
	for _, f := range s.files {
		out = append(out, usedOf(f.source.domain, &f.turns[side]))
	}
	return out
}

func usedOf(domain record.Power, t *tally) Used {
	u := Used{Power: domain}
	u.Joules, u.Seconds, u.Err = t.used()
	return u
}

// CostS returns the CPU seconds that all readings took so far, and the part of programs.
func (s *Sampler) CostS() (all, programs float64) {
	if s == nil {
		return 0, 0
	}
	for _, m := range s.programs {
		programs += m.cost()
	}
	return s.costS + programs, programs
}

// Close ends the sampler. It may be called again.
func (s *Sampler) Close() {
	if s == nil {
		return
	}
	s.Stop()
	for _, f := range s.files {
		_ = f.file.Close()
	}
	s.files = nil
}

func (s *Sampler) sample() {
	began := threadSeconds()
	for _, f := range s.files {
		f.count(f.read(s.buf[:]))
	}
	s.costS += threadSeconds() - began
}

func threadSeconds() float64 {
	s, _ := cputime.ClockSeconds(unix.CLOCK_THREAD_CPUTIME_ID)
	return s
}

// read returns the counter's or sensor's number, and when it was read on CLOCK_MONOTONIC.
func (f *fileMeter) read(buf []byte) (at int64, value uint64, err error) {
	n, err := f.file.ReadAt(buf, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, 0, err
	}
	value, ok := number(buf[:n])
	if !ok {
		return 0, 0, fmt.Errorf("%s: %.30q is not a number", f.source.path, buf[:n])
	}
	at, err = cputime.Monotonic()
	return at, value, err
}

// count adds a reading to the current tally, if there is one.
func (f *fileMeter) count(at int64, value uint64, err error) {
	switch {
	case f.tally == nil:
	case err != nil:
		f.tally.fail(err)
	default:
		f.tally.add(at, value)
	}
}

// number parses the number of a file of sysfs without allocation.
func number(text []byte) (uint64, bool) {
	var n uint64
	digits := 0
	for _, c := range text {
		if c == '\n' || c == ' ' {
			continue
		}
		if c < '0' || c > '9' || digits == 19 {
			return 0, false
		}
		n, digits = n*10+uint64(c-'0'), digits+1
	}
	return n, digits > 0
}

// programMeter is a meter that is read by running a program.
type programMeter struct {
	source  source
	program process.Program
	tally   tally
	cancel  context.CancelFunc
	done    chan struct{}
	mu      sync.Mutex
	costS   float64
}

func newProgram(s source) *programMeter {
	m := &programMeter{source: s}
	m.program = process.Program{Name: "energy", Path: s.argv[0], Argv: s.argv, Timeout: programLimit, Keep: 4 << 10,
		Env: os.Environ(), Shell: s.argv[0] == "sh"}
	return m
}

// try reads the meter once, and learns whether it prints energy or power.
func (m *programMeter) try(ctx context.Context) error {
	if err := m.program.Find(); err != nil {
		return err
	}
	p, err := m.read(ctx)
	m.tally.watts = p.watts
	return err
}

func (m *programMeter) read(ctx context.Context) (printed, error) {
	o, err := m.program.Run(ctx)
	m.mu.Lock()
	m.costS += (o.User + o.System).Seconds()
	m.mu.Unlock()
	if err != nil {
		return printed{}, failed(o, err)
	}
	return parsePrinted(string(o.Out.Head))
}

// failed words a failure without the command or its output, which may contain a password.
func failed(o process.Outcome, err error) error {
	var f *process.Failure
	switch {
	case !errors.As(err, &f):
		return err
	case f.Why == process.Timeout:
		return fmt.Errorf("it did not end within %v", programLimit)
	case f.Why == process.Status && o.Status.Exited():
		return fmt.Errorf("it exited with status %d", o.Status.ExitStatus())
	case f.Why == process.Status:
		return fmt.Errorf("it was killed by signal %d", int(o.Status.Signal()))
	}
	return errors.New("it could not be started")
}

func (m *programMeter) start() {
	ctx, cancel := context.WithCancel(context.Background())
	m.cancel, m.done = cancel, make(chan struct{})
	m.tally = tally{watts: m.tally.watts}
	go func() {
		defer close(m.done)
		next := time.NewTicker(programStep)
		defer next.Stop()
		for ctx.Err() == nil {
			m.sample(ctx)
			select {
			case <-next.C:
			case <-ctx.Done():
			}
		}
	}()
}

// sample takes one reading. It counts for the middle of the program's run.
func (m *programMeter) sample(ctx context.Context) {
	began, err := cputime.Monotonic()
	if err != nil {
		m.tally.fail(err)
		return
	}
	p, err := m.read(ctx)
	if ctx.Err() != nil {
		return
	}
	ended, _ := cputime.Monotonic()
	switch {
	case err != nil:
		m.tally.fail(err)
	case p.watts != m.tally.watts:
		m.tally.fail(errors.New("it prints joules and watts in turn"))
	default:
		m.tally.add(began+(ended-began)/2, p.value)
	}
}

// stop ends the program if it is running. Its reading would be one after the window.
func (m *programMeter) stop() {
	m.cancel()
	<-m.done
}

func (m *programMeter) cost() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.costS
}
