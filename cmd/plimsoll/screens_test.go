package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/present/manual"
	"plimsoll/internal/record/block"
)

// screenWidth is the width of a terminal that nobody has changed.
const screenWidth = 80

// wrongLines are what newcomers type: words and flags of other tools, misspelt names, values without or with the wrong
// unit, and files that do not exist.
func wrongLines() []string {
	return []string{
		// names of tools and servers
		"run redis",
		"run mysql",
		"run fio my.fio",
		"run wrk",
		"redis",
		"bench",
		"explain",
		"diff a b",
		"runn http",
		"run quik",
		"list foo",
		"help foo",
		"help load-line",
		"http localhost:8080 -c 10 -d 30s",
		"pgbench -c 10 -j 2 -T 60 -S",
		"fio --name=t --rw=randread --bs=4k",
		"run iperf3 -c h",
		"run curl http://h:1/",
		"run stress-gn",
		"run hyperfine './a 1' './b 2'",
		"run nothing",
		"postgresq",
		"cost --rate 50k",
		"nothing",
		"-V",
		"setup nety",
		"prices show",
		"prices m7g.large m6i.large",
		// flags of other tools
		"run http http://h:1/ --duration 10s",
		"run http http://h:1/ --rps 100",
		"run http http://h:1/ --vus 8",
		"run http http://h:1/ --p99 20ms",
		"run http http://h:1/ -c16 -d10s -t4",
		"run exec 'sleep 1' --repeat 3",
		"run exec 'sleep 1' --runs 10",
		"run http http://h:1/ --connections 64 --threads 4 --duration 30s --latency",
		"run http http://h:1/ -z 30s -q 100",
		"run http http://h:1/ --duraton 30s",
		"run http http://h:1/ --max-load",
		"run http http://h:1/ --user a:b",
		"run http http://h:1/ --stages 30s:10",
		"run memory --threads 4",
		"run disk . --direct 1",
		"run disk . --time_based --runtime 30 --blocksize 4k --group_reporting",
		"run exec 'sleep 1' -r 3 -w 1",
		"run exec sleep 1 --runs 3",
		"run pgbench -i",
		"run pgbench mydb",
		"run pgbench -c 8 -j 2 -T 60 -M prepared",
		"serve --port 8080",
		"prices list --region eu-west-1",
		"compare a b --treshold 5%",
		"run pgbench -p 5432",
		"run pgbench -T 60",
		"run disk . --runtime 10",
		"run disk . --numjobs 4 --group_reporting",
		"compare a b --threshold 5%",
		"report --pdf x",
		"report sessions/a.plimsoll.jsonl -o x.pdf",
		"show a -o x",
		"show --csv x",
		"compare a b --alpha 0.01",
		// misspelt parameters and values
		"run aes-gcm --vary lib=gcm,sio",
		"run aes-gcm --vary library=gcm,foo",
		"run disk . --rw randomread",
		"run http http://h:1/ --set clients",
		"run http http://h:1/ --sweep clients",
		"run http http://h:1/ --vary path=/a",
		"run http http://h:1/ --name head",
		"run http http://h:1/ --url",
		"run quick --metric foo",
		"run quick --label build",
		// numbers and units
		"run http http://h:1/ --clients abc",
		"run http http://h:1/ --rate 1k",
		"run http http://h:1/ --rate 100/s",
		"run http http://h:1/ --timeout 10",
		"run http http://h:1/ --for 10",
		"run quick --warmup x",
		"run quick --max-time 5",
		"run disk . --size 1Gb",
		"run disk . --bs 4kk",
		"run aes-gcm --size 2TB",
		"run quick --margin 2%",
		"run quick --margin 2",
		"run quick --replicates abc",
		"run quick --replicates 2.0",
		"run quick --seed -1",
		"run quick --budget five",
		"run http http://h:1/ --slo 20ms",
		"run http http://h:1/ --slo p99",
		"run http http://h:1/ --slo 'p99<20ms'",
		"run http http://h:1/ --slo p99=20",
		"run http http://h:1/ --slo p99=20MS",
		"run http http://h:1/ --slo p99=20ms,p50=5ms",
		"run http h",
		"run http urls.txt",
		"run quick --price 0.17",
		"show x --demand '5 million'",
		"show x --demand 50k/s",
		"compare a b --fail-if 5%",
		"prices set m7g.large 0.17",
		"prices compare m7g.large",
		// variables that are not set
		"run --resume ''",
		"run quick -o ''",
		"run quick --hosts=",
		"report sessions/a.plimsoll.jsonl -o ''",
		"compare a b --baseline ''",
		"history sessions --benchmark ''",
		// files
		"show",
		"status",
		"tidy",
		"fetch",
		"compare x.plimsoll.jsonl",
		"compare old.txt new.txt",
		"show old.txt",
		"show notes.txt",
		"show results",
		"report sessions",
		"show -",
		"import results",
		"import nosuch",
		"import -",
		"import old.txt",
		"history",
		"run nosuch.yaml",
		"run pgbench my.sql",
		"export x.plimsoll.jsonl",
		"import",
		"serve nowhere",
		"port nowhere",
		"completion tcsh",
		"selftest foo",
	}
}

// started runs a command line in an empty directory and returns what it prints and its exit code.
func started(t *testing.T, line string) (stdout, stderr string, code int) {
	t.Helper()
	args, err := shellquote.Split(line)
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	env := func(name string) string {
		return map[string]string{"HOME": home, "XDG_CACHE_HOME": home, "XDG_CONFIG_HOME": home, "XDG_STATE_HOME": home,
			"COLUMNS": "80"}[name]
	}
	var out, said bytes.Buffer
	code = start(args, strings.NewReader(""), &out, &said, env)
	return out.String(), said.String(), code
}

