package agent

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/base/secret"
	"plimsoll/internal/run/agent/kept"
)

// carried reaches this binary's agent by a command, as another host's.
func (b *bench) carried(tail string) {
	b.client.On = b.client.Self + " agent" + tail + ";:"
}

// tidy has the directory of the bench's session removed, in which finished orders are.
func (b *bench) tidy(plan string) {
	b.t.Helper()
	if err := b.client.Do(b.t.Context(), Request{Do: DoTidy, Plan: plan}, func(Message) error { return nil }); err != nil {
		b.t.Error(err)
	}
}

// TestFinishedIsSentAgain: a trial through a command is kept on its host, so that who asks again gets the same one, and
// it is not measured twice.
func TestFinishedIsSentAgain(t *testing.T) {
	b := newBench(t)
	b.carried("")
	req := b.order(closed(1), "events")
	first, told1 := b.one(req)
	for _, do := range []string{DoResend, DoTrial, DoResend} {
		req.Do = do
		again, told2 := b.one(req)
		if again.ID != first.ID || again.Start != first.Start || again.MonoNs != first.MonoNs || len(told2.events) != 2 ||
			len(told2.series) != len(told1.series) {
			t.Errorf("%s: %+v, want the trial of %s", do, again, first.Start)
		}
	}
	other := b.order(closed(1), "")
	other.Order.ID += "-other"
	other.Order.Attempt++
	b.one(other)
	req.Do = DoResend
	if got, err := b.do(req); err != nil || len(got.trials) != 0 {
		t.Errorf("after another order: %d trials, %v", len(got.trials), err)
	}
	b.tidy(req.Order.Plan)
}

// TestNothingIsKeptHere: without a connection there is none that could break.
func TestNothingIsKeptHere(t *testing.T) {
	b := newBench(t)
	req := b.order(closed(1), "")
	b.one(req)
	if lines, err := kept.Finished(req.Order.Plan, req.Order.ID); err != nil || lines != nil {
		t.Errorf("%d lines, %v", len(lines), err)
	}
}

// TestSecretsAreNotKept: what quotes one is masked before it is written.
func TestSecretsAreNotKept(t *testing.T) {
	b := newBench(t)
	req := b.order(closed(1), "")
	tr := &trial{order: *req.Order, secrets: secret.Values{"TOKEN": []byte("hunter2hunter2")}}
	tried := Blank(*req.Order, 0, b.machine)
	tried.Void = "401: hunter2hunter2"
	tr.keep([]Message{{Kind: kindTrial, Trial: &tried}})
	lines, err := kept.Finished(req.Order.Plan, req.Order.ID)
	if err != nil || len(lines) != 1 || strings.Contains(string(lines[0]), "hunter2") ||
		!strings.Contains(string(lines[0]), "401: ***") {
		t.Errorf("%q, %v", lines, err)
	}
	b.tidy(req.Order.Plan)
}

// TestCarrierThatKeepsItsPipesOpen: the agent is told to leave, and its answer is not waited for any longer.
func TestCarrierThatKeepsItsPipesOpen(t *testing.T) {
	b := newBench(t)
	b.client.Grace = time.Minute // within which nothing would happen
	b.client.On = "sleep 1000 & cat | " + b.client.Self + " agent; sleep 1000;:"
	req := b.order(closed(1), "")
	b.one(req)
	b.client.On = ""
	b.tidy(req.Order.Plan)
}

// silent starts an agent as behind a stream that never ends: its input stays open, and nothing more is said but these
// words.
func (b *bench) silent(req Request, env ...string) (*exec.Cmd, *bufio.Scanner, func(word string)) {
	b.t.Helper()
	req.Carried, req.Protocol = true, Protocol
	cmd := exec.Command(b.client.Self, "agent")
	cmd.Env = append(append(os.Environ(), b.mark), env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		in.Close()
		cmd.Process.Kill()
		cmd.Wait()
	})
	say := func(text string) {
		if _, err := in.Write([]byte(text + "\n")); err != nil {
			b.t.Error(err)
		}
	}
	text, err := json.Marshal(req)
	if err != nil {
		b.t.Fatal(err)
	}
	say(string(text))
	return cmd, bufio.NewScanner(out), say
}

// TestDeafAgentLeaves: one that hears nothing from its client stops its load, and keeps what it had finished.
func TestDeafAgentLeaves(t *testing.T) {
	b := newBench(t)
	endless := b.noting(b.order(closed(1), "linger starts"))
	endless.Order.DurationS = 1000
	cmd, _, _ := b.silent(endless, deafEnv+"=300ms", graceEnv+"=200ms")
	b.untilRunning()
	cmd.Wait()
	b.untilClean()

	finished := b.order(closed(1), "")
	cmd, out, _ := b.silent(finished, deafEnv+"=2s")
	for out.Scan() && !strings.Contains(out.Text(), `"done"`) {
	}
	cmd.Wait()
	b.carried("")
	finished.Do = DoResend
	b.one(finished)
	b.tidy(finished.Order.Plan)
}

// TestBeatsKeepTheAgent, and bye ends it although its input stays open.
func TestBeatsKeepTheAgent(t *testing.T) {
	b := newBench(t)
	req := b.noting(b.order(closed(1), "linger starts"))
	req.Order.DurationS = 1000
	cmd, out, say := b.silent(req, deafEnv+"=1s", graceEnv+"=200ms")
	b.untilRunning()
	for range 15 {
		say(wordBeat)
		time.Sleep(100 * time.Millisecond)
	}
	if len(b.marked()) < 2 {
		t.Errorf("it has left: %v", b.marked())
	}
	say(wordBye)
	last := ""
	for out.Scan() {
		last = out.Text()
	}
	cmd.Wait()
	if !strings.Contains(last, `"bye"`) {
		t.Errorf("its last words are %q", last)
	}
	b.untilClean()
}
