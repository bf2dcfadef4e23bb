package plain

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "lower the counts in testdata/counts.txt to what is found")

const (
	root       = "../../.."
	countsFile = "testdata/counts.txt"
	countsHead = "# package, kind of text, rule, findings: see TestGo. -update lowers these counts.\n"
)

// place is a finding in a file.
type place struct {
	path  string
	line  int
	where key
	text  string
}

// key is what findings in Go files are counted by.
type key struct{ pkg, kind, rule string }

func (k key) String() string { return k.pkg + " " + k.kind + " " + k.rule }

func (p place) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", p.path, p.line, p.where.rule, p.text)
}

// findIn returns the findings of all rules in passages of a file.
func findIn(rules []rule, path, pkg, kind string, passages []passage) []place {
	var out []place
	for _, p := range passages {
		for _, f := range find(rules, p.text) {
			near := p.text[f.at:min(len(p.text), f.at+50)]
			if f.at > 0 {
				near = "…" + p.text[max(0, f.at-30):f.at] + near
			}
			out = append(out, place{path, p.line(f.at), key{pkg, kind, f.rule},
				fmt.Sprintf("%s In: %s", f.message, strings.ToValidUTF8(near, ""))})
		}
	}
	return out
}

// pages returns the pages that people write: docs/notes.md is generated from the strings of internal/record/note.
func pages(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, form := range []string{"README.md", "CONTRIBUTING.md", "DESIGN.md", "SECURITY.md", "bench/*.md",
		"docs/*.md", "docs/*/*.md", "examples/*.md", "examples/*/*.md", "changelog/unreleased/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, form))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, found...)
	}
	out = slices.DeleteFunc(out, func(path string) bool { return path == filepath.Join(root, "docs/notes.md") })
	if len(out) < 40 {
		t.Fatalf("found only %d pages", len(out))
	}
	return out
}

// TestPages allows no finding in a page.
func TestPages(t *testing.T) {
	rules := mustRules(t)
	for _, path := range pages(t) {
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range findIn(rules, strings.TrimPrefix(path, root+"/"), "", "page", pageProse(page)) {
			t.Error(p)
		}
	}
}

// goFiles returns the Go files of the product, tests left out, in the order of their last change, newest first.
func goFiles(t *testing.T) []string {
	t.Helper()
	changed := map[string]time.Time{}
	for _, dir := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() && d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			info, err := d.Info()
			if err == nil {
				changed[path] = info.ModTime()
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(changed) < 500 {
		t.Fatalf("found only %d Go files", len(changed))
	}
	return slices.SortedFunc(maps.Keys(changed), func(a, b string) int {
		return cmp.Or(changed[b].Compare(changed[a]), strings.Compare(a, b))
	})
}

// findInGo returns the findings in a Go file's strings and comments.
func findInGo(rules []rule, path, pkg string, source any) ([]place, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return append(findIn(rules, path, pkg, "string", texts(files, file)),
		findIn(rules, path, pkg, "comment", comments(files, file))...), nil
}

// readCounts reads a file of counts. A line with # is a comment.
func readCounts(text []byte) (map[key]int, error) {
	out := map[key]int{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) == 0 || f[0] == "#" {
			continue
		}
		if len(f) != 4 {
			return nil, fmt.Errorf("not a package, kind, rule and count: %s", line)
		}
		n, err := strconv.Atoi(f[3])
		if err != nil || n < 1 {
			return nil, fmt.Errorf("not a count of 1 or more: %s", line)
		}
		out[key{f[0], f[1], f[2]}] = n
	}
	return out, nil
}

func writeCounts(counts map[key]int) []byte {
	var out bytes.Buffer
	out.WriteString(countsHead)
	for _, k := range slices.SortedFunc(maps.Keys(counts), func(a, b key) int {
		return cmp.Or(strings.Compare(a.pkg, b.pkg), strings.Compare(a.kind, b.kind), strings.Compare(a.rule, b.rule))
	}) {
		fmt.Fprintln(&out, k, counts[k])
	}
	return out.Bytes()
}

// exceeded returns a line for each count that isn't the allowed one, and the allowed counts as -update writes them:
// lower where fewer are found, and never higher.
func exceeded(allowed map[key]int, found []place) ([]string, map[key]int) {
	places := map[key][]place{}
	for _, p := range found {
		places[p.where] = append(places[p.where], p)
	}
	var wrong []string
	lowered := map[key]int{}
	for k, at := range places {
		if n := min(len(at), allowed[k]); n > 0 {
			lowered[k] = n
		}
		if len(at) > allowed[k] {
			w := fmt.Sprintf("%s: %d, and %d are allowed. Reword the new one (files changed last come first):", k, len(at),
				allowed[k])
			for _, p := range at[:min(len(at), 10)] {
				w += "\n\t" + p.String()
			}
			if len(at) > 10 {
				w += fmt.Sprintf("\n\tand %d more", len(at)-10)
			}
			wrong = append(wrong, w)
		}
	}
	for k, n := range allowed {
		if len(places[k]) < n {
			wrong = append(wrong, fmt.Sprintf("%s: %d, which is fewer than %d. Keep it so: "+
				"go test ./internal/archtest/plain -update", k, len(places[k]), n))
		}
	}
	slices.Sort(wrong)
	return wrong, lowered
}

// TestGo allows as many findings in the strings and comments of a package as testdata/counts.txt has, and none in a
// new package. The counts may only fall. To move a package, change its name in the file. -update fills an empty file.
func TestGo(t *testing.T) {
	rules := mustRules(t)
	var found []place
	for _, path := range goFiles(t) {
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		places, err := findInGo(rules, name, filepath.ToSlash(filepath.Dir(name)), text)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, places...)
	}
	text, err := os.ReadFile(countsFile)
	if err != nil {
		t.Fatal(err)
	}
	allowed, err := readCounts(text)
	if err != nil {
		t.Fatalf("%s: %v", countsFile, err)
	}
	if len(allowed) == 0 && *update { // a first file
		for _, p := range found {
			allowed[p.where]++
		}
	}
	wrong, lowered := exceeded(allowed, found)
	if *update {
		if err := os.WriteFile(countsFile, writeCounts(lowered), 0o644); err != nil {
			t.Fatal(err)
		}
		wrong, _ = exceeded(lowered, found)
	}
	for _, w := range wrong {
		t.Error(w)
	}
}
