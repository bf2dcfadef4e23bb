package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plimsoll/internal/record/session"
)

// TestRecordedSessionsCanBeMadeAgain holds that each recorded session has a line that scripts/record-sessions runs, and
// is one that a script reads.
func TestRecordedSessionsCanBeMadeAgain(t *testing.T) {
	text, err := os.ReadFile("testdata/recorded/commands")
	if err != nil {
		t.Fatal(err)
	}
	var named, there []string
	for line := range strings.Lines(string(text)) {
		if name, arguments, ok := strings.Cut(line, " "); ok && name != "#" && arguments != "" {
			named = append(named, name)
		}
	}
	files, err := filepath.Glob(recordedSession("*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		there = append(there, strings.TrimSuffix(filepath.Base(f), session.Suffix))
	}
	slices.Sort(named)
	slices.Sort(there)
	if len(there) == 0 || !slices.Equal(named, there) {
		t.Errorf("recorded: %q\nin commands: %q", there, named)
	}
	scripts, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var read []string
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if words := strings.Fields(line); len(words) > 1 && words[0] == "recorded" {
				for _, word := range words[1:] {
					name, _, _ := strings.Cut(word, "=")
					read = append(read, name)
				}
			}
		}
	}
	for _, name := range there {
		if !slices.Contains(read, name) {
			t.Errorf("no script reads %s", name)
		}
	}
}
