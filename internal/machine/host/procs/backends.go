package procs

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"

	"plimsoll/internal/machine/host/hostfs"
)

// Backend is what the process of a PostgreSQL server that serves a client does, as its title tells.
type Backend int

// The states of a backend.
const (
	NoBackend        Backend = iota // another process, or one that has no client yet
	BackendIdle                     // no transaction is open
	BackendActive                   // a statement is carried out
	BackendOpen                     // idle in a transaction: its client holds the connection, and perhaps locks
	BackendWaitsLock                // its statement waits for a lock that another transaction holds
)

// BackendOf tells what a process does, and for the client at which port of TCP; 0 for one at a UNIX socket. A server
// sets its processes' titles unless update_process_title is off, and any user may read them unless /proc hides other
// users' processes. Nothing else of the title is kept: it has names.
func BackendOf(root hostfs.Root, pid int) (does Backend, port uint16) {
	text, err := os.ReadFile(root.ProcPath(strconv.Itoa(pid), "cmdline"))
	if err != nil {
		return NoBackend, 0
	}
	return backendTitled(string(bytes.TrimRight(text, "\x00 ")))
}

// backendTitled reads "postgres: [CLUSTER: ]USER DATABASE HOST(PORT) ACTIVITY", with [local] for a UNIX socket:
// src/backend/utils/misc/ps_status.c and src/backend/postmaster of PostgreSQL.
func backendTitled(title string) (does Backend, port uint16) {
	rest, ok := strings.CutPrefix(title, "postgres: ")
	if !ok {
		return NoBackend, 0
	}
	words := strings.Fields(rest)
	for i, w := range words {
		port, ok := clientAddress(w)
		if w != "[local]" && !ok {
			continue
		}
		switch activity := strings.Join(words[i+1:], " "); {
		case activity == "", activity == "startup", activity == "authentication", activity == "initializing":
			return NoBackend, 0
		case activity == "idle":
			return BackendIdle, port
		case strings.HasPrefix(activity, "idle in transaction"):
			return BackendOpen, port
		case strings.HasSuffix(activity, " waiting"):
			return BackendWaitsLock, port
		}
		return BackendActive, port
	}
	return NoBackend, 0
}

// clientAddress reads HOST(PORT).
func clientAddress(w string) (port uint16, ok bool) {
	open := strings.LastIndexByte(w, '(')
	if open <= 0 || !strings.HasSuffix(w, ")") {
		return 0, false
	}
	n, err := strconv.ParseUint(w[open+1:len(w)-1], 10, 16)
	return uint16(n), err == nil
}

// ClientPorts returns the ports of TCP at which processes are the clients of others: of their connections, those that
// do not lead to a port at which they listen.
func ClientPorts(root hostfs.Root, pids []int) map[uint16]bool {
	own := map[uint64]bool{}
	for _, pid := range pids {
		for _, inode := range socketsOf(root, pid) {
			own[inode] = true
		}
	}
	var spaces []space
	if contained(root, pids) {
		spaces = moreSpaces(root)
	}
	pfs, err := procfs.NewFS(root.Proc)
	v := connections{}
	if err != nil || v.read(root, pfs, nil, spaces) != nil {
		return nil
	}
	out := map[uint16]bool{}
	for _, s := range v.spaces {
		serves := s.ports(own)
		for _, c := range s.links {
			if port := c.Local.Port(); own[c.Inode] && !serves[port] {
				out[port] = true
			}
		}
	}
	return out
}
