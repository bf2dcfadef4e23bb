package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"
)

// TestExamples parses every example of the help into a request; those of `run` make one.
func TestExamples(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"order.json": "{}", "my.sql": "SELECT 1;\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := &app{stdout: io.Discard, stderr: io.Discard, env: func(string) string { return "s3same" }, agent: newAgent()}
	var lines []string
	for _, s := range a.agent.Workloads {
		for _, e := range s.Command.Examples {
			lines = append(lines, e.Command)
		}
	}
	for _, c := range a.root().Commands() {
		for line := range strings.Lines(c.Example) {
			lines = append(lines, strings.TrimPrefix(strings.TrimSpace(line), "plimsoll "))
		}
	}
	if len(lines) < 20 {
		t.Errorf("%d examples", len(lines))
	}
	for _, line := range lines {
		t.Run(line, func(t *testing.T) { parsesExample(t, a, line) })
	}
}

func parsesExample(t *testing.T, a *app, line string) {
	t.Helper()
	words, err := shellquote.Split(line)
	if err != nil {
		t.Fatal(err)
	}
	cmd, rest, err := a.root().Find(words)
	if err != nil {
		t.Fatal(err)
	}
	if cmd.Name() != "run" {
		if err := cmd.ParseFlags(rest); err != nil {
			t.Error(err)
		}
		return
	}
	run, o := a.runWith()
	(&cobra.Command{Use: "plimsoll"}).AddCommand(run)
	if err := run.ParseFlags(rest); err != nil {
		t.Fatal(err)
	}
	req, _, err := a.request(*o, run.Flags().Args(), run)
	if err != nil {
		t.Fatal(err)
	}
	if len(req.Workloads()) == 0 {
		t.Errorf("%+v", req)
	}
}
