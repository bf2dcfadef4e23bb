package history

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"plimsoll/internal/analysis/explore"
	"plimsoll/internal/analysis/explore/exploretest"
)

// TestFailing: a benchmark that ends with failed runs, or before the other nights, is named, and is in no last night.
// One that others take turns with, in the same night or in the next, is not missing.
func TestFailing(t *testing.T) {
	const ok, failed, half, absent, other, fewer = 'o', 'f', 'h', '-', 'x', '+'
	night := func(n int, kind rune) explore.Kept {
		name := "a"
		if kind == other {
			name = "b"
		}
		k := aNight(n, 100, exploretest.Machine(name, "6.1"))
		m := &k.Summary.Machines[0]
		switch c := &m.Cells[0]; kind {
		case failed:
			m.Failed, c.N, c.Failed, c.Runs = 3, 0, 3, nil
		case half:
			m.Failed, c.N, c.Failed = 2, 1, 2
		case absent, fewer:
			m.Cells = nil
			if kind == fewer {
				k.Summary.More = 1
			}
		}
		return k
	}
	for _, c := range []struct{ nights, want string }{
		{"oooooo", ""},
		{"ooffoo", ""},
		{"oooffo", ""},
		{"oooohh", "last 2026-03-06, 0 nights, 2 of 3 failed"},
		{"oooffh", "last 2026-03-06, 0 nights, 2 of 3 failed"},
		{"ooofff", "last 2026-03-03, 3 nights, 9 of 9 failed"},
		{"oo----", "last 2026-03-02, 4 nights, 0 of 0 failed"},
		{"ooof--", "last 2026-03-03, 3 nights, 3 of 3 failed"},
		{"oo+---", ""},
		{"-----f", "last , 1 nights, 3 of 3 failed"},
		{"ffffff", "last , 6 nights, 18 of 18 failed"},
		{"f-----", ""},
		{"oxoxox", ""},
		{"oooxxx", "last 2026-03-03, 3 nights, 0 of 0 failed"},
	} {
		var kept []explore.Kept
		for n, kind := range c.nights {
			kept = append(kept, night(n, kind))
		}
		d := Of(kept, false)
		var got []string
		for _, f := range d.Failing {
			if f.Machine == "a" {
				last, _, _ := strings.Cut(f.Last, "T")
				got = append(got, fmt.Sprintf("last %s, %d nights, %d of %d failed", last, f.Nights, f.Failed, f.Runs))
			}
		}
		if text := strings.Join(got, "; "); text != c.want {
			t.Errorf("%s: %q, want %q", c.nights, text, c.want)
		}
		for _, h := range d.Histories {
			ends := strings.HasSuffix(c.nights, "o") || strings.HasSuffix(c.nights, "h")
			if h.Machine == "a" && d.InLast(h) != ends {
				t.Errorf("%s: in the last night is %t", c.nights, !ends)
			}
		}
	}
}

// TestNewest: the last night is held against those before it, also by its ratio to a control.
func TestNewest(t *testing.T) {
	for _, c := range []struct {
		machines, change float64
		head, base       bool
	}{
		{1, 1, false, false}, {1, .5, true, false}, {.5, 1, false, true},
	} {
		r := rand.New(rand.NewPCG(1, 7))
		var kept []explore.Kept
		for n := range 8 {
			kept = append(kept, pairs(n, r, 1, 1, exploretest.Machine("a", "6.1")))
		}
		kept = append(kept, pairs(8, r, c.machines, c.change, exploretest.Machine("a", "6.1")))
		d := Of(kept, false)
		for end, want := range map[string]bool{"path=/head": c.head, "path=/base": c.base} {
			h := find(t, d, end)
			if h.Newest == nil || h.Newest.N != 8 {
				t.Fatalf("%+v: %s: %+v", c, end, h.Newest)
			}
			if off := *h.Newest.Hi < 1; off != want {
				t.Errorf("%+v: %s: %+v", c, end, h.Newest)
			}
		}
	}
}
