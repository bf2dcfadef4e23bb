package render

import (
	"bytes"
	"strings"
	"testing"

	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/selftest"
)

func TestSelftest(t *testing.T) {
	lo, hi := .0174, .0482
	c := selftest.Certificate{Seed: 7, Simulations: 400, NotBuilt: []string{"token bucket"}, Gates: []selftest.Gate{
		{Name: "claims", Kind: selftest.Share, Value: .03, Bounds: figure.Between(lo, hi), Sense: selftest.AtMost,
			Gate: .06, N: 400,
			Pass: true},
		{Name: "a closed form whose name is so long that it must be folded on a narrow terminal", Kind: selftest.Number,
			Value: 1.5, Sense: selftest.Equal, Gate: 1.25, Tolerance: 1e-9},
		{Name: "AR", Kind: selftest.Share, Value: .218, Bounds: figure.Between(lo, hi), Sense: selftest.AtMost, Gate: .06,
			N:        400,
			KnownBad: true},
	}}
	for _, width := range []int{40, 70, 120} {
		var b bytes.Buffer
		if err := Selftest(&b, term.Style{Width: width}, c); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			if block.DisplayWidth(strings.TrimSuffix(line, "\n")) > width {
				t.Errorf("wider than %d: %q", width, line)
			}
		}
		for _, want := range []string{"1 passed, 1 failed, 1 known to be", "3.0%", "≤ 6.0%", "1.25 ± 1e-09", "known bad",
			"21.8%", "FAILED", "token bucket"} {
			if !strings.Contains(strings.Join(strings.Fields(b.String()), " "), want) {
				t.Errorf("width %d: no %q in\n%s", width, want, b.String())
			}
		}
	}
	var b bytes.Buffer
	if err := Selftest(&b, term.Style{Width: 120}, c); err != nil || !strings.Contains(b.String(), "1.7 to 4.8%") {
		t.Errorf("%v, no interval in\n%s", err, b.String())
	}
}
