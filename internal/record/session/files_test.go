package session

import (
	"slices"
	"testing"
)

func TestFileNames(t *testing.T) {
	for _, c := range []struct{ paths, want []string }{
		{[]string{"old.plimsoll.jsonl"}, []string{""}},
		{[]string{"old.jsonl", "./old.jsonl"}, []string{"", ""}},
		{[]string{"old.plimsoll.jsonl", "new.jsonl"}, []string{"old", "new"}},
		{[]string{"old.jsonl", "new.jsonl", "old.jsonl"}, []string{"old", "new", "old"}},
		{[]string{"a/run.jsonl", "b/run.jsonl", "b/other.jsonl"}, []string{"a/run", "b/run", "other"}},
		{[]string{"x/a/run.jsonl", "y/a/run.jsonl"}, []string{"x/a/run", "y/a/run"}},
		{[]string{"run.jsonl", "a/run.jsonl"}, []string{"run", "a/run"}},
		{[]string{"run.jsonl", "run.plimsoll.jsonl"}, []string{"run", "run#2"}},
		{[]string{".jsonl", "..."}, []string{".jsonl", "..."}},
		{[]string{"/", "."}, nil},
	} {
		got := fileNames(c.paths)
		if c.want != nil && !slices.Equal(got, c.want) {
			t.Errorf("%q are called %q, want %q", c.paths, got, c.want)
		}
	}
}
