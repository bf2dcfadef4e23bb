package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

var (
	updateCorpus  = flag.Bool("update", false, "rewrite what the corpus expects, where no figure changed")
	updateFigures = flag.Bool("figures", false, "with -update, also where figures changed")
)

const (
	corpusSession = "session.plimsoll.jsonl"
	repo          = "../../../../.." // from a session's folder
)

// TestCorpus reads sessions that earlier versions recorded (scripts/corpus) and holds what show and compare say of
// them to what was said before: words may be rewritten with -update, figures only with -figures as well.
func TestCorpus(t *testing.T) {
	dirs, err := filepath.Glob("testdata/corpus/*/" + corpusSession)
	if err != nil || len(dirs) < 15 {
		t.Fatalf("the corpus has %d sessions (%v)", len(dirs), err)
	}
	for _, path := range dirs {
		dir := filepath.Dir(path)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Chdir(dir)
			holdCorpus(t, "show.txt", "show", corpusSession)
			holdCorpus(t, "show.json", "show", corpusSession, "--json")
			args, err := os.ReadFile("compare.args")
			if err != nil {
				return // one machine, and no factor: nothing to compare
			}
			compare := append([]string{"compare", corpusSession}, strings.Fields(string(args))...)
			holdCorpus(t, "compare.txt", compare...)
			holdCorpus(t, "compare.json", append(compare, "--json")...)
		})
	}
}

// TestCorpusHasEveryFormat: a session written in each format shows that this version still reads it.
func TestCorpusHasEveryFormat(t *testing.T) {
	paths, err := filepath.Glob("testdata/corpus/*/" + corpusSession)
	if err != nil {
		t.Fatal(err)
	}
	written := map[int]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := bytes.Cut(text, []byte("\n"))
		var head record.Machine
		if err := json.Unmarshal(first, &head); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		written[head.Format] = true
	}
	for format := 1; format <= record.Format; format++ {
		if !written[format] {
			t.Errorf("no session of format %d in the corpus: scripts/corpus records some, with a build that writes it", format)
		}
		delete(written, format)
	}
	if len(written) > 0 {
		t.Errorf("the corpus has formats %v, this build writes %d", written, record.Format)
	}
}

// holdCorpus compares what a command prints with the file that holds what it printed before.
func holdCorpus(t *testing.T, golden string, args ...string) {
	t.Helper()
	var got, complaint bytes.Buffer
	if code := start(args, strings.NewReader(""), &got, &complaint, func(string) string { return "" }); code != exitDone {
		t.Fatalf("plimsoll %s: exit %d: %s", strings.Join(args, " "), code, complaint.String())
	}
	if unnumbered := regexp.MustCompile(`\bruns? 0\b`).Find(got.Bytes()); unnumbered != nil {
		t.Errorf("%s names %q: people count runs from 1, see record.RunNumber", golden, unnumbered)
	}
	if filepath.Ext(golden) == ".json" {
		if err := valid(repo, args[0], got.Bytes()); err != nil {
			t.Error(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got.Bytes(), want) {
		return
	}
	changed := ""
	if filepath.Ext(golden) == ".json" {
		changed = changedFigure(t, want, got.Bytes())
	}
	switch {
	case changed != "" && !*updateFigures:
		t.Errorf("%s: a figure changed: %s", golden, changed)
	case *updateCorpus:
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s: %s\nhint: if it is meant, go test ./cmd/plimsoll -run TestCorpus -update, and read the diff", golden,
			firstDifference(string(want), got.String()))
	}
}

// changedFigure names the first number, truth value or null of want that got has not, or has otherwise; "" if there is
// none. What got has beside them does not matter: later versions may say more.
func changedFigure(t *testing.T, want, got []byte) string {
	t.Helper()
	before, after := figures(t, want), figures(t, got)
	paths := make([]string, 0, len(before))
	for p := range before {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		now, there := after[p]
		if !there {
			return fmt.Sprintf("%s was %s and is gone", p, before[p])
		}
		if now != before[p] {
			return fmt.Sprintf("%s was %s and is %s", p, before[p], now)
		}
	}
	return ""
}

// figures are the leaves of a JSON document that are no text, by their paths.
func figures(t *testing.T, doc []byte) map[string]string {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	var root any
	if err := d.Decode(&root); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, e := range v {
				walk(path+"."+k, e)
			}
		case []any:
			for i, e := range v {
				walk(fmt.Sprintf("%s[%d]", path, i), e)
			}
		case string:
		default:
			out[path] = fmt.Sprint(v)
		}
	}
	walk("", root)
	return out
}

func firstDifference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d was\n  %s\nand is\n  %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("it had %d lines and has %d", len(a), len(b))
}
