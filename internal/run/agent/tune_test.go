package agent

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/base/usage"
	"plimsoll/internal/machine/host/account"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/knob"
	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/record"
)

// limited is a control group of the test's own, whose CPU limit agents change.
type limited struct {
	*bench
	name, file string
}

func newLimited(t *testing.T) limited {
	t.Helper()
	name := fmt.Sprintf("tune-%d-%s", os.Getpid(), strings.ToLower(filepath.Base(t.Name())))
	mount := "/sys/fs/cgroup"
	if hostfs.IsDir(mount + "/cpu") {
		mount += "/cpu"
	}
	dir := filepath.Join(mount, name)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Skip("no control group can be made: ", err)
	}
	t.Cleanup(func() { _ = unix.Rmdir(dir) })
	file, _, err := account.LimitFile(hostfs.System(), name, 1)
	if err != nil {
		t.Skip("no CPU limit of control groups: ", err)
	}
	t.Setenv(stateEnv, filepath.Join(t.TempDir(), "run"))
	return limited{newBench(t), name, file}
}

func (l limited) is() string {
	text, err := hostfs.ReadText(l.file)
	if err != nil {
		l.t.Error(err)
	}
	return text
}

// tuning is an order with a limit of so many CPUs.
func (l limited) tuning(value string) Request {
	req := l.order(closed(1), "")
	req.Order.Sides[0].Params[record.ParamTuneGroup] = l.name
	req.Order.Sides[0].Params[knob.CPULimit] = value
	req.Tune = true
	return req
}

// TestTuningOfATrial: the setting is in force while the trial runs, and as it was afterwards; the keys have both.
func TestTuningOfATrial(t *testing.T) {
	l := newLimited(t)
	was := l.is()
	for _, value := range []string{"0.5", record.AsFound} {
		req := l.noting(l.tuning(value))
		during := make(chan string, 1)
		go func() {
			for deadline := time.Now().Add(30 * time.Second); !hostfs.Exists(l.note) && time.Now().Before(deadline); {
				time.Sleep(time.Millisecond)
			}
			during <- l.is()
		}()
		trial, _ := l.one(req)
		is := <-during
		if trial.Void != "" || trial.Keys["fake."+knob.CPULimit] != value || trial.Keys["found.cpu_limit"] != l.name+" "+was {
			t.Errorf("%s: %q, %v", value, trial.Void, trial.Keys)
		}
		if (is == was) != (value == record.AsFound) || l.is() != was {
			t.Errorf("%s: it was %s, then %s, and is %s", value, was, is, l.is())
		}
		os.Remove(l.note)
	}
}

// TestTuningIsRefused: without permission, of what is not to be had, and while another session has it; nothing changes.
func TestTuningIsRefused(t *testing.T) {
	l := newLimited(t)
	was := l.is()
	for name, c := range map[string]struct {
		edit func(*Request)
		want string
	}{
		"no permission": {func(r *Request) { r.Tune = false }, "nobody has permitted\nhint: plimsoll run … --tune"},
		"no such group": {func(r *Request) { r.Order.Sides[0].Params[record.ParamTuneGroup] = "none-such" },
			"there is no control group"},
		"outside": {func(r *Request) { r.Order.Sides[0].Params[record.ParamTuneGroup] = "../../proc" },
			"is not the path of a control group"},
		"no number": {func(r *Request) { r.Order.Sides[0].Params[knob.CPULimit] = "x" }, "not a number of CPUs"},
	} {
		req := l.tuning("0.5")
		c.edit(&req)
		for _, do := range []string{DoTrial, DoTune} {
			req := req
			if req.Do = do; do == DoTune {
				req.Side, req.Order = &req.Order.Sides[0], nil
			}
			if _, err := l.do(req); err == nil || !usage.Is(err) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v, want %q", name, do, err, c.want)
			}
		}
	}
	settings, refused := knob.Find(knob.At{Root: hostfs.System()}, l.tuning("0.5").Order.Sides[0].Params)
	if len(refused) > 0 {
		t.Fatal(refused)
	}
	h, err := knob.Take(t.Context(), hostfs.System(), os.Getenv(stateEnv), "another", settings)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if _, err := l.do(l.tuning("0.5")); err == nil || !usage.Is(err) ||
		!strings.Contains(err.Error(), "is in use by another session of plimsoll (another)") {
		t.Errorf("while another session has it: %v", err)
	}
	if l.is() != was {
		t.Errorf("it was %s, and is %s", was, l.is())
	}
}

