package agent

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// wantLost carries out a request whose agent must be lost for that reason.
func (b *bench) wantLost(req Request, why string) {
	b.t.Helper()
	got, err := b.do(req)
	var lost Lost
	if !errors.As(err, &lost) || !strings.Contains(lost.Reason, why) || len(got.trials) > 0 {
		b.t.Errorf("%v (%d trials), want a lost agent with %q", err, len(got.trials), why)
	}
}

func TestHaltedAgentIsKilled(t *testing.T) {
	slow(t)
	b := newBench(t)
	b.client.Silence, b.client.Grace = 2*time.Second, 100*time.Millisecond
	b.wantLost(b.order(closed(1), "stop starts"), "no output for 2s")
}

func TestPanicIsTold(t *testing.T) {
	b := newBench(t)
	b.wantLost(b.order(closed(1), "panic starts"), "a workload's bug")
}

func TestKilledAgentLeavesNothing(t *testing.T) {
	b := newBench(t)
	req := b.noting(b.order(closed(1), "linger starts"))
	go func() {
		b.untilRunning()
		for _, pid := range b.marked() {
			if cmdline, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline"); strings.HasSuffix(string(cmdline),
				"\x00agent\x00") {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}()
	b.wantLost(req, "the agent died: signal: killed")
}

func TestCancelledTrialLeavesNothing(t *testing.T) {
	for name, faults := range map[string]string{
		"that heeds it":     "linger starts",
		"with a deaf child": "linger starts-deaf",
		"with a deaf lane":  "hang starts",
		"with a busy lane":  "spin starts",
		"that cannot close": "linger starts never-closes",
		"that is measuring": "starts",
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(faults, "starts-deaf") {
				slow(t)
			}
			b := newBench(t)
			b.client.Grace = 6 * time.Second
			t.Setenv(graceEnv, "300ms")
			req := b.noting(b.order(closed(1), faults))
			req.Order.DurationS = 1000
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				b.untilRunning()
				cancel()
			}()
			if err := b.client.Do(ctx, req, func(Message) error { return nil }); !errors.Is(err, context.Canceled) {
				t.Errorf("%v, want the context's error", err)
			}
		})
	}
}

// The agent alone, without its client's help: its input ends while a lane heeds
// nothing.
func TestEndOfInputEndsTheAgent(t *testing.T) {
	for name, faults := range map[string]string{
		"all heed it":    "linger starts",
		"no lane does":   "hang starts-deaf",
		"no driver does": "linger starts never-closes",
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(faults, "starts-deaf") {
				slow(t)
			}
			b := newBench(t)
			req := b.noting(b.order(closed(1), faults))
			cmd, in := b.begin(req, []string{"agent"}, graceEnv+"=200ms")
			b.untilRunning()
			in.Close()
			cmd.Wait()
			b.untilClean()
		})
	}
}

func TestSignalsEndTheAgent(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		t.Run(sig.String(), func(t *testing.T) {
			if signal.Ignored(sig) {
				t.Skip("these tests ignore it, as under nohup, and so does an agent of theirs")
			}
			b := newBench(t)
			cmd, _ := b.begin(b.noting(b.order(closed(1), "hang starts")), []string{"agent"}, graceEnv+"=200ms")
			b.untilRunning()
			if err := cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			b.untilClean()
		})
	}
}

// The grace is longer than a beat, so that the agent speaks into a broken pipe
// before it leaves.
func TestDeadClientLeavesNothing(t *testing.T) {
	slow(t)
	b := newBench(t)
	req := b.noting(b.order(closed(1), "hang starts"))
	mark := b.mark
	b.mark = "PLIMSOLL_TEST_NONE=1"
	cmd, _ := b.begin(req, nil, clientEnv+"=1", graceEnv+"=1500ms")
	b.mark = mark
	b.untilRunning()
	if len(b.marked()) < 2 {
		t.Fatalf("marked: %v, want the agent and what it started", b.marked())
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	b.untilClean()
}

func TestLanesThatDoNotEnd(t *testing.T) {
	for name, faults := range map[string]string{
		"but can be stopped": "linger starts",
		"and are deaf":       "hang starts",
		"and busy":           "spin",
		"and cannot close":   "linger never-closes starts",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			t.Setenv(graceEnv, "200ms")
			t.Setenv(overrunEnv, "100ms")
			trial, _ := b.one(b.order(closed(2), faults))
			if !strings.Contains(trial.Void, "an operation was still running 100ms after the measured window\nhint: if ") {
				t.Errorf("void %q", trial.Void)
			}
		})
	}
}

func TestOverrunIsAsLongAsTheWindow(t *testing.T) {
	var tr trial
	for measured, want := range map[float64]time.Duration{1: 30 * time.Second, 30: 30 * time.Second,
		600: 600 * time.Second} {
		tr.order.DurationS = measured
		if got := tr.overrun(); got != want {
			t.Errorf("measured %v s: %v, want %v", measured, got, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	b := newBench(t)
	m, err := b.client.Describe(t.Context())
	if err != nil || m.Software.Plimsoll != "test" || len(m.CPU.Allowed) != len(b.machine.CPU.Allowed) || m.ID == "" {
		t.Errorf("%+v, %v", m, err)
	}
}

// A client that fails ends its agent in mid-trial.
func TestHandlersErrorEndsTheTrial(t *testing.T) {
	b := newBench(t)
	full := errors.New("no space left")
	err := b.client.Do(t.Context(), b.order(closed(1), ""), func(m Message) error {
		if m.Series != nil {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) {
		t.Errorf("%v, want the handler's error", err)
	}
}
