package agent

import (
	"errors"
	"strings"
	"testing"

	"plimsoll/internal/host/account"
	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/record"
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
		m := &meter{trial: &trial{agent: Agent{Root: hostfs.System()}, sides: []*side{s}, machine: record.Machine{CPU: newBench(t).machine.CPU}}, disks: &diskMeter{}, network: &networkMeter{}}
		m.before = m.read()
		m.after = m.read()
		m.share([]*side{s})
		doubts := strings.Join(s.trial.Doubts, "; ")
		if known := readings == 2; (s.trial.CPU != nil) != known || strings.Contains(doubts, "the group is gone") == known {
			t.Errorf("%d readings: CPU use %+v, doubts %q", readings, s.trial.CPU, doubts)
		}
	}
}