// TestInForceAlready: what has the value that is asked for is not changed, and that is said, before and with the run.
func TestInForceAlready(t *testing.T) {
	l := newLimited(t)
	_, want, err := account.LimitFile(hostfs.System(), l.name, 0.5)
	if err == nil {
		err = os.WriteFile(l.file, []byte(want), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	req := l.tuning("0.5")
	const says = "tune.cpu_limit=0.5 is in force already on "
	remarks, err := l.client.Tunable(t.Context(), req.Order.Sides[0], true)
	if err != nil || len(remarks) != 1 || !strings.Contains(remarks[0], says) {
		t.Errorf("%q, %v", remarks, err)
	}
	remarks, err = l.client.Tunable(t.Context(), l.tuning("0.7").Order.Sides[0], true)
	if err != nil || len(remarks) != 1 || !strings.Contains(remarks[0], "tune.cpu_limit of "+l.name+" is "+want+", and ") {
		t.Errorf("%q, %v", remarks, err)
	}
	if trial, _ := l.one(req); !strings.Contains(strings.Join(trial.Doubts, "; "), says) {
		t.Errorf("%q", trial.Doubts)
	}
}

// TestChangedByOthers: a trial during which another program sets a setting again fails, and it is put back to what was
// found all the same.
func TestChangedByOthers(t *testing.T) {
	l := newLimited(t)
	was := l.is()
	_, other, err := account.LimitFile(hostfs.System(), l.name, 0.7)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		for deadline := time.Now().Add(30 * time.Second); !hostfs.Exists(l.note) && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		done <- os.WriteFile(l.file, []byte(other), 0o600)
	}()
	trial, _ := l.one(l.noting(l.tuning("0.5")))
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(trial.Void, "the kernel did not take it, or others changed it") || l.is() != was {
		t.Errorf("%q; it was %s, and is %s", trial.Void, was, l.is())
	}
}

// TestKilledTuning: whichever of a run's processes are killed, at whatever moment, the setting is put back: by the
// agent if its client is gone, by the watchdog, or, if all were killed at once, by the next command.
func TestKilledTuning(t *testing.T) {
	simtest.Forks(t)
	l := newLimited(t)
	was := l.is()
	seed := uint64(time.Now().UnixNano())
	t.Log("seed ", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	kills := 3
	if simtest.Night() {
		kills = 100
	}
	changed := 0
	for i := range kills {
		req := l.tuning("0.5")
		req.Order.DurationS, req.Order.Attempt = 2, i
		req.Order.ID = fmt.Sprintf("%x-r0-g0-c0-a%d", os.Getpid(), i)
		l.mark = MarkVar + "=" + req.Order.ID
		client, _ := l.begin(req, nil, clientEnv+"=yes")
		if i%2 == 0 { // in the midst of it
			l.until("a change", func() bool { return l.is() != was })
		}
		time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
		if l.is() != was {
			changed++
		}
		all := l.processes()
		what := i % 3
		for _, pid := range all {
			if what == 2 || what == 1 && pid != all[len(all)-1] || what == 0 && pid == client.Process.Pid {
				_ = unix.Kill(pid, unix.SIGKILL)
			}
		}
		_ = client.Wait()
		if what < 2 {
			l.until(fmt.Sprintf("putting back after kill %d of %v", i, all), func() bool { return l.is() == was })
		} else if _, err := l.client.Describe(t.Context()); err != nil {
			t.Fatal(err)
		}
		if is := l.is(); is != was {
			t.Fatalf("after kill %d it is %s, and was %s", i, is, was)
		}
		l.until("the end of its processes", func() bool { return len(l.processes()) == 0 })
		// The next command removes what is left, unless its owner is a zombie still. A directory whose owner was killed
		// while it made it has no lock: it is removed after an hour.
		l.until("the removal of what is left", func() bool {
			_, err := l.client.Describe(t.Context())
			begun, err2 := filepath.Glob(filepath.Join(os.TempDir(), "plimsoll-new-*"))
			for _, dir := range begun {
				err2 = errors.Join(err2, os.RemoveAll(dir))
			}
			left, err3 := os.ReadDir(os.TempDir())
			return errors.Join(err, err2, err3) == nil && len(left) == 0
		})
	}
	if changed == 0 {
		t.Error("no kill met a change")
	}
	t.Logf("%d kills, %d of them while it was changed", kills, changed)
}

// processes returns the processes of this binary that the test started, the youngest, a watchdog, last.
func (l limited) processes() []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		l.t.Fatal(err)
	}
	var out []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		environ, err2 := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if errors.Join(err, err2) == nil && strings.TrimSuffix(exe, " (deleted)") == l.client.Self &&
			strings.Contains(string(environ), stateEnv+"="+os.Getenv(stateEnv)) {
			out = append(out, pid)
		}
	}
	slices.Sort(out)
	return out
}

