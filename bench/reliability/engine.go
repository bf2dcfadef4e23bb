package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// engineRuns is how many runs a session of a server has.
const engineRuns = 3

// engineKill kills a server that a run has started, its agent, or both, while it starts, is loaded or is stopped.
func engineKill(ctx context.Context, t *trial) outcome {
	t.replace = []string{"http", "--set", "http.server=nginx", "--clients", "2", "--for", "300ms", "--warmup", "100ms", "--replicates", fmt.Sprint(engineRuns)}
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	t.begun(r)
	time.Sleep(time.Duration(t.random.Float64() * float64(2*time.Second)))
	whom, hit := t.random.IntN(3), false
	for _, pid := range t.processes() {
		server := named(pid, "nginx")
		if whom != 1 && server || whom != 0 && strings.HasPrefix(arguments(pid), t.program+"\x00agent") {
			hit = unix.Kill(pid, unix.SIGKILL) == nil || hit
		}
	}
	code := r.wait()
	c, err := t.kept(r.said.Load())
	err = errors.Join(err, t.deserted(), t.tidy())
	voids := len(c.runs) - c.valid()
	switch {
	case code == -2:
		err = errors.Join(err, errors.New("it hangs"))
	case code != 0 || c.valid() != engineRuns:
		err = errors.Join(err, fmt.Errorf("exit code %d, %d valid runs, %d void ones: %s", code, c.valid(), voids, r.text.String()))
	}
	return outcome{hit && voids > 0, text(err)}
}

func arguments(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return string(text)
}

func named(pid int, name string) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return err == nil && strings.TrimSpace(string(text)) == name
}
