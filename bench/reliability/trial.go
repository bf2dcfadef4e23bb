package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// trial is one session with a fault, in a directory of its own.
type trial struct {
	program string
	dir     string
	session string // path of its file
	mark    string // in the environment of all its processes
	planted string // the bug that is on; "": none
	random  *rand.Rand
	tree    bool          // its command leaves a process
	apart   bool          // its runs take so long that each has its own process and write
	replace []string      // arguments instead of those of the usual plan; nil: none
	own     []string      // environment of its own
	runs    int           // that the session has in the end
	limit   time.Duration // for one command
	size    size
	started int          // commands so far
	seen    map[int]bool // all processes of it that were seen
	known   truth        // what the campaign knows of its session by its own clock
}

// size is how large a campaign's longer trials are.
type size struct {
	flag           string        // with which a trial is the same again, after a space; "": none
	clients, files int           // of a server of sessions
	serving        time.Duration // for how long they read
	still          time.Duration // the longest standstill
	atOnce         bool          // no remote that is silent or leaves a line out: sessions wait for it, up to six minutes
}

// outcome is what a trial found.
type outcome struct {
	hit    bool   // the fault came while something was at stake
	broken string // the invariant that does not hold; "": all do
	figure string // what was measured by the way; "": nothing
}

// plants is the environment variable whose value names the bug that is on in a build with all of them.
const plants = "PLIMSOLL_PLANTED"

// ordered is the number of runs of a session.
const ordered = 6

// newTrial makes a trial's directory below another one.
func newTrial(work, name string, seed uint64) (*trial, error) {
	t := &trial{dir: filepath.Join(work, name), mark: fmt.Sprintf("PLIMSOLL_RELIABILITY=%d-%s", os.Getpid(), name),
		random: rand.New(rand.NewPCG(seed, 25)), runs: ordered, limit: longest, seen: map[int]bool{},
		known: truth{began: monotonic()}}
	t.session = filepath.Join(t.dir, "s.plimsoll.jsonl")
	t.apart = t.random.IntN(2) == 0
	engines := filepath.Join(t.dir, "home", "plimsoll", "engines")
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return t, errors.Join(os.MkdirAll(filepath.Join(t.dir, "tmp"), 0o755), os.Mkdir(filepath.Join(t.dir, "data"), 0o755),
		os.MkdirAll(filepath.Dir(engines), 0o755),
		os.Symlink(filepath.Join(cache, "plimsoll", "engines"), engines)) // Kafka, which takes minutes to set up
}

// environ returns an environment in which nothing outside of the trial's directory is written.
func (t *trial) environ() []string {
	home := filepath.Join(t.dir, "home")
	return append([]string{"PATH=" + filepath.Dir(t.program) + ":" + os.Getenv("PATH"), "HOME=" + home,
		"XDG_STATE_HOME=" + home, "XDG_CACHE_HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "config"),
		"TMPDIR=" + filepath.Join(t.dir, "tmp"), t.mark, plants + "=" + t.planted}, t.own...)
}

// running is a plimsoll that runs.
type running struct {
	cmd   *exec.Cmd
	said  atomic.Int64  // runs that it has reported
	told  chan struct{} // closed once it says nothing more: it has ended, though nobody has waited for it yet
	text  bytes.Buffer  // all that it wrote to standard error
	began int64         // CLOCK_MONOTONIC: it was started afterwards
	out   *os.File      // and to standard output

	limit time.Duration
}

// reported matches the report of a run on standard error, such as "run 3/6 exec: 51.7 ms".
func reported() *regexp.Regexp { return regexp.MustCompile(`^run \d+/\d+ [^:]+: `) }

// start starts the session; with resume what is missing of it.
func (t *trial) start(ctx context.Context, resume bool) (*running, error) {
	nap := "sleep 0.04" // all runs share a process, and are written at once
	if t.apart {
		nap = "sleep 0.12"
	}
	command := nap
	if t.tree {
		command = `sh -c "sleep 60 & ` + nap + `"`
	}
	args := []string{t.program, "run", "exec", "--set", "exec.command=" + command, "--replicates", strconv.Itoa(ordered),
		"-o", t.session}
	if t.replace != nil {
		args = append([]string{t.program, "run"}, append(t.replace, "-o", t.session)...)
	}
	if resume {
		args = []string{t.program, "run", "--resume", t.session}
	}
	return t.command(ctx, args)
}

