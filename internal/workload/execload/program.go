package execload

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"plimsoll/internal/workload"
)

// program is a command that is ready to be run, any number of times and on any
// number of threads.
type program struct {
	path    string // of the executable; relative to dir where it has a slash
	argv    []string
	dir     string
	env     []string
	enter   func(*syscall.SysProcAttr, func() (int, error)) error // nil: just start
	timeout time.Duration
	keep    int // bytes of standard output to keep for parsing
	shell   bool
	buffers sync.Pool // to read output into: the agent collects no garbage in a trial
}

func newProgram(env workload.Env, p workload.Params) (*program, error) {
	argv, err := words(p)
	if err != nil {
		return nil, err
	}
	prog := &program{
		path: argv[0], argv: argv, dir: p.Text(paramDir), shell: p.Bool(paramShell),
		env: env.Environ, enter: env.Enter,
		timeout: time.Duration(p.Number(paramTimeout) * float64(time.Second)),
	}
	if p.Text(paramParse) != parseTime {
		prog.keep = p.Int(paramLimit)
	}
	return prog, nil
}

// find resolves the executable, so that a run need not search for it, and
// tells what would make every run fail.
func (p *program) find() error {
	if p.dir != "" {
		if st, err := os.Stat(p.dir); err != nil || !st.IsDir() {
			return fmt.Errorf("exec: %s is not a directory here\nhint: make it, or --set exec.dir=…", p.dir)
		}
	}
	if strings.Contains(p.path, "/") {
		return nil
	}
	path, err := exec.LookPath(p.path)
	if err != nil {
		return p.startError(err)
	}
	p.path = path
	return nil
}

// run runs the command once and returns when nothing is left of it. A run
// that did not succeed is a *failure.
func (p *program) run(ctx context.Context) (outcome, error) {
	// The kernel sends the parent-death signal when the thread that forked
	// ends, so this thread must outlive the child.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithTimeoutCause(ctx, p.timeout, errTimeout)
	defer cancel()
	if err := ctx.Err(); err != nil {
		return outcome{}, err
	}
	c, err := p.start()
	if err != nil {
		return outcome{}, p.startError(err)
	}
	o, err := c.wait(ctx)
	if err == nil && o.status == 0 {
		return o, p.withinLimit(o)
	}
	return o, p.failed(o, err)
}

func (p *program) start() (c *child, err error) {
	c = &child{}
	defer func() {
		if err != nil {
			c.abandon()
		}
	}()
	var outW, errW *os.File
	if c.out, outW, err = newSink(p.keep, &p.buffers); err != nil {
		return c, err
	}
	defer outW.Close() // the command has its own
	if c.err, errW, err = newSink(0, &p.buffers); err != nil {
		return c, err
	}
	defer errW.Close()
	c.cmd = &exec.Cmd{
		Path: p.path, Args: p.argv, Dir: p.dir, Env: p.env, Stdout: outW, Stderr: errW,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	}
	if p.enter == nil {
		_, err = c.start()
		return c, err
	}
	return c, p.enter(c.cmd.SysProcAttr, c.start)
}

// withinLimit refuses to parse an output whose end was not kept.
func (p *program) withinLimit(o outcome) error {
	if p.keep == 0 || o.out.size <= int64(p.keep) {
		return nil
	}
	return fmt.Errorf("exec: %s printed %d bytes, and %d are kept\nhint: --set exec.output_limit=…, or make it print less", p, o.out.size, p.keep)
}

// account takes over what the kernel counted for the command.
func (o *outcome) account(st *os.ProcessState) {
	o.user, o.system = st.UserTime(), st.SystemTime()
	o.status = st.Sys().(syscall.WaitStatus)
	o.maxRSS = st.SysUsage().(*syscall.Rusage).Maxrss << 10
}

// String is the command as messages show it.
func (p *program) String() string {
	if p.shell {
		return fmt.Sprintf("%q", clip(p.argv[2]))
	}
	return fmt.Sprintf("%q", clip(strings.Join(p.argv, " ")))
}

// errTimeout is the cause of a run that took too long.
var errTimeout = errors.New("timeout")
