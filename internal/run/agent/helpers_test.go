package agent

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/record"
)

// bench holds one test's agents: they have their own temporary directory, in which nothing may be left.
type bench struct {
	t       *testing.T
	client  Client
	machine record.Machine
	note    string
	mark    string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, client: Client{Self: self}, machine: record.Machine{Name: "here", ID: "0123456789ab"},
		note: filepath.Join(t.TempDir(), "note")}
	for i := range 1024 {
		if set.IsSet(i) {
			b.machine.CPU.Allowed = append(b.machine.CPU.Allowed, i)
		}
	}
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	t.Cleanup(func() { b.checkClean(tmp) })
	return b
}

// checkClean finds files or processes left by the bench's trials.
func (b *bench) checkClean(tmp string) {
	left, err := os.ReadDir(tmp)
	if err != nil || len(left) > 0 {
		b.t.Errorf("left in the temporary directory: %v, %v", left, err)
	}
	if pids := b.marked(); len(pids) > 0 {
		b.t.Errorf("processes left: %v", pids)
	}
}

func (b *bench) marked() []int {
	pids, err := procs.Marked(hostfs.System(), b.mark)
	if err != nil {
		b.t.Error(err)
	}
	return pids
}

// slow skips tests that inherently wait for seconds: a grace period, a silence, a process to kill.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it waits for a limit of seconds")
	}
}

// order asks for one trial of 100 ms with these faults.
func (b *bench) order(load record.LoadPoint, faults string) Request {
	name := strings.NewReplacer("/", "-", " ", "-").Replace(b.t.Name())
	o := record.Order{
		ID: fmt.Sprintf("%s-%d", name, os.Getpid()), Slot: record.Slot{Plan: "0011223344556677", Replicate: 2, Group: 3,
			Position: 1, Attempt: 1},
		Seed:    7,
		WarmupS: .02, DurationS: .1,
		Sides: []record.Side{
			{Cell: 4, Workload: "fake", Load: load, Params: record.Params{"faults": faults},
				Levels: map[string]string{"how": "well"}}},
	}
	b.mark = MarkVar + "=" + o.ID
	return Request{Do: DoTrial, Order: &o, Machine: &b.machine}
}

// noting has the trial tell when it runs.
func (b *bench) noting(req Request) Request {
	req.Order.Sides[0].Params["note"] = b.note
	return req
}

func closed(lanes int) record.LoadPoint {
	return record.LoadPoint{Kind: record.Closed, Level: float64(lanes), Unit: record.ParamClients}
}

// told collects an agent's messages.
type told struct {
	trials []record.Trial
	series map[string]record.Series
	events []record.Event
	early  bool // all events came before their trial
}

func (a *told) take(m Message) error {
	switch {
	case m.Trial != nil:
		a.trials = append(a.trials, *m.Trial)
	case m.Event != nil:
		a.events = append(a.events, *m.Event)
		a.early = len(a.trials) == 0
	case m.Series != nil:
		if a.series == nil {
			a.series = map[string]record.Series{}
		}
		a.series[m.Series.Name] = *m.Series
	}
	return nil
}

func (b *bench) do(req Request) (told, error) {
	b.t.Helper()
	var got told
	err := b.client.Do(b.t.Context(), req, got.take)
	return got, err
}

// one carries out an order that must give one trial.
func (b *bench) one(req Request) (record.Trial, told) {
	b.t.Helper()
	got, err := b.do(req)
	if err != nil || len(got.trials) != 1 {
		b.t.Fatalf("%d trials, %v; want one", len(got.trials), err)
	}
	return got.trials[0], got
}

// metered carries out an order until its CPU time was metered over the better part of its window: on a machine that
// is busy with other things the agent may wake only when the window has passed.
func (b *bench) metered(req Request) (record.Trial, told) {
	b.t.Helper()
	for range 20 {
		trial, got := b.one(req)
		if u := trial.CPU; u != nil && (trial.Load.Kind == record.Once || u.WindowS > req.Order.DurationS/2) {
			return trial, got
		}
	}
	return b.one(req)
}

// until waits for an event that must happen; the limit only ends a failing test.
func (b *bench) until(what string, done func() bool) {
	b.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("%s: not within 30 s", what)
		}
	}
}

func (b *bench) untilRunning() {
	b.t.Helper()
	b.until("an operation", func() bool {
		_, err := os.Stat(b.note)
		return err == nil
	})
}

func (b *bench) untilClean() {
	b.t.Helper()
	b.until("the end of what was started", func() bool { return len(b.marked()) == 0 })
	b.until("the end of the scratch directory", func() bool {
		left, _ := filepath.Glob(filepath.Join(os.TempDir(), "plimsoll-*"))
		return len(left) == 0
	})
}

// begin starts this binary with a request on its input, which stays open.
func (b *bench) begin(req Request, args []string, env ...string) (*exec.Cmd, io.Closer) {
	b.t.Helper()
	cmd := exec.Command(b.client.Self, args...)
	cmd.Env = append(append(os.Environ(), b.mark), env...)
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		in.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
	req.Protocol = Protocol
	if err := json.NewEncoder(in).Encode(req); err != nil {
		b.t.Fatal(err)
	}
	return cmd, in
}

// tree is the account of this process and all that it starts.
func (b *bench) tree() *account.Tree { return account.NewTree(hostfs.System(), os.Getpid()) }
