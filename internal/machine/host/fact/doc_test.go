package fact

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"io/fs"

	"plimsoll/internal/record"
)

var update = flag.Bool("update", false, "write the tables of docs/machine.md anew")

const page = "../../../../docs/machine.md"

// tables returns the two tables of the page, by the marker before each.
func tables() map[string]string {
	facts := "| fact | content |\n|---|---|\n"
	warnings := "| fact | there is a warning if |\n|---|---|\n"
	for _, f := range All() {
		facts += fmt.Sprintf("| %s | %s |\n", f.lead(), f.Doc)
		if f.Warns != "" {
			warnings += fmt.Sprintf("| %s | %s |\n", f.lead(), f.Warns)
		}
	}
	return map[string]string{"<!-- facts -->\n": facts, "<!-- warnings -->\n": warnings}
}

func TestPageHasTheList(t *testing.T) {
	b, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for marker, table := range tables() {
		before, rest, ok := strings.Cut(text, marker)
		if !ok {
			t.Fatalf("%s lacks %q", page, marker)
		}
		_, after, _ := strings.Cut(rest, "\n\n")
		text = before + marker + table + "\n" + after
	}
	if *update {
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if text != string(b) {
		t.Errorf("%s differs from the list: run go test ./internal/machine/host/fact -update", page)
	}
}

// TestEveryKeyIsListed holds that each field of a machine has an entry, so that none is left out of listings in
// silence.
func TestEveryKeyIsListed(t *testing.T) {
	unlisted := []string{
		"format", "name", "hosts", // of the record
		"facts", "unknown", "warnings", // of the list itself
		"arch", "kernel", "numa_nodes", // beside others: cpu, os, topology
	}
	var keys []string
	for _, f := range All() {
		top, _, _ := strings.Cut(f.Key, ".")
		keys = append(keys, top)
	}
	for i := range reflect.TypeFor[record.Machine]().NumField() {
		key, _, _ := strings.Cut(reflect.TypeFor[record.Machine]().Field(i).Tag.Get("json"), ",")
		if !slices.Contains(keys, key) && !slices.Contains(unlisted, key) {
			t.Errorf("the field %s of a machine has no entry in All", key)
		}
	}
}

func TestEntriesAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		if seen[f.Key] || seen["lead "+f.lead()] {
			t.Errorf("two entries %s, %s", f.Key, f.lead())
		}
		seen[f.Key], seen["lead "+f.lead()] = true, true
		if f.Doc == "" || strings.HasSuffix(f.Doc, ".") || (f.Text == nil) == (f.Lines == nil) ||
			(f.Advise == nil) != (f.Warns == "") {
			t.Errorf("%s: documentation %q, warns %q, or no text", f.Key, f.Doc, f.Warns)
		}
	}
}

func TestValueNeedsNothingElse(t *testing.T) {
	f := Value{Key: "page_size", Group: Setting, Read: func(fsys fs.FS) (record.Fact, error) {
		n, err := number(fsys, "sys/page_size")
		return record.Fact{Number: float64(n), Unit: "B", Text: "of a page"}, err
	}}.Fact()
	var m record.Machine
	if err := f.Read(fstest.MapFS{}, &m); err == nil || m.Facts != nil || f.Text(m, exactly) != "" ||
		f.Compare(m)["page_size"] != "" {
		t.Errorf("%v, %v of nothing", m.Facts, err)
	}
	if err := f.Read(fstest.MapFS{"sys/page_size": {Data: []byte("4096\n")}}, &m); err != nil {
		t.Fatal(err)
	}
	double := func(v float64, unit string) string { return exactly(2*v, unit) }
	if got := f.lines(m, double); !slices.Equal(got, []Line{{"page size", "8192 B, of a page"}}) ||
		f.Compare(m)["page_size"] != "4096 B, of a page" {
		t.Errorf("%q, %q", got, f.Compare(m))
	}
}
