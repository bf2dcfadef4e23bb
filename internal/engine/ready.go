package engine

import (
	"context"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/prometheus/procfs"
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
	inodes, err := listeners(uint64(v.at.Port()))
	if err != nil {
		return false, err
	}
	return holds(v.cmd.Process.Pid, inodes), nil
}

// tcpListen is the state LISTEN: include/net/tcp_states.h of the kernel.
const tcpListen = 10

// listeners returns the sockets that listen on a port, as links in /proc.
func listeners(port uint64) ([]string, error) {
	fs, err := procfs.NewDefaultFS()
	if err != nil {
		return nil, fmt.Errorf("find who listens on port %d: %w", port, err)
	}
	four, err := fs.NetTCP() //nolint:staticcheck // the netlink socket that should take its place is refused in some containers
	if err != nil {
		return nil, fmt.Errorf("find who listens on port %d: %w", port, err)
	}
	six, _ := fs.NetTCP6() //nolint:staticcheck // likewise; not there if the kernel has no IPv6
	var out []string
	for _, line := range slices.Concat(four, six) {
		if line.LocalPort == port && line.St == tcpListen {
			out = append(out, fmt.Sprintf("socket:[%d]", line.Inode))
		}
	}
	return out, nil
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
