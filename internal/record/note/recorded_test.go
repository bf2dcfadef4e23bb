package note

import (
	"slices"
	"strings"
	"testing"
)

// TestFromRecord: what judge wrote into a session gets its code back, and its words stay as they are.
func TestFromRecord(t *testing.T) {
	for _, n := range []Note{
		New("generator-busy", 61.), New("littles-law", "latency", .0123, 4567., "op/s", "about", 56.1, 8.),
		New("parts-tainted", 1, 7, "probes"),
		New("parts-without-cores"), New("operations-failed", 3, 900, ": 2 timeout, 1 refused; first: no 100% \nhint: x"),
		New("backlog-grew", 3, 700),
		New("agent-stood-still", .25, 1.), New("nothing-done"), New("offered-not-done-crowded", 1, 900, 1.25),
		New("offered-not-done", 1, 900), New("stated-failures", "1.2%", ""),
	} {
		if got := FromRecord(n.Text()); got.Code != n.Code || len(got.Args) != len(n.Args) || got.Text() != n.Text() {
			t.Errorf("%s: got %s, %q", n.Code, got.Code, got)
		}
	}
	for _, n := range []Note{New("generator-busy", 61.), New("stated-failures", "1.2%", "")} {
		older := strings.ReplaceAll(n.Text(), "%", " %")
		if got := FromRecord(older); older == n.Text() || got.Code != n.Code || got.Text() != n.Text() {
			t.Errorf("%q of an older version: %s, %q", older, got.Code, got)
		}
	}
	for _, text := range []string{"emulated no more", "the backlog grew from few to 3 operations", "",
		"no operation was done, or so"} {
		if got := FromRecord(text); got.Text() != text || got.Code != "" && got.Code != Recorded {
			t.Errorf("%q: %s %q", text, got.Code, got)
		}
	}
}

// TestEarlierWords: a text that an older version recorded gets its code back, and is shown in the present words.
func TestEarlierWords(t *testing.T) {
	earlier := ofEarlier()
	if len(earlier) < 19 {
		t.Errorf("%d entries", len(earlier))
	}
	for _, k := range earlier {
		args, kinds := sampleArgs(k)
		n := New(k.Code, args...)
		if now := argKinds(n.kind()); n.kind().Code == "" || !slices.Equal(now, kinds) {
			t.Errorf("%s: the earlier words take %q, the present ones %q", k.Code, kinds, now)
		}
		old := k.text(args)
		if got := FromRecord(old); got.Code != k.Code || got.Text() != n.Text() || got.Text() == old {
			t.Errorf("%q: %s %q, want %s %q", old, got.Code, got, k.Code, n)
		}
	}
}
