package agent

import (
	"os"
	"os/signal"
	"slices"

	"golang.org/x/sys/unix"
)

// StopSignals returns the signals on which this process stops in an orderly way: SIGINT, SIGTERM and SIGHUP, except
// those ignored at its start, as under nohup(1).
func StopSignals() []os.Signal {
	all := []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP}
	return slices.DeleteFunc(all, signal.Ignored)
}
