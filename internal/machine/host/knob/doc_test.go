package knob

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

var update = flag.Bool("update", false, "write the tables of docs/machine.md anew")

const page = "../../../../docs/machine.md"

// tables returns the tables of the page, by the marker before each.
func tables() map[string]string {
	settings := "| setting | what | whom a change affects |\n|---|---|---|\n"
	for _, k := range All() {
		settings += fmt.Sprintf("| `%s` | %s | %s |\n", k.Name, k.Doc, k.Whom)
	}
	presets := "| `tune.preset` | what | settings |\n|---|---|---|\n"
	for _, p := range Presets() {
		var all []string
		for _, name := range slices.Sorted(maps.Keys(p.Set)) {
			all = append(all, fmt.Sprintf("`%s=%s`", strings.TrimPrefix(name, record.TunePrefix), p.Set[name]))
		}
		presets += fmt.Sprintf("| `%s` | %s | %s |\n", p.Name, p.Doc, strings.Join(all, ", "))
	}
	return map[string]string{"<!-- settings -->\n": settings, "<!-- presets -->\n": presets}
}

func TestPageHasTheTables(t *testing.T) {
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
		t.Errorf("%s differs from the tables: run go test ./internal/machine/host/knob -update", page)
	}
}
