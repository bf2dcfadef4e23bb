package render

import (
	"strings"
	"testing"

	"plimsoll/internal/estimate"
	"plimsoll/internal/finding/sweep"
)

func TestPlateauText(t *testing.T) {
	p := sweep.Plateau{
		Param: "depth", Shape: "levels off",
		At:   &estimate.Estimate{Value: 20, Lo: ptr(19.), Hi: ptr(21.)},
		Top:  &estimate.Estimate{Value: 330e6, Lo: ptr(320e6), Hi: ptr(340e6)},
		Lift: &sweep.Lift{Param: "block", From: 16384, To: 65536, Ratio: 3.9, Lo: ptr(3.8), Hi: ptr(4.), Limit: "operations"},
	}
	got := plateauText(p, "B/s")
	for _, want := range []string{"more depth brings nothing from 19", "21", "320", "340 MB/s", "block=64KiB changes it by +280.0 % to +300.0 %, so what binds is the number of operations"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
	p.At.Hi = nil
	if got := plateauText(p, "B/s"); !strings.Contains(got, "nothing from 19") || !strings.Contains(got, " or more on, by estimate from 20") {
		t.Error(got)
	}
	p.Lift.Lo, p.Lift.Hi = nil, nil
	p.At, p.Top = nil, nil
	if got := plateauText(p, "B/s"); !strings.HasPrefix(got, "does not follow depth; block=64KiB moves +290.0 % by estimate, no interval") {
		t.Error(got)
	}
}
