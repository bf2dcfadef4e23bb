package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
)

// dataFolders are named by pages as from the root of the tree.
func dataFolders() []string { return []string{"examples/data", "examples/published"} }

// nightPages are those whose commands run at night alone: they measure the whole first run, as first.txtar does.
func nightPages() []string { return []string{"README.md", "tutorial.md"} }

// document is a page of ours whose commands must work as they stand.
type document struct {
	name string // the file's, or that of an example's folder with .md
	text string
}

// nameOf returns what a page is called in testdata/guides: every example's file is a README.md.
func nameOf(path string) string {
	dir := filepath.Dir(path)
	if name := filepath.Base(dir); name == "examples" || filepath.Base(filepath.Dir(dir)) == "examples" {
		return name + ".md"
	}
	return filepath.Base(path)
}

func documents(t *testing.T) []document {
	t.Helper()
	paths := []string{"../../README.md", "../../CONTRIBUTING.md", "../../bench/EVIDENCE.md",
		"../../examples/README.md"}
	for _, pattern := range []string{"../../docs/*.md", "../../docs/tasks/*.md", "../../examples/*/README.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || found == nil {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		paths = append(paths, found...)
	}
	var out []document
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, document{nameOf(path), string(text)})
	}
	return out
}

// blocks are a document's fenced examples in one language.
func (d document) blocks(language string) []string {
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(d.text, -1) {
		out = append(out, m[1])
	}
	return out
}

// documented is one command line of a document.
type documented struct {
	line string
	exit int // "# exit N"; 0 where nothing is said
}

// commands are those to run, in order: all but what needs another host and is
// marked so, and what is for those who work on the tree (see checkTree).
func (d document) commands(t *testing.T) []documented {
	t.Helper()
	var out []documented
	exit := regexp.MustCompile(`# exit (\d+)$`)
	for _, block := range d.blocks("sh") {
		for line := range strings.Lines(strings.ReplaceAll(block, "\\\n", " ")) {
			line = strings.TrimSpace(line)
			c := documented{line: line}
			if m := exit.FindStringSubmatch(line); m != nil {
				c.exit, _ = strconv.Atoi(m[1])
			}
			switch {
			case line == "" || strings.HasPrefix(line, "#"):
			case strings.HasSuffix(line, "# not run"):
				d.checkUnrun(t, line)
			case checkTree(t, line):
			default:
				out = append(out, c)
			}
		}
	}
	return out
}

// checkUnrun holds a command line that is not run to flags and arguments that its verb takes.
func (d document) checkUnrun(t *testing.T, line string) {
	t.Helper()
	line = strings.TrimSpace(strings.TrimSuffix(line, "# not run"))
	line, _, _ = strings.Cut(line, "  #")
	if !strings.HasPrefix(line, "plimsoll ") || strings.ContainsAny(line, "|;") || strings.Contains(line, "$(") {
		return
	}
	if _, _, why := taken(line); why != "" {
		t.Errorf("%s: %q: %s", d.name, line, why)
	}
}

// checkTree holds a command line that is run in the tree (a target of make, one
// of our scripts) to naming what is there, and says whether it is one.
func checkTree(t *testing.T, line string) bool {
	t.Helper()
	if first, then, both := strings.Cut(line, " && "); both && strings.HasPrefix(line, "./") {
		return checkTree(t, first) && checkTree(t, then)
	}
	words := strings.Fields(line)
	if words[0] == "sudo" {
		words = words[1:]
	}
	if script, ok := strings.CutPrefix(words[0], "./"); ok {
		info, err := os.Stat(filepath.Join("../..", script))
		if err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("%q: no such program in the tree: %v", line, err)
		}
		return true
	}
	if program, ok := strings.CutPrefix(line, "go install ./"); ok {
		if _, err := os.Stat(filepath.Join("../..", program, "main.go")); err != nil {
			t.Errorf("%q: %v", line, err)
		}
		return true
	}
	if words[0] != "make" || len(words) < 2 {
		return false
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(words[1]) + `:`).Match(makefile) {
		t.Errorf("%q: the Makefile has no such target", line)
	}
	return true
}

