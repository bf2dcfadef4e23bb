package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// engineRuns is how many runs a session of a server has.
const engineRuns = 3

// engines are the servers of which one is killed: its process's name, and a session that starts it.
func engines() []engine {
	short := []string{"--for", "300ms", "--warmup", "100ms", "--replicates", strconv.Itoa(engineRuns)}
	return []engine{
		{"nginx", 2 * time.Second, append([]string{"http", "--set", "http.server=nginx", "--clients", "2"}, short...)},
		{"postgres", 8 * time.Second, append([]string{"pgbench", "--set", "pgbench.scale=1", "--clients", "2"}, short...)},
		{"java", 8 * time.Second, append([]string{"kafka", "--set", "kafka.clients=1", "--set", "kafka.heat=0s"}, short...)},
	}
}

type engine struct {
	process string
	lasts   time.Duration // about, of a session
	args    []string
}

// engineKill kills a server that a run has started, one of its processes, its agent, or all of them, while it starts,
// is filled, loaded or stopped.
func engineKill(ctx context.Context, t *trial) outcome {
	e := engines()[t.random.IntN(len(engines()))]
	t.replace, t.runs = e.args, engineRuns
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	planned := t.begun(r)
	time.Sleep(time.Duration(t.random.Float64() * float64(e.lasts)))
	whom, hit := t.random.IntN(4), false
	outstanding := t.outstanding()
	for _, pid := range t.processes() {
		server := named(pid, e.process)
		if whom != 1 && server || (whom == 1 || whom == 2) && t.isAgent(pid) {
			// Another process of the same server may take the place of one that it has started, and no run be spoilt.
			main := !server || !named(parentOf(pid), e.process)
			if unix.Kill(pid, unix.SIGKILL) == nil && main {
				t.known.struck, hit = append(t.known.struck, monotonic()), outstanding
			}
			if whom == 3 {
				break
			}
		}
	}
	code := r.wait()
	c, err := t.kept(r.said.Load())
	err = errors.Join(err, t.deserted(), t.tidy(), t.swept(ctx))
	voids := len(c.runs) - c.valid()
	switch {
	case code == -2:
		err = errors.Join(err, errors.New("it hangs"))
	case code != 0 || c.valid() != engineRuns:
		err = errors.Join(err, fmt.Errorf("%s: exit code %d, %d valid runs, %d void ones: %s", e.process, code, c.valid(),
			voids, r.text.String()))
	}
	return outcome{hit: hit && planned, broken: text(err)}
}

// parentOf returns the parent of a process, by proc_pid_stat(5); 0 if it is not there.
func parentOf(pid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(text), ") ")
	var state string
	var parent int
	_, _ = fmt.Sscan(rest, &state, &parent)
	return parent
}

func arguments(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return string(text)
}

func named(pid int, name string) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return err == nil && strings.TrimSpace(string(text)) == name
}
