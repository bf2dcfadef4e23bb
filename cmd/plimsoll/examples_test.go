package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"plimsoll/internal/analysis/finding/compare"
)

// minExamples is the number of examples that every help has.
const minExamples = 3

// TestExamples holds that every help has examples which its command takes, and that those of `run` make a request.
func TestExamples(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"order.json": "{}", "my.sql": "SELECT 1;\n",
		"my.fio":       "[job]\nrw=randread\nsize=4m\n",
		"requests.txt": "GET http://127.0.0.1:8080/items\n",
		"access.log":   "::1 - - [10/Oct/2026:13:55:36 +0000] \"GET / HTTP/1.1\" 200 2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := &app{stdout: io.Discard, said: io.Discard, stderr: io.Discard, env: func(string) string { return "s3same" },
		agent: newAgent()}
	byCommand := map[string][]string{}
	for _, s := range a.agent.Workloads {
		for _, e := range s.Command.Examples {
			byCommand["plimsoll run"] = append(byCommand["plimsoll run"], "plimsoll "+e.Command)
		}
	}
	root := a.root()
	root.InitDefaultHelpCmd()
	for _, c := range visible(root) {
		lines := strings.Split(c.Example, "\n")
		if len(lines) < minExamples {
			t.Errorf("%s: %d examples, at least %d", c.CommandPath(), len(lines), minExamples)
		}
		byCommand[c.CommandPath()] = append(byCommand[c.CommandPath()], lines...)
	}
	if len(byCommand) < 20 {
		t.Errorf("%d commands", len(byCommand))
	}
	for path, lines := range byCommand {
		for _, line := range lines {
			t.Run(strings.TrimSpace(line), func(t *testing.T) { parsesExample(t, a, path, line) })
		}
	}
}

// visible returns a command and those below it that are not hidden.
func visible(root *cobra.Command) []*cobra.Command {
	out := []*cobra.Command{root}
	for i := 0; i < len(out); i++ {
		for _, c := range out[i].Commands() {
			if !c.Hidden {
				out = append(out, c)
			}
		}
	}
	return out
}

func parsesExample(t *testing.T, a *app, path, line string) {
	t.Helper()
	cmd, rest, why := taken(line)
	switch {
	case why != "":
		t.Fatal(why)
	case cmd.HasParent() && !strings.HasPrefix(cmd.CommandPath(), path):
		t.Fatalf("it is an example of %s, and stands at %s", cmd.CommandPath(), path)
	case cmd.Name() != "run":
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

// taken returns the command of a line and its arguments, and why it does not take them, "" if it does.
func taken(line string) (cmd *cobra.Command, rest []string, why string) {
	line, _, _ = strings.Cut(line, " >") // into a file
	words, err := shellquote.Split(line)
	if err != nil {
		return nil, nil, err.Error()
	}
	for len(words) > 0 && strings.Contains(words[0], "=") {
		words = words[1:] // variables of the environment
	}
	if len(words) == 0 || words[0] != "plimsoll" {
		return nil, nil, "it does not begin with plimsoll"
	}
	root := (&app{agent: newAgent()}).root()
	root.InitDefaultHelpCmd()
	root.InitDefaultVersionFlag()
	if cmd, rest, err = root.Find(words[1:]); err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err == nil {
		err = cmd.ValidateArgs(cmd.Flags().Args())
	}
	if err == nil {
		err = conditionsOf(cmd)
	}
	if err != nil {
		return nil, nil, err.Error()
	}
	return cmd, rest, ""
}

// conditionsOf returns the error of the conditions in the parsed --fail-if flags of a command.
func conditionsOf(cmd *cobra.Command) error {
	texts, _ := cmd.Flags().GetStringArray("fail-if")
	for _, text := range texts {
		if _, err := compare.ParseCondition(text); err != nil {
			return err
		}
	}
	return nil
}
