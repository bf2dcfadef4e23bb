package stat

import (
	"math"
	"testing"
)

// TestAutocorrelation holds values of method-sim/s2b.py (arfac).
func TestAutocorrelation(t *testing.T) {
	for _, c := range []struct {
		name      string
		d         []float64
		r, factor float64
	}{
		{"alternating", []float64{.051, .043, .060, .038, .055, .047, .049, .058}, 0, 1},
		{"mild", []float64{.01, .02, .018, .005, .012, .022, .02, .011, .003, .01}, .33708621130723976, 1.4202054628490912},
		{"a ramp is cut", []float64{.01, .012, .015, .014, .019, .022, .021, .025}, .7, 2.3804761428476167},
		{"constant", []float64{.01, .01, .01, .01, .01}, .2, 1.224744871391589},
		{"one", []float64{.01}, 0, 1},
		{"none", nil, 0, 1},
	} {
		near(t, c.name, Autocorrelation(c.d), c.r, 1e-12)
		near(t, c.name+", factor", Inflation(c.d), c.factor, 1e-12)
	}
}

// TestInflateWidensBoth: each interval of pairs grows around its own estimate.
func TestInflateWidensBoth(t *testing.T) {
	d := []float64{.01, .02, .018, .005, .012, .022, .02, .011, .003, .01}
	o := Opts{Boundary: Fixed(.05), SDFloor: SDFloor}
	plain := PairedRatio(d, o)
	o.Inflate = true
	wide, factor := PairedRatio(d, o), Inflation(d)
	for _, c := range []struct {
		what        string
		plain, wide Interval
		center      float64
	}{{"t", plain.T, wide.T, plain.Mean}, {"ranks", plain.Rank, wide.Rank, plain.HL}} {
		near(t, c.what+" lo", c.wide.Lo, c.center-factor*(c.center-c.plain.Lo), 1e-12)
		near(t, c.what+" hi", c.wide.Hi, c.center+factor*(c.plain.Hi-c.center), 1e-12)
	}
	if wide.Hull != hull(wide.T, wide.Rank) || wide.Mean != plain.Mean || wide.HL != plain.HL {
		t.Errorf("hull or estimates: %+v of %+v", wide, plain)
	}
	if one := PairedRatio(d[:1], o); !math.IsInf(one.Hull.Hi, 1) || !math.IsInf(one.Hull.Lo, -1) {
		t.Errorf("one pair: %+v", one.Hull)
	}
}

// TestOptsFor: only boundaries with looks inflate.
func TestOptsFor(t *testing.T) {
	repeated, err := Repeated(.05)
	if err != nil {
		t.Fatal(err)
	}
	if o := OptsFor(Fixed(.05)); o.Inflate || o.SDFloor != SDFloor || o.Boundary.T != .05 {
		t.Errorf("fixed: %+v", o)
	}
	if o := OptsFor(repeated); !o.Inflate || o.SDFloor != SDFloor || len(o.Boundary.Looks) != 11 {
		t.Errorf("repeated: %+v", o)
	}
}
