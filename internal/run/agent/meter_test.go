package agent

import (
	"errors"
	"strings"
	"testing"

	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/cputime"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/noise"
	"plimsoll/internal/record"
	"plimsoll/internal/run/agent/course"
	"plimsoll/internal/workload"
)

// unread is an account that can be read so often.
type unread struct {
	account.Group
	left int
}

func (u *unread) Source() string { return "cgroup" }

func (u *unread) CPUSeconds() (float64, error) {
	if u.left--; u.left < 0 {
		return 0, errors.New("the group is gone")
	}
	return 1, nil
}

// TestCPUThatCannotBeReadIsNotZero: neither at the beginning of a window nor at its end.
func TestCPUThatCannotBeReadIsNotZero(t *testing.T) {
	for readings := range 3 {
		s := &side{spec: workload.Spec{Charge: workload.Started}, group: &unread{left: readings}, root: hostfs.System()}
		m := &meter{dog: &noise.Watchdog{},
			trial: &trial{agent: Agent{Root: hostfs.System()}, sides: []*side{s},
				machine: record.Machine{CPU: newBench(t).machine.CPU}}, disks: &diskMeter{}, network: &networkMeter{}}
		m.before = m.read()
		m.after = m.read()
		m.share([]*side{s})
		doubts := strings.Join(s.trial.Doubts, "; ")
		if known := readings == 2; (s.trial.CPU != nil) != known || strings.Contains(doubts, "the group is gone") == known {
			t.Errorf("%d readings: CPU use %+v, doubts %q", readings, s.trial.CPU, doubts)
		}
	}
}

// TestCPUOfAnotherTimeIsUnknown: readings after the load meter a time in which nothing was done.
func TestCPUOfAnotherTimeIsUnknown(t *testing.T) {
	now, err := cputime.Monotonic()
	if err != nil {
		t.Fatal(err)
	}
	s := &side{spec: workload.Spec{Charge: workload.Started}, group: &unread{left: 2}, root: hostfs.System()}
	m := &meter{dog: &noise.Watchdog{},
		trial: &trial{agent: Agent{Root: hostfs.System()}, sides: []*side{s},
			machine: record.Machine{CPU: newBench(t).machine.CPU}}, disks: &diskMeter{}, network: &networkMeter{}}
	m.load = course.Span{From: now - 2e9, To: now - 1e9}
	m.before = m.read()
	m.after = m.read()
	m.share([]*side{s})
	if s.trial.CPU != nil || s.trial.Ledger == nil || len(s.trial.Doubts) != 1 ||
		!strings.Contains(s.trial.Doubts[0], "of a load of 1000 ms") {
		t.Errorf("CPU use %+v, ledger %+v, doubts %q", s.trial.CPU, s.trial.Ledger, s.trial.Doubts)
	}
}
