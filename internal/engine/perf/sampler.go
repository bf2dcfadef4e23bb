package perf

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/engine"
)

// answersWithin bounds the time until perf is ready, and until it acknowledges a command: it reads the maps of all
// processes first.
const answersWithin = 20 * time.Second

// sampler is one perf record.
type sampler struct {
	in     engine.Install
	file   string
	clock  string
	permit permit
	period int64
	own    []int
	cmd    *exec.Cmd
	said   engine.Output
	words  *os.File      // commands to it
	acks   chan struct{} // one for each acknowledged command
	ended  chan struct{}
	err    error // exit error; read once ended is closed
	once   sync.Once
}

// Attach implements engine.Profiler: it starts perf record, which waits.
func (Profiler) Attach(ctx context.Context, in engine.Install, s engine.Sampling) (engine.Sampler, error) {
	p, err := permitted(try)
	if err != nil {
		return nil, err
	}
	r := &sampler{in: in, file: filepath.Join(s.Scratch, "perf.data"), permit: p, clock: clock(p),
		acks: make(chan struct{}, 8), ended: make(chan struct{})}
	var args []string
	args, r.period = arguments(r.file, r.clock, p, s.Pids, s.Tids, s.PeriodNs)
	if err := r.start(ctx, args); err != nil {
		return nil, fmt.Errorf("perf: start %s: %w", in.Path, err)
	}
	if err := r.tell("disable"); err != nil { // ready once it answers
		r.Close()
		return nil, err
	}
	return r, nil
}

// environ disables a user's settings for perf, and symbol servers.
func environ() []string {
	return append(os.Environ(), "PERF_CONFIG=/dev/null", "DEBUGINFOD_URLS=", "LC_ALL=C", "PAGER=cat")
}

func (r *sampler) start(ctx context.Context, args []string) error {
	hear, words, err := os.Pipe()
	if err != nil {
		return err
	}
	heeded, answer, err := os.Pipe()
	if err != nil {
		return errors.Join(err, hear.Close(), words.Close())
	}
	r.words = words
	r.cmd = exec.CommandContext(ctx, r.in.Path, args...)
	r.cmd.Env, r.cmd.Stdout, r.cmd.Stderr = environ(), &r.said, &r.said
	r.cmd.ExtraFiles = []*os.File{hear, answer}
	endsByItself(r.cmd)
	started := make(chan error)
	go r.live(started)
	err = <-started
	hear.Close()
	answer.Close()
	if err != nil {
		return errors.Join(err, words.Close(), heeded.Close())
	}
	r.own = []int{r.cmd.Process.Pid}
	go r.listen(heeded)
	return nil
}

// tidiesWithin is how long perf has to remove its copy of the kernel's vdso from /tmp, once it is told to end.
const tidiesWithin = 10 * time.Second

// endsByItself interrupts perf when its context ends, and makes it end with this process.
func endsByItself(cmd *exec.Cmd) {
	cmd.SysProcAttr = dying()
	cmd.Cancel = func() error { return cmd.Process.Signal(unix.SIGINT) }
	cmd.WaitDelay = tidiesWithin
}

// dying makes perf end with this process, whatever ends it: one that samples the whole machine would write for ever.
func dying() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// live forks and waits on one thread: the kernel sends the parent-death signal when the thread that forked ends.
func (r *sampler) live(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := r.cmd.Start()
	started <- err
	if err == nil {
		r.err = r.cmd.Wait()
		close(r.ended)
	}
}

// listen counts acknowledgements: lines "ack", each followed by a zero byte in some versions.
func (r *sampler) listen(heeded io.ReadCloser) {
	defer heeded.Close()
	in := bufio.NewReader(heeded)
	for {
		if _, err := in.ReadString('\n'); err != nil {
			return
		}
		r.acks <- struct{}{}
	}
}

