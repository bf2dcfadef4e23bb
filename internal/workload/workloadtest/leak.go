package workloadtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/procfs"
)

// state is everything that a driver could leave behind in this process and around it.
type state struct {
	goroutines int
	open       map[string]int // target of each open file -> count
	files      []string       // in the working directory
	processes  []string       // children of ours, or with the trial's mark
}

// survey takes stock. Entries that /proc does not show count as absent.
func survey(mark string) state {
	s := state{goroutines: runtime.NumGoroutine(), open: map[string]int{}, processes: processes(mark)}
	links, _ := filepath.Glob("/proc/self/fd/*")
	for _, link := range links {
		// The runtime opens its poller's files on first use and keeps them.
		if target, err := os.Readlink(link); err == nil && !strings.HasPrefix(target, "anon_inode:[event") {
			s.open[target]++
		}
	}
	entries, _ := os.ReadDir(".")
	for _, e := range entries {
		s.files = append(s.files, e.Name())
	}
	return s
}

func processes(mark string) []string {
	all, _ := procfs.AllProcs()
	var ours []string
	for _, p := range all {
		stat, err := p.Stat()
		if err != nil || p.PID == os.Getpid() {
			continue
		}
		env, _ := p.Environ()
		if stat.PPID == os.Getpid() || mark != "" && slices.Contains(env, mark) {
			ours = append(ours, fmt.Sprintf("%d (%s)", p.PID, stat.Comm))
		}
	}
	return ours
}

// since returns an error for everything that is present now and was not then. It waits for things that are about to
// end.
func (then state) since(mark string, patience time.Duration) error {
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if err = then.left(survey(mark)); err == nil {
			return nil
		}
	}
	return err
}

func (then state) left(now state) error {
	var errs []error
	if now.goroutines > then.goroutines {
		stacks := make([]byte, 1<<16)
		stacks = stacks[:runtime.Stack(stacks, true)]
		errs = append(errs, fmt.Errorf("%d goroutines more than before:\n%s", now.goroutines-then.goroutines, stacks))
	}
	for target, n := range now.open {
		if n > then.open[target] {
			errs = append(errs, fmt.Errorf("%s is still open", target))
		}
	}
	for _, name := range now.files {
		if !slices.Contains(then.files, name) {
			errs = append(errs, fmt.Errorf("file %s is left in the working directory", name))
		}
	}
	for _, p := range now.processes {
		if !slices.Contains(then.processes, p) {
			errs = append(errs, fmt.Errorf("process %s is still there", p))
		}
	}
	return errors.Join(errs...)
}