// command starts a command, and keeps what it writes in the trial's directory.
func (t *trial) command(ctx context.Context, args []string) (*running, error) {
	r := &running{cmd: exec.CommandContext(ctx, args[0], args[1:]...), told: make(chan struct{}), limit: t.limit,
		began: monotonic()}
	r.cmd.Dir, r.cmd.Env = t.dir, t.environ()
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	t.started++
	name := filepath.Join(t.dir, fmt.Sprintf("said-%d", t.started))
	kept, err := os.Create(name + ".err")
	if err != nil {
		return nil, err
	}
	if r.out, err = os.Create(name + ".out"); err != nil {
		return nil, err
	}
	defer r.out.Close()
	r.cmd.Stdout = r.out
	said, err := r.cmd.StderrPipe()
	if err == nil {
		err = r.cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	go func() {
		defer close(r.told)
		defer kept.Close()
		r.listen(io.TeeReader(said, io.MultiWriter(&r.text, kept)))
	}()
	return r, nil
}

// over reports whether it has ended.
func (r *running) over() bool {
	select {
	case <-r.told:
		return true
	default:
		return false
	}
}

// listen counts the runs that are reported.
func (r *running) listen(said io.Reader) {
	lines, run := bufio.NewScanner(said), reported()
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if run.MatchString(lines.Text()) {
			r.said.Add(1)
		}
	}
	_, _ = io.Copy(io.Discard, said) // after a line that is longer
}

// longest bounds a session of a second: each of two runs may be tried four times, and waits 20 s for an agent that is
// silent, or twice, and waits 3 min for one that does not say that it is done.
const longest = 15 * time.Minute

// wait waits until it has ended, and returns its exit code: -1 if it was killed, -2 if it hangs.
func (r *running) wait() int {
	killed := time.AfterFunc(r.limit, func() { _ = r.cmd.Process.Kill() })
	<-r.told
	_ = r.cmd.Wait()
	if !killed.Stop() {
		return -2
	}
	return r.cmd.ProcessState.ExitCode()
}

// processes returns the processes of the trial: those that have its mark, or work below its directory.
func (t *trial) processes() []int {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	var out []int
	for _, dir := range dirs {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		// nginx writes over its environment, but works in the scratch directory.
		at, _ := os.Readlink(filepath.Join(dir, "cwd"))
		if err == nil && strings.Contains(string(env)+"\x00", t.mark+"\x00") || strings.HasPrefix(at, t.dir+"/") {
			pid, _ := strconv.Atoi(filepath.Base(dir))
			t.seen[pid] = true
			out = append(out, pid)
		}
	}
	return out
}

// agents returns those of its processes that are agents.
func (t *trial) agents() []int {
	var out []int
	for _, pid := range t.processes() {
		if t.isAgent(pid) {
			out = append(out, pid)
		}
	}
	return out
}

// isAgent reports whether a process is an agent of the program, also one that a command has started.
func (t *trial) isAgent(pid int) bool {
	at, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
	_, verb, _ := strings.Cut(arguments(pid), "\x00")
	return at == t.program && strings.HasPrefix(verb, "agent\x00")
}

// patience is how long processes may take to notice that their parent is gone.
const patience = 15 * time.Second

// deserted returns what is left of its processes.
func (t *trial) deserted() error {
	deadline := time.Now().Add(patience)
	for {
		left := t.processes()
		if len(left) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			for _, pid := range left {
				_ = unix.Kill(pid, unix.SIGKILL)
			}
			return fmt.Errorf("%d processes are left after %v", len(left), patience)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// kept checks what a file has after a fault: all that was said, nothing twice, and no valid run that cannot be one by
// the campaign's own clock.
func (t *trial) kept(said int64) (content, error) {
	c, err := readSession(t.session)
	if errors.Is(err, os.ErrNotExist) && said == 0 {
		return c, nil
	}
	switch {
	case err != nil:
		return c, err
	case int64(len(c.runs)) < said:
		return c, fmt.Errorf("%d runs were reported, and %d are in the file", said, len(c.runs))
	case len(c.twice) > 0:
		return c, fmt.Errorf("in the file twice: %q", c.twice)
	}
	return c, t.known.holds(c, monotonic())
}

// whole resumes a session, and checks that all of it is there then, and nothing else is left.
func (t *trial) whole(ctx context.Context, before content) error {
	if !before.planned {
		return nil // it had not begun
	}
	r, err := t.start(ctx, true)
	if err != nil {
		return err
	}
	code := r.wait()
	after, err := t.kept(int64(len(before.runs)))
	switch {
	case err != nil:
		return fmt.Errorf("after --resume: %w", err)
	case code != 0:
		return fmt.Errorf("--resume ends with %d: %s", code, r.text.String())
	case after.valid() != t.runs:
		return fmt.Errorf("%d of %d runs are there after --resume", after.valid(), t.runs)
	case after.foreign < before.foreign:
		return fmt.Errorf("of %d lines that another program has appended --resume left %d", before.foreign, after.foreign)
	}
	for id := range before.runs {
		if _, ok := after.runs[id]; !ok {
			return fmt.Errorf("--resume lost the run %s", id)
		}
	}
	return errors.Join(t.deserted(), t.tidy())
}

// text returns what an error says; "" for none.
func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
