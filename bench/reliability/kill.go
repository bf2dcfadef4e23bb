package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// victim is a session that is killed.
type victim struct {
	lasts time.Duration // about, of its runs
	args  []string      // nil: the usual plan
	tree  bool          // its command leaves a process
	far   bool          // its agent is reached by a command, as that of another host
}

// victims are one session of each way in which runs come about: by a command, in slices of one process, on a disk, and
// elsewhere.
func (t *trial) victims() []victim {
	timed := func(replicates int, args ...string) []string {
		return append(args, "--for", "80ms", "--warmup", "20ms", "--replicates", strconv.Itoa(replicates))
	}
	path := "disk.path=" + filepath.Join(t.dir, "data")
	return []victim{
		{lasts: lasts},
		{lasts: lasts, tree: true},
		{lasts: time.Second, args: timed(ordered/2, "aes-gcm", "--vary", "aes-gcm.library=gcm,sio", "--set",
			"aes-gcm.cpus=1")},
		{lasts: 2 * time.Second, args: timed(ordered, "disk", "--set", path, "--set", "disk.size=4MiB", "--set",
			"disk.jobs=1")},
		{lasts: lasts, args: []string{"exec", "--set", "exec.command=sleep 0.04", "--replicates", strconv.Itoa(ordered),
			"--on", "h=env"}, far: true},
	}
}

// lasts is about how long six runs of a command take.
const lasts = 800 * time.Millisecond

// begun waits until the plan is in the file, and then for an arbitrary part of what is left; false if the session ends
// first.
func (t *trial) begun(r *running) bool {
	planned := false
	await(patience, func() bool {
		c, err := readSession(t.session)
		planned = err == nil && c.planned
		return planned || r.over()
	})
	return planned
}

// await looks each millisecond whether something has come about, until a time has passed.
func await(most time.Duration, done func() bool) {
	for deadline := time.Now().Add(most); !done() && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
}

// instant returns an arbitrary part of a time.
func (t *trial) instant(lasts time.Duration) time.Duration {
	return time.Duration(t.random.Float64() * float64(lasts))
}

// Whom a trial kills.
const (
	theProgram = iota
	theAgent
	both
)

// kill kills the program, its agent, or both at an instant of one of several sessions, or an import.
func kill(ctx context.Context, t *trial) outcome {
	victims := t.victims()
	which := t.random.IntN(len(victims) + 1)
	if which == len(victims) {
		return killImport(ctx, t)
	}
	v := victims[which]
	t.tree, t.replace = v.tree, v.args
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	planned := false
	if t.random.IntN(8) > 0 { // else before there is any file
		planned = t.begun(r)
	}
	time.Sleep(t.instant(v.lasts))
	whom := t.random.IntN(3)
	struck := t.strike(r, whom, v.far)
	hit := struck.hit
	if whom == theAgent {
		return t.afterAgent(ctx, r, v, struck, planned)
	}
	if whom == both { // nobody is left who could tidy up: the next start does, whatever it measures
		<-r.told
		// What an agent that is still dying holds is left for the start after the next.
		await(patience, func() bool { return len(t.agents()) == 0 })
		if err := t.next(ctx); err != nil {
			return outcome{hit: hit, broken: text(err)}
		}
	}
	return t.afterKill(ctx, r, hit)
}

// strike is what a kill came upon, by the campaign's own clock.
type strike struct {
	hit  bool // what was to be killed was there, and runs of the session were to come
	work bool // an agent was killed while its command ran, which it had not seen the end of
}

// strike kills. Of an agent alone it waits for one: between two runs there is none. An agent is stopped before it is
// killed, so that it cannot finish a run between a look at its command and its end.
func (t *trial) strike(r *running, whom int, far bool) strike {
	agents := t.agents()
	await(time.Second, func() bool {
		if whom == theAgent && len(agents) == 0 {
			agents = t.agents()
		}
		return whom != theAgent || len(agents) > 0 || r.over()
	})
	var out strike
	if whom != theProgram {
		for _, pid := range agents {
			_ = unix.Kill(pid, unix.SIGSTOP)
			await(time.Second, func() bool { return stateOf(pid) != "R" && stateOf(pid) != "S" && stateOf(pid) != "D" })
			work := t.works()
			outstanding := t.outstanding()
			// What a run of a host that is reached by a command has finished is kept there, and comes later.
			if stateOf(pid) == "T" && unix.Kill(pid, unix.SIGKILL) == nil {
				t.known.struck = append(t.known.struck, monotonic())
				out.hit, out.work = out.hit || outstanding, out.work || work && !far
			}
		}
	}
	if whom != theAgent {
		outstanding := t.outstanding()
		out.hit = r.cmd.Process.Kill() == nil && outstanding || out.hit
	}
	return out
}

