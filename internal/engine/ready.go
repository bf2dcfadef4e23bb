package engine

import (
	"context"
	"fmt"
	"net"
	"slices"
	"time"

	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/host/procs"
)

// readyWithin bounds the time until a server accepts connections. A Java server needs a second, ten times that on a
// loaded machine.
const readyWithin = 60 * time.Second

// ready returns when the server accepts connections. An open port is not enough: a port that was free may have been
// taken by another program.
func (v *Server) ready(ctx context.Context) error {
	deadline := time.Now().Add(readyWithin)
	for {
		owned, err := v.accepts()
		if owned || err != nil {
			return err
		}
		select {
		case <-v.done:
			return v.ended(fmt.Sprintf(" before it listened on port %d", v.at.Port()))
		case <-ctx.Done():
			return fmt.Errorf("start %s: %w", v.engine, context.Cause(ctx))
		case <-time.After(poll):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s accepts no connection on port %d, %v after its start%s",
				v.engine, v.at.Port(), readyWithin, v.out.Last())
		}
	}
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
