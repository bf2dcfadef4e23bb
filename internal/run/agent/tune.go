package agent

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/knob"
	"plimsoll/internal/machine/host/owed"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// tuning is what a trial holds of the machine's settings, and has changed.
type tuning struct {
	held  *knob.Held
	guard *guard      // nil if nothing is changed
	stay  func() bool // ends that the settings are put back as soon as the trial is told to stop
}

func (a Agent) state() string { return cmp.Or(a.State, knob.Dir) }

// tune brings the machine's settings that the order names into force, before anything is prepared. A watchdog puts them
// back if this process is killed.
func (t *trial) tune(ctx context.Context) error {
	if len(t.servers) > 0 {
		return nil // the target's machine is meant
	}
	side := t.order.Sides[0]
	settings, err := t.agent.settings(side, t.mayTune, t.scratch)
	if err != nil || len(settings) == 0 {
		return err
	}
	h, err := knob.Take(ctx, t.agent.Root, t.agent.state(), t.order.Plan, settings)
	if err != nil {
		return refused([]error{err})
	}
	t.tuning = &tuning{held: h}
	if len(h.Owed()) == 0 {
		return nil
	}
	if err := h.Keep(); err != nil {
		return err
	}
	if t.tuning.guard, err = startGuard(h); err != nil {
		return err
	}
	if err := h.Change(); err != nil {
		return fmt.Errorf("changing settings of the machine: %w", err)
	}
	t.tuning.stay = context.AfterFunc(ctx, func() { _ = h.PutBack() })
	return nil
}

// end puts everything back, and lets others have the settings. What could not be put back stays owed: the next command
// tries again, and says why it cannot.
func (u *tuning) end() {
	if u == nil {
		return
	}
	if u.stay != nil {
		u.stay()
	}
	_ = u.held.PutBack()
	u.guard.stop()
	u.held.Close()
}

// tuned records what a trial found of the settings, and fails it if they did not stay as they were to be.
func (t *trial) tuned() {
	if t.tuning == nil {
		return
	}
	err := t.tuning.held.Verify()
	for _, s := range t.sides {
		for name, value := range t.tuning.held.Found() {
			s.trial.Keys[record.FoundPrefix+strings.TrimPrefix(name, record.TunePrefix)] = value
		}
		if err != nil {
			s.voidFor(err.Error())
		}
		for _, text := range t.tuning.held.Idle() {
			s.doubt(text)
		}
	}
}

// settings returns the settings of this machine that a side names, and an error that has all that it cannot have.
func (a Agent) settings(s record.Side, may bool, scratch string) ([]knob.Setting, error) {
	if s.Params.Tuned() && !may {
		return nil,
			usage.Errorf("%s changes settings of the machine, which nobody has permitted\nhint: plimsoll run … --tune",
				s.Workload)
	}
	spec, ok := workload.Find(a.Workloads, s.Workload)
	if !ok {
		return nil, nil // the order fails, with the reason
	}
	at := knob.At{Root: a.Root, Data: scratch}
	if spec.Path != nil {
		path, known := spec.Path(workload.NewParams(spec.Workload, s.Params))
		if at.Data = cmp.Or(path, scratch); !known {
			at.Data = ""
		}
	}
	params := maps.Clone(s.Params)
	var unlimited []error
	if limit, ok := params[knob.CPULimit]; ok && limit != record.AsFound && spec.Charge == workload.Lanes &&
		params[record.ParamTuneGroup] == "" {
		delete(params, knob.CPULimit)
		unlimited = append(unlimited, knob.Refusal{Name: knob.CPULimit, Value: limit,
			Err: fmt.Errorf("%s starts no process that could "+
				"be limited: plimsoll does the work itself; systemd-run -p CPUQuota=… plimsoll run … limits that", s.Workload)})
	}
	out, errs := knob.Find(at, params)
	if errs = append(errs, unlimited...); len(errs) > 0 {
		return nil, refused(errs)
	}
	return out, nil
}

// refused returns the error of settings that a machine cannot have.
func refused(errs []error) error {
	var texts, names []string
	root := false
	for _, err := range errs {
		texts = append(texts, err.Error())
		root = root || errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) && !knob.Kept(err)
		if r := (knob.Refusal{}); errors.As(err, &r) && record.IsSetting(r.Name) {
			names = append(names, fmt.Sprintf("--set %s=%s", r.Name, record.AsFound))
		}
	}
	text := strings.Join(texts, "; ")
	switch {
	case root:
		return usage.Errorf("nothing was changed: %s\nhint: sudo plimsoll run …, or --on 'ssh root@HOST'", text)
	case len(names) > 0:
		return usage.Errorf("nothing was changed: %s\nhint: %s leaves it as it is", text, strings.Join(names, " "))
	case errors.As(errs[0], new(knob.Refusal)):
		return usage.Errorf("nothing was changed: %s", text)
	case errors.As(errs[0], new(knob.InUse)):
		return usage.Wrap(errs[0])
	}
	return errs[0]
}

// tunable answers whether this machine can have the settings that a side names. It changes nothing.
func (a Agent) tunable(ctx context.Context, out *sender, req Request) error {
	settings, err := a.settings(*req.Side, req.Tune, os.TempDir())
	if err != nil || len(settings) == 0 {
		return err
	}
	h, err := knob.Take(ctx, a.Root, a.state(), "", settings)
	if err != nil {
		return refused([]error{err})
	}
	defer h.Close()
	for _, text := range append(h.Changes(), h.Idle()...) {
		if err := out.send(Message{Kind: kindRemark, Remark: text}); err != nil {
			return err
		}
	}
	return nil
}

