package procs

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"plimsoll/internal/host/hostfs"
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

// BackendOf tells what a process does. A server sets its processes' titles unless update_process_title is off, and any
// user may read them unless /proc hides other users' processes. Nothing of the title is kept: it has names.
func BackendOf(root hostfs.Root, pid int) Backend {
	text, err := os.ReadFile(root.ProcPath(strconv.Itoa(pid), "cmdline"))
	if err != nil {
		return NoBackend
	}
	return backendTitled(string(bytes.TrimRight(text, "\x00 ")))
}

// backendTitled reads "postgres: [CLUSTER: ]USER DATABASE HOST(PORT) ACTIVITY", with [local] for a UNIX socket:
// src/backend/utils/misc/ps_status.c and src/backend/postmaster of PostgreSQL.
func backendTitled(title string) Backend {
	rest, ok := strings.CutPrefix(title, "postgres: ")
	if !ok {
		return NoBackend
	}
	words := strings.Fields(rest)
	for i, w := range words {
		if w != "[local]" && !clientAddress(w) {
			continue
		}
		switch activity := strings.Join(words[i+1:], " "); {
		case activity == "", activity == "startup", activity == "authentication", activity == "initializing":
			return NoBackend
		case activity == "idle":
			return BackendIdle
		case strings.HasPrefix(activity, "idle in transaction"):
			return BackendOpen
		case strings.HasSuffix(activity, " waiting"):
			return BackendWaitsLock
		}
		return BackendActive
	}
	return NoBackend
}

// clientAddress reports whether a word is HOST(PORT).
func clientAddress(w string) bool {
	open := strings.LastIndexByte(w, '(')
	if open <= 0 || !strings.HasSuffix(w, ")") {
		return false
	}
	_, err := strconv.ParseUint(w[open+1:len(w)-1], 10, 16)
	return err == nil
}
