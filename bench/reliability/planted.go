package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// bug is planted into a build, to be found by a part.
type bug struct {
	name          string
	file, old, by string // by takes the place of old, which is once in file; PLANTED in it is true where the bug is on
	part          string
	shows         string // what the part says of it, and of nothing else
}

func bugs() []bug {
	return []bug{
		{"no fsync", "internal/record/session/writer.go",
			"err = w.f.Sync()\n\t}\n\tif err != nil {\n\t\treturn w.fail(err, n)",
			"if !PLANTED {\n\t\t\terr = w.f.Sync()\n\t\t}\n\t}\n\tif err != nil {\n\t\treturn w.fail(err, n)", "power-cut",
			"runs were reported, and "},
		{"a torn line stays", "internal/record/session/writer.go", "if w.cut(n) != nil {", "if !PLANTED && w.cut(n) != nil {",
			"full-disk", "the last one torn: true"},
		{"a torn line is cut at the end that its writer remembers", "internal/record/session/writer.go",
			"if n == 0 {\n\t\treturn nil\n\t}\n\tend, err := w.f.Seek",
			"if PLANTED {\n\t\treturn w.f.Truncate(w.end)\n\t}\n\tif n == 0 {\n\t\treturn nil\n\t}\n\tend, err := w.f.Seek",
			"full-disk", "another program appended"},
		{"a read that fails is the end", "internal/record/session/scan.go",
			"case errors.Is(err, io.EOF):\n\t\treturn s.finish()",
			"case errors.Is(err, io.EOF), PLANTED:\n\t\treturn s.finish()", "read-error", "the exit code is 0"},
		{"the next start cleans nothing up", "internal/run/agent/kept/scratch.go",
			"\taccount.RemoveStale(hostfs.System())\n\tremoveUnused()",
			"\tif PLANTED {\n\t\treturn\n\t}\n\taccount.RemoveStale(hostfs.System())\n\tremoveUnused()", "kill",
			"are left in TMPDIR"},
		{"no lock of a session", "internal/record/session/open.go", "func lock(f *os.File) error {\n",
			"func lock(f *os.File) error {\n\tif PLANTED {\n\t\treturn nil\n\t}\n", "shared-session", "in the file twice: "},
		{"a doubled figure", "internal/record/session/writer.go", "\tfor _, t := range trials {\n\t\tif t.ID == \"\" {",
			"\tfor _, t := range trials {\n\t\tif PLANTED && t.Replicate%2 == 1 && len(t.Values) > 0 {\n" +
				"\t\t\tt.Values[0].Value *= 2\n\t\t}\n\t\tif t.ID == \"\" {", "figures", injectedElse},
		{"an output is replaced in place", "internal/run/replace/replace.go",
			"\tf, name, err := unnamed(path, mode)\n",
			"\tif PLANTED {\n\t\tf, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode)\n" +
				"\t\tif err != nil {\n\t\t\treturn err\n\t\t}\n\t\treturn errors.Join(write(f), f.Close())\n\t}\n" +
				"\tf, name, err := unnamed(path, mode)\n", "output", neitherFile},
		{"http's side does not void", "internal/run/agent/side.go", "if s.trial.Void == \"\" {\n\t\ts.trial.Void = reason",
			"if s.trial.Void == \"\" && !(PLANTED && s.trial.Keys[record.KeyWorkload] == \"http\") {\n\t\ts.trial.Void = reason",
			"server-fault", validAllTheSame},
		{"http's voids are not sent", "internal/run/agent/protocol.go",
			"func (s *sender) send(m Message) error { return s.encode(m) }",
			"func (s *sender) send(m Message) error {\n\tif PLANTED && m.Trial != nil && m.Trial.Keys[record.KeyWorkload] == " +
				"\"http\" {\n\t\tm.Trial.Void = \"\"\n\t}\n\treturn s.encode(m)\n}", "server-fault", validAllTheSame},
		{"http's voids are not heard", "internal/run/agent/conversation.go", "\tm = masked(m, s.secrets)\n",
			"\tm = masked(m, s.secrets)\n\tif PLANTED && m.Trial != nil && m.Trial.Keys[\"workload\"] == \"http\" {\n" +
				"\t\tm.Trial.Void = \"\"\n\t}\n", "server-fault", validAllTheSame},
		{"serve keeps something of each request", "internal/present/site/site.go",
			"func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {\n",
			"func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {\n\tif PLANTED {\n" +
				"\t\tkept := bytes.Repeat([]byte{1}, 1<<20)\n\t\ttime.AfterFunc(time.Hour, func() { _ = kept[0] })\n\t}\n", "serve",
			"when all clients have gone"},
	}
}

// untilFound is the number of trials in which a bug must be found: not each fault shows it.
const untilFound = 40

// findPlanted builds the program with all bugs, turns each on in turn, and reports whether one was not found.
func findPlanted(ctx context.Context, o options, to io.Writer) (bool, error) {
	work, err := os.MkdirTemp("", "reliability-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	program := filepath.Join(work, "plimsoll")
	if err := buildPlanted(ctx, program, work); err != nil {
		return false, err
	}
	missed := false
	for i, b := range bugs() {
		own := o
		own.quick = true // small, and enough to find each of them
		own.program, own.only, own.count = program, b.part, map[string]int{b.part: untilFound}
		var said strings.Builder
		found := func() bool { return strings.Contains(said.String(), b.shows) }
		c := &campaign{options: own, work: filepath.Join(work, fmt.Sprint(i)), to: &said, planted: b.name, enough: found}
		if _, err := c.run(ctx); err != nil {
			return false, err
		}
		fmt.Fprintf(to, "planted: %-57s %s, %d trials, %d hit: %s\n", b.name, b.part, c.rows[0].tried, c.rows[0].hit,
			map[bool]string{true: "found", false: "MISSED"}[found()])
		missed = missed || !found()
	}
	return missed, nil
}

// buildPlanted builds the program with all bugs, none of which is on by itself; the tree is left alone.
func buildPlanted(ctx context.Context, to, work string) error {
	sources, err := spoilt(bugs())
	if err != nil {
		return err
	}
	replace := map[string]string{}
	for file, text := range sources {
		at, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		replace[at] = filepath.Join(work, fmt.Sprintf("spoilt-%d.go", len(replace)))
		if err := os.WriteFile(replace[at], []byte(text), 0o600); err != nil {
			return err
		}
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	overlay := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		return err
	}
	out, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-overlay", overlay, "-o", to, "./cmd/plimsoll").
		CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// spoilt returns the sources with the bugs, by their paths, and for each package what tells which one is on.
func spoilt(bugs []bug) (map[string]string, error) {
	sources := map[string]string{}
	for _, b := range bugs {
		if _, ok := sources[b.file]; !ok {
			text, err := os.ReadFile(b.file)
			if err != nil {
				return nil, err
			}
			sources[b.file] = string(text)
		}
		if n := strings.Count(sources[b.file], b.old); n != 1 {
			return nil, fmt.Errorf("planting %q: %s has %d times what it replaces: it must follow the source", b.name, b.file, n)
		}
		by := strings.ReplaceAll(b.by, "PLANTED", fmt.Sprintf("planted(%q)", b.name))
		sources[b.file] = strings.Replace(sources[b.file], b.old, by, 1)
		dir := filepath.Dir(b.file)
		sources[filepath.Join(dir, "planted.go")] = fmt.Sprintf(
			"package %s\n\nimport \"os\"\n\nfunc planted(bug string) bool { return os.Getenv(%q) == bug }\n",
			filepath.Base(dir), plants)
	}
	return sources, nil
}