// outstanding reports whether runs of the session are still to come: the campaign counts those in its file.
func (t *trial) outstanding() bool {
	c, err := readSession(t.session)
	return errors.Is(err, os.ErrNotExist) || err == nil && c.valid() < t.runs
}

// works reports whether the command of a run is there and has not ended.
func (t *trial) works() bool {
	return slices.ContainsFunc(t.processes(), func(pid int) bool {
		return named(pid, "sleep") && stateOf(pid) == "S" && strings.Contains(arguments(pid), "0.04")
	})
}

// stateOf returns the state of a process, by proc_pid_stat(5): "" if it is not there.
func stateOf(pid int) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(text), ") ")
	state, _, _ := strings.Cut(rest, " ")
	return state
}

// afterAgent checks a session whose agent alone was killed: it goes on. A run whose command the campaign saw at work as
// it killed is void; one whose window has the kill is not valid, as kept checks.
func (t *trial) afterAgent(ctx context.Context, r *running, v victim, struck strike, planned bool) outcome {
	code := r.wait()
	c, err := t.kept(r.said.Load())
	hit := struck.hit && planned
	if err == nil && planned && code != 0 {
		err = fmt.Errorf("an agent was killed, and the session ends with %d: %s", code, r.text.String())
	}
	if err == nil && struck.work && c.valid() == len(c.runs) {
		err = fmt.Errorf("an agent was killed while its command ran, and no run is void: %s", r.text.String())
	}
	if err == nil && v.far { // who asks next has its host tidied up
		err = t.next(ctx)
	}
	if err != nil {
		return outcome{hit: hit, broken: text(err)}
	}
	out := t.afterKill(ctx, r, false)
	out.hit = hit
	return out
}

// next runs another session, after which nothing is left of this one but what its --resume uses.
func (t *trial) next(ctx context.Context) error {
	other := *t
	other.session = filepath.Join(t.dir, "other.plimsoll.jsonl")
	other.replace = []string{"exec", "--set", "exec.command=true", "--replicates", "1"}
	r, err := other.start(ctx, false)
	if t.started = other.started; err != nil {
		return err
	}
	code := r.wait()
	if err := os.Remove(other.session); code != 0 || err != nil {
		return errors.Join(err, fmt.Errorf("the next session ends with %d: %s", code, r.text.String()))
	}
	return errors.Join(t.deserted(), t.tidyBut("plimsoll-new-", "plimsoll-keep-"))
}

// calls are those by which a session and what it leaves come about, and how many of each a session has at least, more
// or less.
func calls() map[string]int {
	return map[string]int{"write": 6, "fsync": 6, "openat": 6, "close": 6, "pwrite64": 2, "unlinkat": 2, "ftruncate": 1,
		"renameat": 1, "mkdirat": 2, "flock": 1}
}

// killAtCall kills the program as it enters its k-th system call of a kind once its plan is in the file.
func killAtCall(ctx context.Context, t *trial) outcome {
	most := calls()
	call := slices.Sorted(maps.Keys(most))[t.random.IntN(len(most))]
	k := 1 + t.random.IntN(most[call])
	r, err := t.start(ctx, false)
	if err != nil {
		return outcome{broken: text(err)}
	}
	if !t.begun(r) {
		return t.afterKill(ctx, r, false)
	}
	// The client alone: an agent that is killed at its k-th call dies again in each further attempt. It waits meanwhile,
	// as short sessions end before a busy machine has attached anything.
	_ = unix.Kill(r.cmd.Process.Pid, unix.SIGSTOP)
	trace := exec.CommandContext(ctx, "strace", "-qqq", "-f", "--detach-on=execve", "-o", "/dev/null", "-e", "signal=none",
		"-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", call, k), "-p", strconv.Itoa(r.cmd.Process.Pid))
	if err = trace.Start(); err == nil {
		traced(r.cmd.Process.Pid)
	}
	_ = unix.Kill(r.cmd.Process.Pid, unix.SIGCONT)
	if err != nil {
		return outcome{broken: text(err)}
	}
	out := t.afterKill(ctx, r, true)
	_ = trace.Wait()
	return out
}

// traced waits until something traces a process, a few seconds at most.
func traced(pid int) {
	await(5*time.Second, func() bool {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		return err != nil || !strings.Contains(string(status), "TracerPid:\t0\n")
	})
}

// afterKill checks what is left of a session that was killed, and what comes of it when it is resumed.
func (t *trial) afterKill(ctx context.Context, r *running, hit bool) outcome {
	code := r.wait()
	if code == -2 {
		return outcome{hit: hit, broken: "it hangs"}
	}
	err := t.deserted()
	before, kerr := t.kept(r.said.Load())
	if err = errors.Join(err, kerr); err == nil {
		err = t.whole(ctx, before)
	}
	if err == nil {
		err = t.swept(ctx)
	}
	return outcome{hit: hit && code == -1 && before.planned, broken: text(err)}
}
