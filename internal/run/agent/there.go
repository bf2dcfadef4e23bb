package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/others"
	"plimsoll/internal/machine/host/procs"
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
	if found, ok := s.nowBehind(); ok {
		s.foundBehind(found, after)
	}
}

// look is the result of one look at what the server's processes are connected to.
type look struct {
	behind procs.Behind
	err    error
}

// nowBehind looks once. It reports false if there is nothing to look at.
func (s *side) nowBehind() (look, bool) {
	if !s.mayHaveBehind() {
		return look{}, false
	}
	pids := s.all()
	if len(pids) == 0 {
		return look{}, false // the end of the server is told by whoever meters it
	}
	behind, err := procs.BehindOf(s.root, pids)
	return look{behind, err}, true
}

func (s *side) foundBehind(found look, after bool) {
	behind := found.behind
	switch {
	case found.err != nil:
		s.doubt("what the server is connected to on this host is unknown: " + found.err.Error())
	case len(behind.Roots) > 0 && (after || s.alone):
		s.doubt(fmt.Sprintf("the CPU time is the server's alone: it is connected to %s on this host, whose work is not in it",
			strings.Join(behind.Programs, ", ")))
	case len(behind.Roots) > 0:
		s.chargeBehind(behind, account.NewTree(s.root, behind.Roots...), 0)
	}
	if after && len(behind.Elsewhere) > 0 {
		s.doubt("the CPU time is of this host alone: the server is connected to " + few(behind.Elsewhere))
	}
}

func (s *side) chargeBehind(found procs.Behind, tree *account.Tree, before float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behind, s.before = tree, before
	s.trial.Keys[record.KeyServerBehind] = strings.Join(found.Programs, ", ")
}

// lookInRun charges to the work the servers that commands are connected to on this host, such as the database that a
// benchmark loads. Their time counts from the look at all processes before the run. lookInRun looks first when the run
// can no longer be one of a batch. The next looks come after twice as long each time, until ended is closed. Commands
// without sockets cost a few µs. wait returns when no look is going on.
func (t *trial) lookInRun(m othersMeter, ended <-chan struct{}) (wait func()) {
	if !m.looked || m.broken != nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for rest := seconds(record.ShortRunS); ; rest *= 2 {
			select {
			case <-ended:
				return
			case <-time.After(rest):
			}
			for _, s := range t.sides {
				s.lookInRun(m.before, ended)
			}
		}
	}()
	return func() { <-done }
}

// lookInRun looks once, unless what the command is connected to is known.
func (s *side) lookInRun(before others.Look, ended <-chan struct{}) {
	pids := s.pids()
	if len(s.behindPids()) > 0 || !slices.ContainsFunc(pids, func(pid int) bool { return procs.HasSockets(s.root, pid) }) {
		return
	}
	found, err := procs.BehindOf(s.root, pids)
	if err != nil || len(found.Roots) == 0 {
		return // a later look may find them
	}
	tree := account.NewTree(s.root, found.Roots...)
	select {
	case <-ended: // its CPU time has been read
	default:
		s.chargeBehind(found, tree, tree.SecondsAt(before.Processes()))
	}
}

// looksBehind are looks in the generators' warm-up. A target does not hear when that begins, and a look takes up to a
// tenth of a second: at the begin of the window it would delay the first reading.
type looksBehind struct {
	side  *side
	end   func() // makes the look that is going on the last one
	ended chan struct{}

	mu   sync.Mutex
	last *look // the last one with connections, or the last one
}

// restBetweenLooks is how much longer than a look took the next one waits, so that looks disturb the warm-up little.
const restBetweenLooks = 3

// keepLookingBehind looks again and again until stop is called.
func (s *side) keepLookingBehind() *looksBehind {
	done := make(chan struct{})
	l := &looksBehind{side: s, end: sync.OnceFunc(func() { close(done) }), ended: make(chan struct{})}
	go func() {
		defer close(l.ended)
		for {
			begun := time.Now()
			if found, ok := s.nowBehind(); ok {
				l.keep(found)
			}
			select {
			case <-done:
				return
			case <-time.After(max(restBetweenLooks*time.Since(begun), looksWithin)):
			}
		}
	}()
	return l
}

func (l *looksBehind) keep(found look) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil || len(found.behind.Roots) > 0 || len(l.last.behind.Roots) == 0 {
		l.last = &found
	}
}

// take charges what was seen so far, at the begin of the window. A look that is not over by then is of no use: what it
// finds has no reading before the window.
func (l *looksBehind) take() {
	l.mu.Lock()
	last := l.last
	l.mu.Unlock()
	l.end()
	if last != nil {
		l.side.foundBehind(*last, false)
	}
}

// stop waits until no look is going on.
func (l *looksBehind) stop() {
	l.end()
	<-l.ended
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
	return b.side.behindSeconds()
}

// Source implements account.Account.
func (behindOf) Source() string { return record.ChargedFound }

// Close implements account.Account.
func (behindOf) Close() error { return nil }
