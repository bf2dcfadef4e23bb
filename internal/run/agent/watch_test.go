package agent

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/machine/host/procs"
	"plimsoll/internal/record"
)

// beating returns a command that prints hello and then a beat every 10 ms, for ever.
func beating(beat string) string {
	return "echo '" + strings.TrimSpace(hello) + "'; while :; do echo '" + beat + "'; sleep 0.01; done;:"
}

// TestAgentThatOnlyBeats: that a process lives does not prove that it works.
func TestAgentThatOnlyBeats(t *testing.T) {
	order := record.Order{ID: "o", Slot: record.Slot{Plan: "p"}, Sides: []record.Side{
		{Workload: "w", Load: record.LoadPoint{Kind: record.Once}}}}
	trial := Request{Do: DoTrial, Order: &order, Machine: &record.Machine{}}
	for name, c := range map[string]struct {
		req        Request
		beat, want string
	}{
		"asked for its machine": {Request{Do: DoMachine}, `{"kind":"beat"}`, "no answer within 200ms"},
		"asked to look": {Request{Do: DoPreflight, Side: &record.Side{}},
			`{"kind":"beat","phase":"preparing","used_s":5}`, "no answer within 200ms"},
		"preparing": {trial, `{"kind":"beat","phase":"preparing","used_s":5}`,
			"it has been preparing for 200ms without using a second of CPU time"},
		"of no phase":             {trial, `{"kind":"beat"}`, "it has been preparing for 200ms without"},
		"finishing":               {trial, `{"kind":"beat","phase":"finishing"}`, "it has been finishing for 200ms without"},
		"of a phase that is none": {trial, `{"kind":"beat","phase":"dancing"}`, `to "dancing"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := Client{On: beating(c.beat), Silence: 2 * time.Second, Grace: 100 * time.Millisecond,
				Answer: 200 * time.Millisecond, Still: 200 * time.Millisecond}
			err := client.Do(t.Context(), c.req, func(Message) error { return nil })
			var lost Lost
			if !errors.As(err, &lost) || !strings.Contains(lost.Reason, c.want) {
				t.Errorf("%v, want a lost agent with %q", err, c.want)
			}
		})
	}
}

// TestTimeOfPhases: work may continue for a day, measuring as long as planned, and waiting until the command to stop.
func TestTimeOfPhases(t *testing.T) {
	order := record.Order{WarmupS: 5, DurationS: 60, Sides: []record.Side{{Load: record.LoadPoint{Kind: record.Closed}}}}
	once := order
	once.Sides = []record.Side{{Load: record.LoadPoint{Kind: record.Once}}}
	working := func(used *int64) Message {
		*used++
		return Message{Phase: phasePreparing, UsedS: *used}
	}
	for name, c := range map[string]struct {
		order *record.Order
		beat  func(used *int64) Message
		told  string
		lasts time.Duration // until it is given up
		says  string
		whole bool
	}{
		"works": {&order, working, "", 24 * time.Hour, "preparing for 24h", false},
		"hangs": {&order, func(*int64) Message { return Message{Phase: phasePreparing} }, "", time.Hour,
			"without using a second", false},
		"measures": {&order, func(*int64) Message { return Message{Phase: phaseMeasuring} }, "",
			(65 + 60 + 60) * time.Second, "still measuring after 3m5s", false},
		"measures one run": {&once, func(*int64) Message { return Message{Phase: phaseMeasuring} }, "", 8 * 24 * time.Hour,
			"measuring for 192h", false},
		"waits": {&order, func(*int64) Message { return Message{Phase: phaseWaiting} }, "", 8 * 24 * time.Hour,
			"waiting for 192h", false},
		"waits and is told": {&order, func(*int64) Message { return Message{Phase: phaseWaiting} }, WordStart, time.Minute,
			"still waiting 1m0s after it was told to go on", false},
		"is told to begin": {&order, func(*int64) Message { return Message{Phase: phaseWaiting} }, WordBegin,
			8 * 24 * time.Hour, "waiting for 192h", false},
		"has answered": {&order, working, "", 3 * time.Minute, "not done 3m0s after its answer", true},
	} {
		w := watch{req: Request{Do: DoTrial, Order: c.order}}
		w.sent(c.told)
		lasted, used := time.Duration(0), int64(0)
		var err error
		for err == nil && lasted < 200*time.Hour {
			if err = w.beat(c.beat(&used)); err == nil {
				lasted += 2 * time.Second
				err = w.pass(2*time.Second, c.whole)
			}
		}
		if lasted < c.lasts || lasted > c.lasts+4*time.Second || err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("what %s is given up after %v: %v; want %v and %q", name, lasted, err, c.lasts, c.says)
		}
	}
	w := watch{}
	if err := errors.Join(w.beat(Message{Phase: phaseMeasuring}), w.beat(Message{Phase: phasePreparing})); err == nil ||
		!strings.Contains(err.Error(), "its phase went from measuring to \"preparing\"") {
		t.Errorf("phases go back: %v", err)
	}
}

// TestPulseTellsCPUTime: of preparation with its processes; not in the window, where reading it would cost.
func TestPulseTellsCPUTime(t *testing.T) {
	simtest.Long(t)
	b := newBench(t)
	out := newSender(&strings.Builder{})
	work := b.tree()
	out.enter(phaseMeasuring)
	if m := out.pulse(work); m.Phase != phaseMeasuring || m.UsedS != 0 {
		t.Errorf("%+v in the window", m)
	}
	out.enter(phasePreparing)
	before := out.pulse(work).UsedS
	_ = exec.Command("sh", "-c", "ulimit -t 2; while :; do :; done").Run() // until it has used as much
	if m := out.pulse(work); m.Phase != phasePreparing || m.UsedS <= before {
		t.Errorf("%+v after a child had worked, %d s before", m, before)
	}
}

// TestLeaderIsKilledBeforeItIsReaped: processes left in its group are killed too, and its ID is not used once it may be
// reused. The leader ends by itself and its child keeps only its standard error: nothing but the group's kill ends the
// child, and who reaps before killing waits for it and says so.
func TestLeaderIsKilledBeforeItIsReaped(t *testing.T) {
	note := filepath.Join(t.TempDir(), "pid")
	_, err := Client{On: "(trap '' HUP TERM; exec sleep 1000) </dev/null >/dev/null & echo $! >" + note +
		"; exit;:"}.Describe(t.Context())
	var gone Unreachable
	if !errors.As(err, &gone) || !errors.Is(err, errEnded) || errors.Is(err, exec.ErrWaitDelay) {
		t.Errorf("%v, want an agent that ended, and was reaped without waiting for what it left", err)
	}
	written, err := os.ReadFile(note)
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(string(written)))
	if err != nil {
		t.Fatal(err)
	}
	// who is killed closes its files first
	for killed := time.Now(); !procs.Ended(hostfs.System(), child); time.Sleep(time.Millisecond) {
		if time.Since(killed) > time.Minute {
			_ = syscall.Kill(child, syscall.SIGKILL)
			t.Fatal("what the leader left in its group is still there")
		}
	}
}

// TestGroupThatStaysIsKilled: one that is no agent, does not end, and holds its output open.
func TestGroupThatStaysIsKilled(t *testing.T) {
	began := time.Now()
	_, err := Client{On: "(trap '' TERM; sleep 1000) & echo Welcome; exec sleep 1000;:"}.Describe(t.Context())
	var gone Unreachable
	if !errors.As(err, &gone) || time.Since(began) > time.Minute {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

func TestHostOfAnError(t *testing.T) {
	on := answering(t, hello+`{"kind":"fault","fault":{"message":"no","usage":true}}`+"\n")
	_, err := Client{On: on}.Describe(t.Context())
	var fault *Fault
	// It is not the user's: nothing that the user wants was asked.
	if !errors.As(err, &fault) || fault.Usage || !strings.HasPrefix(err.Error(), `through "cat `) ||
		!strings.HasSuffix(err.Error(), ": no") {
		t.Errorf("%v, want the host and the fault", err)
	}
}