// tell sends a command and waits for its acknowledgement.
func (r *sampler) tell(word string) error {
	for len(r.acks) > 0 { // of an earlier command, acknowledged late
		<-r.acks
	}
	if _, err := io.WriteString(r.words, word+"\n"); err != nil {
		return r.failed(word, err)
	}
	timer := time.NewTimer(answersWithin)
	defer timer.Stop()
	select {
	case <-r.acks:
		return nil
	case <-r.ended:
		return r.failed(word, either(r.err, errors.New("it ended")))
	case <-timer.C:
		return r.failed(word, fmt.Errorf("it did not answer within %v", answersWithin))
	}
}

func either(err, otherwise error) error {
	if err != nil {
		return err
	}
	return otherwise
}

func (r *sampler) failed(word string, err error) error {
	return fmt.Errorf("perf: %s, command %s: %w%s", r.in.Path, word, err, r.said.Last())
}

// Begin implements engine.Sampler.
func (r *sampler) Begin() error { return r.tell("enable") }

// End implements engine.Sampler.
func (r *sampler) End() error { return r.tell("disable") }

// CPUSeconds implements engine.Sampler.
func (r *sampler) CPUSeconds() float64 {
	var ts unix.Timespec
	// The clock of another process: include/linux/posix-timers_types.h, MAKE_PROCESS_CPUCLOCK with CPUCLOCK_SCHED.
	const sched = 2
	if err := unix.ClockGettime(int32(^r.cmd.Process.Pid<<3|sched), &ts); err != nil {
		return 0
	}
	return float64(ts.Nano()) / 1e9
}

// writesWithin bounds the time in which perf record writes its remaining data.
const writesWithin = 60 * time.Second

// Close implements engine.Sampler.
func (r *sampler) Close() error {
	r.once.Do(func() {
		_ = r.cmd.Process.Signal(unix.SIGINT)
		select {
		case <-r.ended:
		case <-time.After(writesWithin):
			_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)
			<-r.ended
		}
		_ = r.words.Close()
	})
	return nil
}

// Samples implements engine.Sampler.
func (r *sampler) Samples(ctx context.Context) (engine.Samples, error) {
	out := engine.Samples{Clock: r.clock, PeriodNs: r.period}
	_ = r.Close()
	// It exits by the signal that it was sent.
	var exit *exec.ExitError
	if r.err != nil && !errors.As(r.err, &exit) {
		return out, r.failed("end", r.err)
	}
	s, err := r.script(ctx)
	if err != nil {
		return out, err
	}
	out.Own = append(r.own, s.pid)
	out.Stacks, out.Parents = s.stacks(), s.parents
	out.Doubts = r.doubts(s)
	return out, nil
}

// script runs perf script on the recording, and parses its output.
func (r *sampler) script(ctx context.Context) (*scripted, error) {
	runtime.LockOSThread() // see dying
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, r.in.Path, "script", "-i", r.file, "--force", "--no-inline", "--ns",
		"--show-task-events", "--show-lost-events",
		"-F", "comm,pid,tid,time,ip,sym,dso")
	var said engine.Output
	cmd.Env, cmd.Stderr = environ(), &said
	endsByItself(cmd)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("perf: start %s script: %w", r.in.Path, err)
	}
	s := newScripted(newGoSymbols())
	s.pid = cmd.Process.Pid
	readErr := s.read(out)
	if readErr != nil {
		_ = cmd.Process.Kill()
	}
	if err := cmd.Wait(); err != nil && readErr == nil {
		return nil, fmt.Errorf("perf: %s script: %w%s", r.in.Path, err, said.Last())
	}
	return s, readErr
}

// doubts returns the warnings about the samples as a whole.
func (r *sampler) doubts(s *scripted) []string {
	var out []string
	if r.permit == userOnly {
		out = append(out, "stacks lack the kernel's part"+remedy())
	}
	if s.lost > 0 {
		out = append(out, fmt.Sprintf("%d samples were lost because perf could not write them in time", s.lost))
	}
	if s.kernel > 0 && s.kernelNamed == 0 {
		out = append(out, "the kernel's functions have no names\nhint: sudo sysctl kernel.kptr_restrict=0")
	}
	return out
}