// TestDocumentedCommands runs what our documents tell people to type. Every
// document has a directory of its own, in which its commands follow each other.
func TestDocumentedCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("it carries out all that our documents show")
	}
	t.Parallel()
	total := 0
	for _, d := range documents(t) {
		commands := d.commands(t)
		total += len(commands)
		t.Run(d.name, func(t *testing.T) {
			if slices.Contains(nightPages(), d.name) && !simtest.Night() {
				t.Skip("it measures the whole first run, as first.txtar does: PLIMSOLL_NIGHT=1")
			}
			t.Parallel()
			dir := t.TempDir()
			here := enter(t, d.name, dir)
			if slices.Contains([]string{"kafka.md", "redpanda-ingestion.md", "instaclustr-kafka.md"}, d.name) {
				if err := share("kafka", dir); err != nil {
					t.Fatal(err)
				}
			}
			measuredElsewhere(t, d.name, dir)
			for _, folder := range dataFolders() {
				if !strings.Contains(d.text, folder) {
					continue
				}
				if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join("../..", folder))); err != nil {
					t.Fatal(err)
				}
			}
			for _, c := range commands {
				c.line = here(c.line)
				if strings.HasSuffix(c.line, " FILE") {
					makeSession(t, dir)
				}
				if strings.HasPrefix(c.line, "jq ") && !has("jq") {
					t.Logf("not run, there is no jq: %s", c.line)
					continue
				}
				runDocumented(t, dir, c)
			}
		})
	}
	if total < 10 {
		t.Errorf("found only %d commands in our documents", total)
	}
}

// measuredElsewhere makes the sessions that a document has other machines measure: testdata/guides/DOCUMENT/NAME.csv is
// NAME.plimsoll.jsonl, in small, of machines that are called what those are called.
func measuredElsewhere(t *testing.T, document, dir string) {
	t.Helper()
	tables, err := filepath.Abs(filepath.Join("testdata/guides", document))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(tables, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".csv")
		runDocumented(t, dir, documented{line: "plimsoll import --format csv " + file + " -o " + name + ".plimsoll.jsonl"})
	}
}

// makeSession makes the session that documents call FILE.
func makeSession(t *testing.T, dir string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "FILE")); err != nil {
		runDocumented(t, dir, documented{line: "plimsoll run exec --set exec.command=true --replicates 3 -o FILE"})
	}
}

func has(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

func runDocumented(t *testing.T, dir string, c documented) {
	t.Helper()
	cmd := exec.Command("sh", "-c", shortened(c.line))
	cmd.Dir = dir
	// what a document sets must not stay with who tests it
	cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+dir, "XDG_CONFIG_HOME="+dir, "PLIMSOLL_SPEED="+givenSpeed,
		"PLIMSOLL_SAMPLE="+givenSample)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%s: %v", c.line, err)
	}
	if got := cmd.ProcessState.ExitCode(); got != c.exit {
		t.Fatalf("%s\nexit code %d, want %d:\n%s", c.line, got, c.exit, out)
	}
}

