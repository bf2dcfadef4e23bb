package agent

import (
	"os"
	"os/signal"
	"slices"

	"golang.org/x/sys/unix"
)

// StopSignals are those that end this process in good order: SIGINT, SIGTERM
// and SIGHUP, without those that it was started to ignore, as nohup(1) does.
func StopSignals() []os.Signal {
	all := []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP}
	return slices.DeleteFunc(all, signal.Ignored)
}
