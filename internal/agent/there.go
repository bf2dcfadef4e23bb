package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

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
	s.group, s.alone = group, at.Named()
	for key, value := range map[string]string{record.KeyServerProgram: found.Program, record.KeyServerBuild: found.Build,
		record.KeyServerUnit: found.Unit} {
		if value != "" {
			s.trial.Keys[key] = value
		}
	}
	return nil
}

// lookBehind charges to the work also what the server's processes are connected to on this host, such as the database
// of a service; not if the user has named the processes. It is called under load, before the measured time and after.
func (s *side) lookBehind(after bool) {
	if !s.mayHaveBehind() {
		return
	}
	pids := s.all()
	if len(pids) == 0 {
		return // the end of the server is told by whoever meters it
	}
	behind, err := procs.BehindOf(s.root, pids)
	switch {
	case err != nil:
		s.doubt("what the server is connected to on this host is unknown: " + err.Error())
	case len(behind.Roots) > 0 && (after || s.alone):
		s.doubt(fmt.Sprintf("the CPU time is the server's alone: it is connected to %s on this host, whose work is not in it",
			strings.Join(behind.Programs, ", ")))
	case len(behind.Roots) > 0:
		s.mu.Lock()
		s.behind = account.NewTree(s.root, behind.Roots...)
		s.trial.Keys[record.KeyServerBehind] = strings.Join(behind.Programs, ", ")
		s.mu.Unlock()
	}
	if after && len(behind.Elsewhere) > 0 {
		s.doubt("the CPU time is of this host alone: the server is connected to " + few(behind.Elsewhere))
	}
}

// few returns the first of several names.
func few(names []string) string {
	const most = 3
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// unknown states what is known of the CPU use of a server whose processes were not found.
func (s *side) unknown(err error) string {
	if s.serves && !errors.Is(err, there.ErrElsewhere) {
		return "the CPU use is the whole target's, since the server's processes were not found: " + err.Error()
	}
	return "the server's CPU use is unknown: " + err.Error()
}

// mayHaveBehind reports whether the server may work through others of this host: one that was there, or a service of
// the user's that was started.
func (s *side) mayHaveBehind() bool {
	switch s.startedSource() {
	case record.ChargedNone:
		return false
	case record.ChargedFound:
		return true
	}
	return s.spec.Behind != nil && s.spec.Behind(s.params)
}

// besides returns the accounts of the work that is not done by descendants of this process.
func (t *trial) besides() []account.Account {
	var out []account.Account
	for _, s := range t.sides {
		if s.startedSource() == record.ChargedFound {
			out = append(out, s.group)
		}
		out = append(out, behindOf{s})
	}
	return out
}

// behindOf is the account of what a side's server is connected to: nothing until that is known.
type behindOf struct{ side *side }

// CPUSeconds implements account.Account.
func (b behindOf) CPUSeconds() (float64, error) {
	b.side.mu.Lock()
	defer b.side.mu.Unlock()
	if b.side.behind == nil {
		return 0, nil
	}
	return b.side.behind.CPUSeconds()
}

// Source implements account.Account.
func (behindOf) Source() string { return record.ChargedFound }

// Close implements account.Account.
func (behindOf) Close() error { return nil }
