package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// window is what is measured.
const window = 3 * time.Second

// least is from which time on standing still must be noticed, and shortest how short some of it is.
const (
	least    = 100 * time.Millisecond
	shortest = 50 * time.Millisecond
)

// steady is a session of one run whose work never waits, so that its agent's CPU time says how far it is.
func (t *trial) steady() {
	t.replace = []string{"aes-gcm", "--set", "aes-gcm.cpus=1", "--for", window.String(), "--warmup", "100ms",
		"--replicates", "1"}
}

// loaded is a session of one run that loads a server of its own at a given rate, so that each request that waits is
// told.
func (t *trial) loaded() {
	t.replace = []string{"http", "--set", "http.server=embedded", "--set", "http.rate=200", "--for", window.String(),
		"--warmup", "100ms",
		"--pilot", "0s", "--replicates", "1"}
}

// still is who stands still, and for how long.
type still struct {
	whom  string
	lasts time.Duration
	cold  *freezer // of all; nil: signals do

	from, to int64 // CLOCK_MONOTONIC: it stood still at least then
}

// standStill stops an agent, the server that it loads, the program, or freezes all of them in the measured window. A
// run of which an agent missed something must be void or doubted; of a server its latency may say it, too; the
// program's own standstill costs no run.
func standStill(ctx context.Context, t *trial) outcome {
	s := still{whom: []string{"agent", "generator", "server", "program", "all"}[t.random.IntN(5)]}
	s.lasts = time.Duration(float64(shortest) * math.Pow(float64(t.size.still)/float64(shortest), t.random.Float64()))
	if t.steady(); s.whom == "generator" || s.whom == "server" {
		t.loaded()
	}
	if s.whom == "all" {
		var err error
		if s.cold, err = newFreezer(); err != nil {
			return outcome{figure: "nothing is frozen: " + err.Error()}
		}
		defer s.cold.close()
	}
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	if s.cold != nil {
		err = s.cold.add(r.cmd.Process.Pid)
	}
	if pid := t.inWindow(r, s.whom); pid != 0 && err == nil {
		err = s.stop(pid)
	}
	code := r.wait()
	c, kerr := t.kept(0)
	hit, herr := s.held(c, code)
	if herr != nil {
		herr = fmt.Errorf("%s stood still for %v: %w; exit code %d: %s", s.whom, s.lasts.Round(time.Millisecond), herr, code,
			r.text.String())
	}
	return outcome{hit: hit, broken: text(errors.Join(err, kerr, herr, t.deserted()))}
}

// inWindow waits for an instant of the measured window, and returns who is to stand still; 0 if the session has ended.
func (t *trial) inWindow(r *running, whom string) int {
	at := .2 + .6*t.random.Float64()
	if whom != "generator" && whom != "server" {
		t.busy(r, .1) // about when the window begins
		pid, _ := t.busy(r, at)
		if pid != 0 && whom == "program" {
			pid = r.cmd.Process.Pid
		}
		return pid
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline) && !r.over(); time.Sleep(2 * time.Millisecond) {
		for _, pid := range t.processes() {
			if !strings.Contains(arguments(pid), "\x00serve-http\x00") {
				continue
			}
			time.Sleep(time.Duration(at * float64(window) / 2)) // it starts, and is warmed up
			if agents := t.agents(); whom == "generator" && len(agents) == 1 {
				return agents[0]
			}
			return map[bool]int{true: pid}[whom == "server"]
		}
	}
	return 0
}

// stop has a process stand still, or all that are frozen.
func (s *still) stop(pid int) error {
	halt, goOn := func() error { return unix.Kill(pid, unix.SIGSTOP) }, func() error {
		return unix.Kill(pid, unix.SIGCONT)
	}
	if s.cold != nil {
		halt, goOn = s.cold.freeze, s.cold.thaw
	}
	if err := halt(); err != nil {
		return nil // it has ended
	}
	s.from = monotonic()
	// A server is ended with its run, and the next run has another.
	for end := s.from + int64(s.lasts); monotonic() < end && (s.cold != nil || unix.Kill(pid, 0) == nil); {
		time.Sleep(2 * time.Millisecond)
	}
	s.to = monotonic()
	_ = goOn() // of an agent that is silent for too long nothing is left
	return nil
}

// held checks the runs that were measured meanwhile, and reports whether there is one.
func (s *still) held(c content, code int) (bool, error) {
	hit := false
	for _, l := range c.runs {
		missed := time.Duration(min(s.to, l.MonoNs+int64(l.Lasts*1e9)) - max(s.from, l.MonoNs))
		silent := l.Void != nil && s.lasts > 20*time.Second && s.whom != "program"
		if s.from == 0 || missed < least+least/5 && !silent {
			continue
		}
		hit = true
		switch {
		case s.whom == "program" && strings.Contains(fmt.Sprint(l.Void), "no output"):
			return hit, fmt.Errorf("the run is void, though its agent went on: %v", l.Void)
		case s.whom == "program", l.Void != nil, strings.Contains(strings.Join(l.Doubts, " "), stalled):
		case s.whom == "server" && l.value("latency_p99") >= missed.Seconds()/2:
		default:
			return hit, fmt.Errorf("a run missed %v of its window, and does not say so: %+v", missed, l)
		}
	}
	if s.whom == "program" && hit && code != 0 {
		return hit, errors.New("the program does not go on")
	}
	return hit, nil
}

// value returns a run's value; 0 if it has none of that name.
func (l line) value(name string) float64 {
	for _, v := range l.Values {
		if v.Name == name {
			return v.Value
		}
	}
	return 0
}

func monotonic() int64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // it cannot fail
	return t.Nano()
}

// undisturbed runs the same with nothing wrong: a run that says it stood still is a false alarm, unless this process
// stood still meanwhile too, by its own clock: then the trial proves nothing.
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
	alarm := noticed(c) || code != 0
	hit := !alarm || own < least/2
	if hit && err == nil && alarm {
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

// stalled is in the reason of a run that failed because its agent stalled.
const stalled = "process stalled for"

// noticed reports whether a run says that something stood still, or was held up.
func noticed(c content) bool {
	for _, l := range c.runs {
		if strings.Contains(fmt.Sprint(l.Void)+" "+strings.Join(l.Doubts, " "), stalled) {
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
