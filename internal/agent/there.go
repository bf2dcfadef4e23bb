package agent

import (
	"context"
	"errors"
	"fmt"

	"plimsoll/internal/host/account"
	"plimsoll/internal/host/procs"
	"plimsoll/internal/record"
	"plimsoll/internal/workload/there"
)

// meterThere charges the processes of a server that was there to the work. Without them the trial has no CPU use of its
// server, which is an error only if the user has named them.
func (s *side) meterThere(ctx context.Context) error {
	if s.remote || s.spec.There == nil {
		return nil
	}
	at, ok := s.spec.There(s.params)
	if !ok {
		return nil
	}
	found, err := there.Find(ctx, s.root, at)
	switch {
	case err == nil:
	case at.Named():
		return fmt.Errorf("%s%s", s.unknown(err), there.Hint(err))
	default:
		s.away = errors.Is(err, there.ErrElsewhere)
		s.hidden = !s.away
		s.doubt(s.unknown(err) + there.Hint(err))
		return nil
	}
	group := account.NewFound(s.root, found.Roots...)
	pids, err := group.Pids()
	if err != nil {
		return err
	}
	s.data = procs.DataDir(s.root, pids)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.group = group
	for key, value := range map[string]string{record.KeyServerProgram: found.Program, record.KeyServerBuild: found.Build,
		record.KeyServerUnit: found.Unit} {
		if value != "" {
			s.trial.Keys[key] = value
		}
	}
	return nil
}

// unknown states what is known of the CPU use of a server whose processes were not found.
func (s *side) unknown(err error) string {
	if s.serves && !errors.Is(err, there.ErrElsewhere) {
		return "the CPU use is the whole target's, since the server's processes were not found: " + err.Error()
	}
	return "the server's CPU use is unknown: " + err.Error()
}

// there returns the accounts of the servers that were there.
func (t *trial) there() []account.Account {
	var out []account.Account
	for _, s := range t.sides {
		if s.startedSource() == record.ChargedFound {
			out = append(out, s.group)
		}
	}
	return out
}
