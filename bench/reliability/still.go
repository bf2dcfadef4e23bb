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

// window is what is measured.
const window = 3 * time.Second

// least is from which time on standing still must be noticed.
const least = 100 * time.Millisecond

// steady is a session of one run whose work never waits, so that its agent's CPU time says how far it is.
func (t *trial) steady() {
	t.replace = []string{"aes-gcm", "--set", "aes-gcm.cpus=1", "--for", window.String(), "--warmup", "100ms", "--replicates", "1"}
}

// standStill stops the agent in the measured window: the run must be void, or doubted.
func standStill(ctx context.Context, t *trial) outcome {
	t.steady()
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	begin := .2 + .6*t.random.Float64()
	still := least + time.Duration(t.random.Float64()*float64(900*time.Millisecond))
	t.busy(r, .1) // about when the window begins
	working := time.Now()
	pid, spent := t.busy(r, begin)
	inTime := false
	if pid != 0 {
		_ = unix.Kill(pid, unix.SIGSTOP)
		time.Sleep(still)
		inTime = time.Since(working) < window-300*time.Millisecond
		_ = unix.Kill(pid, unix.SIGCONT)
	}
	code := r.wait()
	c, err := t.kept(0)
	hit := pid != 0 && inTime
	if hit && err == nil && !noticed(c) {
		err = fmt.Errorf("the agent stood still for %v after %.1f s of CPU time, and no run says so; exit code %d", still.Round(time.Millisecond), spent, code)
	}
	return outcome{hit: hit, broken: text(errors.Join(err, t.deserted()))}
}

// undisturbed runs the same with nothing wrong: a run that says it stood still is a false alarm, unless this process stood
// still meanwhile too.
func undisturbed(ctx context.Context, t *trial) outcome {
	t.steady()
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	ended := make(chan struct{})
	gap := make(chan time.Duration)
	go func() { gap <- ownGap(ended) }()
	code := r.wait()
	close(ended)
	c, err := t.kept(r.said.Load())
	own := <-gap
	hit := own < least/2
	if hit && err == nil && (noticed(c) || code != 0) {
		err = fmt.Errorf("a false alarm, exit code %d: %v", code, c.runs)
	}
	return outcome{hit: hit, broken: text(errors.Join(err, t.deserted()))}
}

// ownGap returns for how long at most this process did not run though it could have.
func ownGap(ended <-chan struct{}) time.Duration {
	const step = 5 * time.Millisecond
	longest, last := time.Duration(0), time.Now()
	tick := time.NewTicker(step)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return longest
		case <-tick.C:
			now := time.Now()
			longest, last = max(longest, now.Sub(last)-step), now
		}
	}
}

// noticed reports whether a run says that something stood still, or was held up.
func noticed(c content) bool {
	for _, l := range c.runs {
		if strings.Contains(fmt.Sprint(l.Void)+" "+strings.Join(l.Doubts, " "), "stood still") {
			return true
		}
	}
	return false
}

// busy waits until an agent has spent so many seconds of CPU time, and returns it with what it has spent; 0 if the
// session ends first.
func (t *trial) busy(r *running, seconds float64) (pid int, spent float64) {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline) && !r.over(); time.Sleep(2 * time.Millisecond) {
		for _, pid := range t.agents() {
			if spent := cpuTime(pid); spent >= seconds {
				return pid, spent
			}
		}
	}
	return 0, 0
}

// cpuTime returns the seconds of CPU time of a process, by proc_pid_stat(5).
func cpuTime(pid int) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	const ticks = 100 // a second, on Linux
	return (user + system) / ticks
}
