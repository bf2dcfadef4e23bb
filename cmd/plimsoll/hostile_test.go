package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"plimsoll/internal/record"
	"plimsoll/internal/run/agent"
)

const greeting = `{"kind":"hello","protocol":8,"version":"dev"}` + "\n"

// hostility is what a remote says instead of an agent to requests of one kind. It is an honest agent to others.
type hostility struct {
	to   string // agent.Do*; "": all
	say  func(w io.Writer, req agent.Request)
	want string // what plimsoll says of it
}

// endlessly says a text until nobody reads it.
func endlessly(text string) func(io.Writer, agent.Request) {
	return func(w io.Writer, _ agent.Request) {
		block := []byte(strings.Repeat(text, 1+64<<10/len(text)))
		for {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	}
}

func saying(text string) func(io.Writer, agent.Request) {
	return func(w io.Writer, _ agent.Request) {
		_, _ = io.WriteString(w, greeting+text)
	}
}

// trialWith says the trial that was asked for, with something wrong.
func trialWith(spoil func(*record.Trial)) func(io.Writer, agent.Request) {
	return func(w io.Writer, req agent.Request) {
		t := agent.Blank(*req.Order, 0, *req.Machine)
		spoil(&t)
		text, _ := json.Marshal(agent.Message{Kind: "trial", Trial: &t})
		_, _ = fmt.Fprintf(w, "%s%s\n{\"kind\":\"done\"}\n", greeting, text)
	}
}

// ofTrial says one message again and again; %s in it is the trial's id.
func ofTrial(text string, times int) func(io.Writer, agent.Request) {
	return func(w io.Writer, req agent.Request) {
		_, _ = io.WriteString(w, greeting)
		line := strings.ReplaceAll(text, "%s", req.Order.SlotOf(0).ID()) + "\n"
		for range times {
			if _, err := io.WriteString(w, line); err != nil {
				return
			}
		}
	}
}

// long is so many bytes of text in a message.
func long(bytes int) string { return strings.Repeat("x", bytes) }

// unfitHost says that what the user wants cannot be had on its host, which is the one thing that makes the user wrong.
const unfitHost = "unfit"

// hostilities are the ways in which remotes have been hostile or broken. Those that take a deadline to notice are in
// internal/run/agent.
func hostilities() map[string]hostility {
	const ever = 1 << 30
	machine := func(name, allowed string) func(io.Writer, agent.Request) {
		return saying(`{"kind":"machine","machine":{"name":"` + name + `","id":"i","cpu":{"allowed":[` + allowed + `]}}}` +
			"\n" + `{"kind":"done"}` + "\n")
	}
	machineOf := func(disk string) func(io.Writer, agent.Request) {
		return saying(`{"kind":"machine","machine":{"cpu":{"allowed":[0]},"disks":[` + strings.Repeat(disk, 8e6/len(disk)) +
			`{}]}}` + "\n")
	}
	blaming := saying(`{"kind":"fault","fault":{"message":"no way\u001b[2J\u009b2J\u202e","usage":true}}` + "\n")
	return map[string]hostility{
		"yes":   {"", endlessly("y\n"), "not an agent"},
		"zeros": {"", endlessly("\x00"), "exceeds 8 MiB"},
		"old": {"", func(w io.Writer, _ agent.Request) {
			fmt.Fprintln(w, `{"kind":"hello","protocol":0,"version":"0.1"}`)
			time.Sleep(time.Minute)
		}, "uses protocol 0"},
		"stubborn": {"", func(w io.Writer, _ agent.Request) { fmt.Fprintln(w, "no"); time.Sleep(time.Minute) },
			"not an agent"},
		"fault": {agent.DoMachine, saying(`{"kind":"fault","fault":{"message":"no\u001b[2J"}}` + "\n"),
			`through "hostile fault": no`},
		"a wrong user":       {agent.DoMachine, blaming, "no way"},
		"a user wrong later": {agent.DoTrial, blaming, "no way"},
		unfitHost:            {agent.DoPreflight, blaming, "no way"},
		"no machine":         {agent.DoMachine, saying(`{"kind":"done"}` + "\n"), "no machine description received"},
		"null machine":       {agent.DoMachine, saying(`{"kind":"machine"}` + "\n"), `does not answer request "machine"`},
		"two machines": {agent.DoMachine,
			saying(strings.Repeat(`{"kind":"machine","machine":{"name":"n","cpu":{"allowed":[0]}}}`+"\n", 2)),
			"does not answer"},
		"no CPUs":          {agent.DoMachine, machine("n", ""), "lists 0 usable CPUs"},
		"a CPU below none": {agent.DoMachine, machine("n", "0,-1"), "or invalid ones"},
		"a title":          {agent.DoMachine, machine(`n\u001b]0;owned\u0007`, "0"), "is not a valid machine name"},
		"a long name":      {agent.DoMachine, machine(long(1000), "0"), "is not a valid machine name"},
		"disks of nothing": {agent.DoMachine, machineOf(`{},`), "not an agent"},
		"too many disks":   {agent.DoMachine, machineOf(`{"major":1},`), "not an agent"},
		"a large machine": {agent.DoMachine, machineOf(`{"model":"` + long(1000) + `"},`),
			"the machine description exceeds 1 MiB"},
		"a path":             {agent.DoMachine, machine("../../elsewhere/.pwn", "0"), ""},
		"a trial for a look": {agent.DoPreflight, saying(`{"kind":"trial","trial":{}}` + "\n"), "does not answer"},
		"news":               {agent.DoPreflight, saying(`{"kind":"news"}` + "\n"), "unknown message kind"},
		"hello twice":        {agent.DoTrial, saying(greeting), "unknown message kind"},
		"negative cell":      {agent.DoTrial, trialWith(func(t *record.Trial) { t.Cell = -1 }), "cell -1"},
		"no keys":            {agent.DoTrial, trialWith(func(t *record.Trial) { t.Keys = nil }), "is \"\", not"},
		"another machine": {agent.DoTrial, trialWith(func(t *record.Trial) { t.Keys[record.KeyMachine] = "other" }),
			`machine is "other"`},
		"another id": {agent.DoTrial, trialWith(func(t *record.Trial) { t.ID = "other" }),
			`the agent returned run "other"`},
		"another plan": {agent.DoTrial, trialWith(func(t *record.Trial) { t.Plan = "other" }), "the agent returned run"},
		"a pilot":      {agent.DoTrial, trialWith(func(t *record.Trial) { t.Pilot = true }), "the agent returned run"},
		"negative counts": {agent.DoTrial, trialWith(func(t *record.Trial) { t.Generator = &record.LoadUse{Done: -5} }),
			"negative"},
		"negative time": {agent.DoTrial, trialWith(func(t *record.Trial) { t.DurationS = -5 }), "negative"},
		"a thousand values": {agent.DoTrial, trialWith(func(t *record.Trial) { t.Values = make([]record.Value, 1000) }),
			"1000 values are too many"},
		"infinite": {agent.DoTrial, ofTrial(`{"kind":"trial","trial":{"id":"%s","duration_s":1e999}}`, 1),
			"not an agent"},
		"no trial":   {agent.DoTrial, saying(`{"kind":"done"}` + "\n"), "the agent returned 0 runs instead of 1"},
		"null trial": {agent.DoTrial, saying(`{"kind":"trial"}` + "\n"), "does not answer"},
		"cut off":    {agent.DoTrial, saying(`{"kind":"tri`), "not an agent"},
		"deep": {agent.DoTrial, saying(`{"kind":"trial","trial":{"values":` + strings.Repeat("[", 1<<20) + "\n"),
			"not an agent"},
		"endless trials": {agent.DoTrial, ofTrial(`{"kind":"trial","trial":{"id":"%s"}}`, ever), "the agent returned run"},
		"endless series": {agent.DoTrial,
			ofTrial(`{"kind":"series","series":{"trial":"%s","name":"ops","enc":"dvz","data":"`+long(64<<10)+`"}}`, ever),
			"exceeds 32 MiB"},
		"large series": {agent.DoTrial,
			ofTrial(`{"kind":"series","series":{"trial":"%s","name":"ops","enc":"dvz","data":"`+long(7<<20)+`"}}`, ever),
			"exceeds 32 MiB"},
		"many series": {agent.DoTrial,
			ofTrial(`{"kind":"series","series":{"trial":"%s","name":"ops","enc":"dvz"}}`, ever), "does not answer"},
		"endless events": {agent.DoTrial, ofTrial(`{"kind":"event","event":{"trial":"%s","name":"e","t_ns":1}}`, ever),
			"does not answer"},
		"another's loss": {agent.DoTrial,
			ofTrial(`{"kind":"event","event":{"trial":"%s","name":"kill","host":"ssh other","machine":"other"}}`, 1),
			"does not answer"},
		"the own loss": {agent.DoTrial, ofTrial(`{"kind":"event","event":{"trial":"%s","name":"host-lost"}}`, 1),
			"does not answer"},
		"another's series": {agent.DoTrial, ofTrial(`{"kind":"series","series":{"trial":"x%s","name":"ops","enc":"dvz"}}`, 1),
			"which was not ordered"},
		"strange series": {agent.DoTrial,
			ofTrial(`{"kind":"series","series":{"trial":"%s","name":"ops","enc":"rot13"}}`, 1), "invalid series"},
		"the window's end": {agent.DoTrial, saying(`{"kind":"ended"}` + "\n"), "does not answer"},
		"the time":         {agent.DoTrial, saying(`{"kind":"clock","mono_ns":1}` + "\n"), `message "clock" does not answer`},

		"a target that says the window's end": {agent.DoServe,
			saying(`{"kind":"serving","address":"127.0.0.1:1"}` + "\n" + `{"kind":"ended"}` + "\n"), `message "ended"`},
		"a target that only tells the time": {agent.DoServe,
			saying(strings.Repeat(`{"kind":"clock","mono_ns":1}`+"\n", 1000)), `message "clock"`},
		"a target's trial without keys": {agent.DoServe, trialWith(func(t *record.Trial) { t.Keys = nil }), `is "", not`},
		"a target's other trial": {agent.DoServe, trialWith(func(t *record.Trial) { t.ID = "other" }),
			`the agent returned run "other"`},
		"a target's trial below all cells": {agent.DoServe, trialWith(func(t *record.Trial) { t.Cell = -1 }), "cell -1"},
		"a target that never serves": {agent.DoServe, trialWith(func(*record.Trial) {}),
			"it exited before it was loaded"},
		"a target that serves twice": {agent.DoServe,
			saying(strings.Repeat(`{"kind":"serving","address":"127.0.0.1:1"}`+"\n", 2)), `message "serving"`},
		"a target's endless series": {agent.DoServe,
			ofTrial(`{"kind":"series","series":{"trial":"%s","name":"ops","enc":"dvz","data":"`+long(1<<20)+`"}}`, ever),
			"exceeds 32 MiB"},
	}
}

// hostile MODE COMMAND... is a remote that is reached by a command and answers in a hostile way; else COMMAND is the
// agent.
func hostile() {
	h, ok := hostilities()[strings.ReplaceAll(os.Args[1], "_", " ")]
	if !ok {
		fmt.Fprintf(os.Stderr, "there is no mode %q\n", os.Args[1])
		os.Exit(1)
	}
	in := bufio.NewReader(os.Stdin)
	line, _ := in.ReadBytes('\n')
	var req agent.Request
	_ = json.Unmarshal(line, &req)
	if h.to == "" || h.to == req.Do {
		h.say(os.Stdout, req)
		return
	}
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = io.MultiReader(bytes.NewReader(line), in), os.Stdout, os.Stderr
	if cmd.Run() != nil {
		os.Exit(1)
	}
}

// driven reports whether bytes can move the cursor of a terminal, or the order of what it shows. White space can, as
// NEL does, but for newlines and blanks; joiners cannot.
func driven(said []byte) bool {
	return !utf8.Valid(said) || bytes.ContainsFunc(said, func(r rune) bool {
		return unicode.In(r, unicode.Cc, unicode.Cf) && !strings.ContainsRune("\n\u200c\u200d", r)
	})
}

// TestHostileRemotes: whatever a remote says, a run ends by itself, in bounded memory and file, with what was wrong in
// plain characters.
func TestHostileRemotes(t *testing.T) {
	if testing.Short() {
		t.Skip("the remotes take half a minute")
	}
	t.Parallel()
	for _, name := range slices.Sorted(maps.Keys(hostilities())) {
		if hostilities()[name].want == "" {
			continue // hostile.txtar has it
		}
		t.Run(name, func(t *testing.T) {
			h, dir := hostilities()[name], t.TempDir()
			on := "hostile " + strings.ReplaceAll(name, " ", "_")
			if strings.ContainsAny(on, "'") {
				on = "hostile '" + strings.ReplaceAll(name, " ", "_") + "'"
				on = strings.ReplaceAll(on, "'s", `'"'"'s`)
			}
			args := []string{"run", "exec", "--set", "exec.command=true", "--replicates", "1", "--on", on, "-o",
				"out.plimsoll.jsonl"}
			if h.to == agent.DoServe {
				args = []string{"run", "http", "--set", "http.server=embedded", "--set", "http.address=127.0.0.1", "--set",
					"http.clients=1", "--for", "100ms", "--warmup", "0s", "--pilot", "0s", "--replicates", "1", "--on", on,
					"--generator", "env", "-o", "out.plimsoll.jsonl"}
			}
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
			defer stop()
			cmd := exec.CommandContext(ctx, "plimsoll", args...)
			cmd.Dir = dir
			var said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &said, &said
			began := time.Now()
			_ = cmd.Run()
			t.Logf("%v, %d MB, exit code %d", time.Since(began).Round(10*time.Millisecond),
				cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss>>10, cmd.ProcessState.ExitCode())
			if code := cmd.ProcessState.ExitCode(); (code == exitUsage) != (name == unfitHost) ||
				code != exitUsage && code != exitFailed && code != exitNoTrial {
				t.Errorf("exit code %d", code)
			}
			// Linux starts a child's peak with its parent's.
			var own syscall.Rusage
			if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
				t.Fatal(err)
			}
			if kb := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; kb > max(256<<10, own.Maxrss*9/8) {
				t.Errorf("it took %d MiB of memory", kb>>10)
			}
			if info, err := os.Stat(filepath.Join(dir, "out.plimsoll.jsonl")); err == nil && info.Size() > 256<<20 {
				t.Errorf("it wrote %d MiB", info.Size()>>20)
			}
			text := strings.Join(strings.Fields(said.String()), " ")
			if !strings.Contains(text, h.want) || strings.Contains(text, "goroutine") || driven(said.Bytes()) {
				t.Errorf("it says %.2000q, want %q", said.String(), h.want)
			}
		})
	}
}