// shortened is a command line with shorter trials, at a low rate, where it sets no time itself, with small files on a
// disk, and with this build in the place of the one that go run would make. One run of an open loop becomes three, of
// which a machine that stands still leaves one.
func shortened(line string) string {
	line, _, _ = strings.Cut(line, " #")
	line = strings.TrimSpace(strings.ReplaceAll(line, "go run plimsoll/cmd/plimsoll", "plimsoll"))
	if regexp.MustCompile(`\brate[= ]`).MatchString(line) {
		line = strings.Replace(line, "--replicates 1 ", "--replicates 3 ", 1)
	}
	if strings.HasPrefix(line, "plimsoll run disk . ") { // by default it fills a gigabyte
		line = strings.Replace(line, " --size 256M", "", 1) + " --size 16M"
	}
	if strings.HasPrefix(line, "plimsoll run redpanda-ingestion ") { // its four files take 16 GiB
		line += " --set disk.size=64MiB"
	}
	if line == "plimsoll machine" { // by default it compares work with itself for 15 s
		return line + " --for 5s"
	}
	fixed := regexp.MustCompile(`--(for|resume|help)\b`).MatchString(line)
	once := regexp.MustCompile(`^plimsoll run (exec|compile)\b`).MatchString(line) &&
		!regexp.MustCompile(`\.(clients|rate)=`).MatchString(line)
	switch {
	case !strings.HasPrefix(line, "plimsoll run") || fixed || once:
		return line
	case strings.Contains(line, " --rate "): // an open loop's backlog is judged, and a cold start is one
		// At a low one a busy machine that stands still for 50 ms leaves next to no backlog.
		return regexp.MustCompile(` --rate \S+`).ReplaceAllString(line, " --rate 20") + " --for 500ms --warmup 1s"
	}
	return line + " --for 100ms --warmup 0s"
}

func TestShortened(t *testing.T) {
	for line, want := range map[string]string{
		"go run plimsoll/cmd/plimsoll run": "plimsoll run --for 100ms --warmup 0s",
		"plimsoll run quick --quick  # takes a minute": "plimsoll run quick --quick --for " +
			"100ms --warmup 0s",
		"plimsoll run exec --for 1s":                      "plimsoll run exec --for 1s",
		"plimsoll run --resume a.plimsoll.jsonl # exit 2": "plimsoll run --resume a.plimsoll.jsonl",
		"plimsoll run exec --set exec.command=true":       "plimsoll run exec --set exec.command=true",
		"plimsoll run exec --set exec.rate=1": "plimsoll run exec --set exec.rate=1 --for " +
			"100ms --warmup 0s",
		"plimsoll run exec a --rate 9 --for 1s --replicates 1 -o a.jsonl": "plimsoll run exec a --rate 9 --for 1s " +
			"--replicates 3 -o a.jsonl",
		"plimsoll run kafka --rate 9": "plimsoll run kafka --rate 20 --for 500ms --warmup 1s",
		"plimsoll machine":            "plimsoll machine --for 5s",
		"plimsoll machine --facts":    "plimsoll machine --facts",
		"plimsoll run disk . --bs 4k --size 256M -o a": "plimsoll run disk . --bs 4k -o a --size 16M" +
			" --for 100ms --warmup 0s",
		"plimsoll run redpanda-ingestion --dry-run": "plimsoll run redpanda-ingestion --dry-run --set disk.size=64MiB" +
			" --for 100ms --warmup 0s",
		"plimsoll show a#b.plimsoll.jsonl": "plimsoll show a#b.plimsoll.jsonl",
	} {
		if got := shortened(line); got != want {
			t.Errorf("%q is run as %q, want %q", line, got, want)
		}
	}
}

// TestDocumentedSuites runs the suites that our documents show.
func TestDocumentedSuites(t *testing.T) {
	simtest.Long(t)
	t.Parallel()
	n := 0
	for _, d := range documents(t) {
		for _, text := range d.blocks("yaml") {
			n++
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "demo.yaml"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			small := "" // arrays beyond a server's caches take gigabytes
			if strings.Contains(text, "workload: memory") {
				small = " --set memory.size=16MiB"
			}
			for _, line := range []string{
				"plimsoll run demo.yaml --for 50ms --warmup 0s --replicates 1 -o demo.plimsoll.jsonl" + small,
				"plimsoll show demo.plimsoll.jsonl",
			} {
				runDocumented(t, dir, documented{line: line})
			}
		}
	}
	if n == 0 {
		t.Error("no suite in our documents")
	}
}