// putBackDead puts back what killed agents owe to this host, and says so.
func (a Agent) putBackDead(out *sender) error {
	done, err := knob.PutBackDead(a.Root, a.state())
	if err != nil {
		done = append(done, err.Error())
	}
	for _, text := range done {
		if err := out.send(Message{Kind: kindRemark, Remark: text}); err != nil {
			return err
		}
	}
	return nil
}

// untuned ends a session's hold of settings, and returns an error if any could not be put back.
func (a Agent) untuned(plan string) error {
	_, err := knob.PutBackDead(a.Root, a.state())
	knob.Release(a.Root, a.state(), plan)
	return err
}

// guard is the watchdog of a trial: a process of its own, in no group or tree of the trial's, which puts back what the
// trial's agent owes once that is gone.
type guard struct {
	hold io.Closer // its end tells the guard that this process is gone
	said *os.File
}

// startGuard returns once the guard watches. It inherits the locks, so that nobody takes the settings before they are
// put back.
func startGuard(h *knob.Held) (*guard, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("starting the watchdog: %w", err)
	}
	read, hold, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("starting the watchdog: %w", err)
	}
	defer read.Close()
	// The shell that starts it ends at once, so that it is no descendant of this process, whose descendants are the work.
	cmd := exec.Command("sh", "-c", `"$0" agent <&3 3<&- &`, self)
	cmd.ExtraFiles = append([]*os.File{read}, h.Locks()...)
	cmd.Env = slices.DeleteFunc(os.Environ(), func(e string) bool { return strings.HasPrefix(e, MarkVar+"=") })
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	said, to, err := os.Pipe()
	if err != nil {
		hold.Close()
		return nil, fmt.Errorf("starting the watchdog: %w", err)
	}
	cmd.Stdout = to
	g := &guard{hold: hold, said: said}
	err = cmd.Run()
	to.Close()
	if err == nil {
		err = g.greet(h, hold)
	}
	if err != nil {
		g.stop()
		return nil, fmt.Errorf("starting the watchdog that puts settings back: %w", err)
	}
	return g, nil
}

// greet sends the guard its request, and waits until it watches.
func (g *guard) greet(h *knob.Held, to io.Writer) error {
	req := Request{Protocol: Protocol, Do: DoGuard}
	for _, f := range h.Owed() {
		req.Owed = append(req.Owed, string(f))
	}
	if err := json.NewEncoder(to).Encode(req); err != nil {
		return err
	}
	from := bufio.NewReader(g.said)
	for {
		line, err := from.ReadBytes('\n')
		if err != nil {
			return err
		}
		var m Message
		if err := json.Unmarshal(line, &m); err != nil {
			return err
		}
		switch {
		case m.Fault != nil:
			return m.Fault
		case m.Kind == kindDone:
			return nil
		}
	}
}

// stop waits until the guard has left. A nil guard is none.
func (g *guard) stop() {
	if g == nil {
		return
	}
	g.hold.Close()
	_ = g.said.SetReadDeadline(time.Now().Add(grace)) // one that is stopped would not leave
	_, _ = io.Copy(io.Discard, g.said)
	g.said.Close()
}

// guard puts back what is owed by these files once the input ends, and not before: signals that end other processes of
// its agent's group do not end it.
func (a Agent) guard(in io.Reader, out *sender, files []string) error {
	signal.Ignore(unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGPIPE)
	var all []owed.File
	for _, f := range files {
		if !strings.HasPrefix(f, filepath.Clean(a.state())+"/") {
			return out.fault(fmt.Errorf("%.80q is not in %s", f, a.state()))
		}
		all = append(all, owed.File(f))
	}
	if err := out.send(Message{Kind: kindDone}); err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, in)
	return knob.PutBack(a.Root, all)
}

// node is a NUMA node that the work is kept to.
type node struct {
	number int
	cpus   []int
}

// within returns those of the CPUs that are the node's; all of the node's if there is no choice among CPUs.
func (n node) within(cpus []int) []int {
	if len(cpus) == 0 {
		return n.cpus
	}
	return slices.DeleteFunc(slices.Clone(cpus), func(cpu int) bool { return !slices.Contains(n.cpus, cpu) })
}

// place reads where the work's own processes are to run: on which NUMA node, and with how much CPU time.
func (s *side) place(root hostfs.Root, m record.Machine) error {
	all := s.params.All()
	if value, ok := all[knob.NUMA]; ok && value != record.AsFound {
		number, err := strconv.Atoi(value)
		if err != nil {
			return usage.Errorf("%s=%s: it is not the number of a NUMA node", knob.NUMA, value)
		}
		cpus, err := knob.NodeCPUs(root, number)
		if err != nil {
			return usage.Errorf("%s=%s: %w", knob.NUMA, value, err)
		}
		s.node = &node{number: number, cpus: cpus}
		if s.node.cpus = s.node.within(m.CPU.Allowed); len(s.node.cpus) == 0 {
			return usage.Errorf("%s=%s: none of its CPUs may be used here", knob.NUMA, value)
		}
	}
	if value, ok := all[knob.CPULimit]; ok && value != record.AsFound && all[record.ParamTuneGroup] == "" {
		cpus, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return usage.Errorf("%s=%s: it is not a number of CPUs", knob.CPULimit, value)
		}
		s.cap = &cpus
	}
	return nil
}
