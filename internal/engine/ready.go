package engine

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"plimsoll/internal/base/list"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/procs"
)

// readyWithin bounds the time until a server accepts connections. A Java server needs a second, ten times that on a
// loaded machine.
const readyWithin = 60 * time.Second

// guessedWithin bounds it for a command of the user that does not name the port, once it listens at another: it may not
// read its environment.
const guessedWithin = 10 * time.Second

// ready returns when the server accepts connections. An open port is not enough: a port that was free may have been
// taken by another program.
func (v *Server) ready(ctx context.Context) error {
	begun := time.Now()
	for {
		owned, err := v.accepts()
		if owned || err != nil {
			return err
		}
		select {
		case <-v.done:
			return v.hinted(v.ended(" before it listened at " + v.place()))
		case <-ctx.Done():
			return fmt.Errorf("start %s: %w", v.engine, context.Cause(ctx))
		case <-time.After(poll):
		}
		waited := time.Since(begun)
		if waited > readyWithin || v.users && !v.told && waited > guessedWithin && v.elsewhere() != "" {
			return v.hinted(fmt.Errorf("%s accepts no connection at %s, %v after its start%s%s",
				v.engine, v.place(), waited.Round(time.Second), v.elsewhere(), v.out.Last()))
		}
	}
}

// hinted adds the hint of a command that may not know its port.
func (v *Server) hinted(err error) error {
	if v.told || !v.users {
		return err
	}
	return fmt.Errorf("%w\nhint: the port is PORT in its environment, and {port} in the command", err)
}

// place names where it was to listen: a port that is only this trial's is no news to its user.
func (v *Server) place() string {
	if v.chosen {
		return "the port that it was given"
	}
	return v.at.String()
}

// elsewhere returns where the server listens instead, with what helps, or nothing.
func (v *Server) elsewhere() string {
	processes, err := members(v.cmd.Process.Pid, "")
	if err != nil {
		return ""
	}
	var pids []int
	for _, p := range processes {
		pids = append(pids, p.PID)
	}
	places, err := procs.Places(hostfs.System(), pids)
	if err != nil || len(places) == 0 {
		return ""
	}
	out := fmt.Sprintf("; it listens at %s instead", strings.Join(list.Map(places, netip.AddrPort.String), ", "))
	if at := places[0]; v.users && at.Port() != v.at.Port() {
		return out + fmt.Sprintf("; --port %d expects it there", at.Port())
	}
	return out
}

func (v *Server) accepts() (bool, error) {
	c, err := net.DialTimeout("tcp", dialable(v.at), time.Second)
	if err != nil {
		return false, nil
	}
	c.Close()
	inodes, err := procs.Listening(hostfs.System(), uint64(v.at.Port()), func(net.IP) bool { return true })
	if err != nil {
		return false, err
	}
	return holds(v.cmd.Process.Pid, inodes), nil
}

// holds reports whether a process of the group has one of the sockets open.
func holds(pgid int, sockets []string) bool {
	processes, err := members(pgid, "")
	if err != nil {
		return false
	}
	for _, p := range processes {
		open, _ := p.FileDescriptorTargets() // an error: it has ended since
		if slices.ContainsFunc(open, func(target string) bool { return slices.Contains(sockets, target) }) {
			return true
		}
	}
	return false
}
