package hosts

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"syscall"
	"time"

	"plimsoll/internal/base/list"
	"plimsoll/internal/base/process"
	"plimsoll/internal/machine/hostlist"
)

// Checks are what hosts are asked.
type Checks struct {
	Paths   []string      // directories whose file systems are described
	Self    string        // path of this program
	Version string        // of this program
	Carry   bool          // it is brought to hosts that lack an equal one
	Limit   time.Duration // for each host; 0: 10 s
}

const defaultLimit = 10 * time.Second

// atOnce bounds the connections that are open at one time: each is a process here.
const atOnce = 64

// Check asks all hosts at once, and returns an answer for each in their order.
func (c Checks) Check(ctx context.Context, hosts []hostlist.Host) []hostlist.Checked {
	return list.AtOnce(atOnce, hosts, func(h hostlist.Host) hostlist.Checked { return c.one(ctx, h) })
}

func (c Checks) one(ctx context.Context, h hostlist.Host) hostlist.Checked {
	out := hostlist.Checked{Host: h}
	ctx, cancel := context.WithTimeoutCause(ctx, cmp.Or(c.Limit, defaultLimit),
		fmt.Errorf("no answer within %v", cmp.Or(c.Limit, defaultLimit)))
	defer cancel()
	err := c.ask(ctx, h.Command, &out)
	if out.Reached = err == nil; err != nil {
		out.Cause = err.Error()
		if h.Trouble != "" {
			out.Cause = h.Trouble + "; " + out.Cause
		}
	}
	if h.Command == "" && out.Reached {
		out.Plimsoll, out.Version = c.Self, c.Version // agents here are this program
	}
	out.Judge(c.Version, c.Carry)
	return out
}

// ask carries out the script on a host and reads its clock by one round trip.
func (c Checks) ask(ctx context.Context, command string, to *hostlist.Checked) error {
	cmd := exec.Command("sh", "-c", command+" sh -s")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	words := &process.LastWords{}
	cmd.Stderr, cmd.WaitDelay = words, time.Second
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err = c.converse(stdin, bufio.NewReader(io.LimitReader(stdout, hostlist.MaxProbe)), to)
	// The script has ended, or what runs there is of no use: a connection that does not see that is ended.
	_ = stdin.Close()
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	stop()
	_ = cmd.Wait()
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if said := saying(words.String()); err != nil && said != "" {
		return fmt.Errorf("%s (%w)", said, err)
	}
	return err
}

func (c Checks) converse(stdin io.Writer, stdout *bufio.Reader, to *hostlist.Checked) error {
	// A shell that is not there closes its input, and the answer says so.
	_, _ = io.WriteString(stdin, hostlist.Script(c.Paths))
	line, err := stdout.ReadString('\n')
	if err != nil {
		return errors.New("no shell answered")
	}
	if line != hostlist.Greeting+"\n" {
		return fmt.Errorf("it printed %.60q before anything was asked", line)
	}
	before := time.Now()
	if _, err := io.WriteString(stdin, "go\n"); err != nil {
		return errors.New("its connection broke off")
	}
	clock, err := stdout.ReadString('\n')
	after := time.Now()
	if err != nil {
		return errors.New("its answer broke off")
	}
	rest, err := untilEnd(stdout)
	if err != nil {
		return err
	}
	if to.Probe, err = hostlist.ReadProbe(append([]byte(clock), rest...)); err != nil {
		return err
	}
	half := after.Sub(before) / 2
	if to.Clock > 0 {
		to.ClockOffset, to.ClockError = to.Clock-seconds(before.Add(half)), half.Seconds()
	}
	return nil
}

// untilEnd reads to the script's last line: a stream behind it may never end.
func untilEnd(r *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		line, err := r.ReadString('\n')
		out = append(out, line...)
		if line == "end\n" {
			return out, nil
		}
		if err != nil {
			return out, errors.New("its answer broke off")
		}
	}
}

func seconds(t time.Time) float64 { return float64(t.UnixNano()) / 1e9 }
