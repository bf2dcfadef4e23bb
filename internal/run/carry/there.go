package carry

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

const (
	// exitWord precedes the exit code of a command.
	exitWord = "plimsoll-exit "
	// commandPatience bounds a command: one that fetches and builds takes minutes.
	commandPatience = time.Hour
	// commandGrace is for a package manager on this machine, which must not lose its output in its midst. One behind ssh
	// does not notice that its carrier ends.
	commandGrace = time.Minute
)

// Run brings the program to a host, runs it there with arguments, and passes on each line that it prints on either
// output. The error says that it did not come to an end, not that it failed: that is the exit code. An empty command is
// this host.
func Run(ctx context.Context, on string, from Binaries, args []string, say func(line string)) (exit int, err error) {
	h := host{on: on, patience: commandPatience, grace: commandGrace}
	there := Brought{Program: from.Self}
	if on != "" {
		if there, err = h.bring(ctx, from); err != nil {
			return 0, err
		}
	}
	ended := false
	script := `"$@" </dev/null 2>&1; echo "` + exitWord + `$?"`
	words := h.words(append([]string{"sh", "-c", script, "sh", there.Program}, args...)...)
	_, err = h.run(ctx, words, nil, func(line string) bool {
		code, isLast := strings.CutPrefix(line, exitWord)
		if !isLast {
			say(line)
			return false
		}
		exit, err = strconv.Atoi(code)
		ended = err == nil
		return true
	})
	if err == nil && !ended {
		err = errors.New("its connection broke off")
	}
	if err != nil {
		return 0, fmt.Errorf("through %q: %w", on, err)
	}
	return exit, nil
}