// TestWrongLines: each refusal has one line of cause and one of a hint, and exit code 2.
func TestWrongLines(t *testing.T) {
	simtest.Forks(t)
	path, err := filepath.Abs("testdata/screens/errors.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	t.Setenv("PATH", programs(t, "sleep"))
	write := func(name, text string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("old.txt", "BenchmarkX-2 100 5000 ns/op\n")
	write("new.txt", "BenchmarkX-2 100 4000 ns/op\n")
	write("notes.txt", "to do\n")
	write("sessions/a.plimsoll.jsonl", "")
	if err := os.Mkdir("results", 0o700); err != nil {
		t.Fatal(err)
	}
	var screen strings.Builder
	for _, line := range wrongLines() {
		stdout, stderr, code := started(t, line)
		screen.WriteString("$ plimsoll " + line + "\n" + stderr + "\n")
		said := strings.Split(strings.TrimSuffix(stderr, "\n"), "\n")
		if code != exitUsage || stdout != "" || len(said) != 2 || !strings.HasPrefix(said[len(said)-1], "hint: ") {
			t.Errorf("%s: exit code %d, %q, %q", line, code, stdout, stderr)
		}
		hintParses(t, line, said[len(said)-1])
		if width := block.DisplayWidth(said[0]); width > 2*screenWidth {
			t.Errorf("%s: the cause takes %d columns: %s", line, width, said[0])
		}
	}
	golden(t, path, screen.String())
}

// programs returns a directory with programs of these names.
func programs(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil { //nolint:gosec // a program
			t.Fatal(err)
		}
	}
	return dir
}

// hintParses fails if a hint begins with a command that doesn't exist, or has a flag that the command lacks.
func hintParses(t *testing.T, line, hint string) {
	t.Helper()
	command, ok := strings.CutPrefix(hint, "hint: plimsoll ")
	command, _, _ = strings.Cut(command, ", or plimsoll ")
	command, _, _ = strings.Cut(command, "; ")
	words, err := shellquote.Split(command)
	if !ok || err != nil {
		return
	}
	if i := slices.Index(words, "&&"); i >= 0 {
		words = words[:i]
	}
	a := &app{agent: newAgent()}
	root := a.root()
	root.InitDefaultHelpCmd()
	cmd, rest, err := root.Find(words)
	if err != nil || cmd == root {
		t.Errorf("%s: %q isn't a command: %v", line, hint, err)
		return
	}
	var unknown *pflag.NotExistError
	if err := cmd.ParseFlags(rest); errors.As(err, &unknown) {
		t.Errorf("%s: %q: %v", line, hint, err)
	}
}

// TestHelps: every help and the parameters of every workload fit a terminal, and every group of flags is of flags.
func TestHelps(t *testing.T) {
	simtest.Forks(t)
	a := &app{agent: newAgent()}
	root := a.root()
	root.InitDefaultHelpCmd()
	var screen strings.Builder
	for _, c := range visible(root) {
		line := strings.TrimPrefix(c.CommandPath()+" --help", "plimsoll ")
		stdout, stderr, code := started(t, line)
		if code != exitDone || stderr != "" || stdout != manual.Help(c) {
			t.Errorf("%s: exit code %d, %q, %q", line, code, stdout, stderr)
		}
		screen.WriteString("$ plimsoll " + line + "\n" + stdout + "\n")
		checkGroups(t, c)
		for text := range strings.Lines(stdout) {
			if width := block.DisplayWidth(strings.TrimSuffix(text, "\n")); width > screenWidth {
				t.Errorf("%s: a line takes %d columns: %s", line, width, text)
			}
		}
	}
	stdout, _, code := started(t, "help terms")
	if code != exitDone {
		t.Errorf("exit code %d", code)
	}
	screen.WriteString("$ plimsoll help terms\n" + stdout)
	golden(t, "testdata/screens/helps.txt", screen.String())
}

// checkGroups: the groups of a command name each of its visible flags once, and none that no command has.
func checkGroups(t *testing.T, c *cobra.Command) {
	t.Helper()
	text, ok := c.Annotations[manual.GroupsKey]
	if !ok {
		return
	}
	var names []string
	for line := range strings.Lines(text) {
		_, of, _ := strings.Cut(strings.TrimSpace(line), ": ")
		names = append(names, strings.Fields(of)...)
	}
	slices.Sort(names)
	if unique := slices.Compact(slices.Clone(names)); len(unique) < len(names) {
		t.Errorf("%s: a flag is in two groups: %v", c.CommandPath(), names)
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !slices.Contains(names, f.Name) {
			t.Errorf("%s: --%s is in no group", c.CommandPath(), f.Name)
		}
	})
	if c.Name() == "run" { // report and serve share theirs
		for _, name := range names {
			if c.Flags().Lookup(name) == nil {
				t.Errorf("%s: there is no flag --%s", c.CommandPath(), name)
			}
		}
	}
}

// golden compares a screen with the one in a file, which -update rewrites.
func golden(t *testing.T, path, got string) {
	t.Helper()
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || string(want) != got {
		t.Errorf("%s differs, %v: go test ./cmd/plimsoll -run 'TestHelps|TestWrongLines' -update, and read the diff",
			path, err)
	}
}