// TestOwnProcessesArePlaced: what a run starts has the limit of CPU time and the NUMA node that its parameters name,
// and nothing of that is left.
func TestOwnProcessesArePlaced(t *testing.T) {
	simtest.Forks(t)
	b := newBench(t)
	root := hostfs.System()
	cpus, err := knob.NodeCPUs(root, 0)
	if err != nil {
		t.Skip("no NUMA node here: ", err)
	}
	req := b.noting(b.order(closed(1), "starts"))
	req.Tune, req.Order.DurationS = true, .5
	req.Order.Sides[0].Workload = "starter" // whose started processes are the work
	req.Order.Sides[0].Params[knob.CPULimit], req.Order.Sides[0].Params[knob.NUMA] = "0.5", "0"
	if _, err := b.client.Tunable(t.Context(), req.Order.Sides[0], true); err != nil {
		t.Skip("not here: ", err)
	}
	type seen struct{ group, cpus string }
	during := make(chan seen, 1)
	go func() {
		var s seen
		for deadline := time.Now().Add(30 * time.Second); s.group == "" && time.Now().Before(deadline); {
			pids, _ := procs.Marked(root, b.mark)
			for _, pid := range pids {
				comm, _ := hostfs.ReadText(root.ProcPath(strconv.Itoa(pid), "comm"))
				if comm == "sleep" && hostfs.Exists(b.note) {
					s.group, _ = hostfs.ReadText(root.ProcPath(strconv.Itoa(pid), "cgroup"))
					status, _ := hostfs.ReadText(root.ProcPath(strconv.Itoa(pid), "status"))
					_, after, _ := strings.Cut(status, "Cpus_allowed_list:")
					s.cpus, _, _ = strings.Cut(strings.TrimSpace(after), "\n")
				}
			}
			time.Sleep(time.Millisecond)
		}
		during <- s
	}()
	trial, _ := b.one(req)
	got := <-during
	if trial.Void != "" {
		t.Fatal(trial.Void)
	}
	if hostfs.IsDir("/sys/fs/cgroup/cpu") && !strings.Contains(got.group, ":cpu:/plimsoll-") &&
		!strings.Contains(got.group, "cpu,cpuacct:/plimsoll-") {
		t.Errorf("it ran in %q", got.group)
	}
	allowed, err := record.ParseCPUList(got.cpus)
	if err != nil || slices.ContainsFunc(allowed, func(cpu int) bool { return !slices.Contains(cpus, cpu) }) {
		t.Errorf("it ran on CPUs %q, the node has %v (%v)", got.cpus, cpus, err)
	}
	if left, _ := filepath.Glob("/sys/fs/cgroup/*/plimsoll-*-limit-*"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	lanes := b.order(closed(1), "")
	lanes.Tune, lanes.Order.Sides[0].Params[knob.CPULimit] = true, "0.5"
	if _, err := b.do(lanes); err == nil ||
		!strings.Contains(err.Error(), "fake starts no process that could be limited") {
		t.Errorf("lanes cannot be limited: %v", err)
	}
	lanes = b.order(closed(1), "")
	lanes.Tune, lanes.Order.Sides[0].Params[knob.NUMA] = true, "0"
	if trial, _ := b.one(lanes); trial.Void != "" {
		t.Errorf("lanes on a node: %s", trial.Void)
	}
}
