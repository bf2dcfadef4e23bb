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
		near(t, c.name+", factor", inflation(c.d), c.factor, 1e-12)
	}
}

// TestInflateWidens: the interval of pairs grows around its estimate.
func TestInflateWidens(t *testing.T) {
	d := []float64{.01, .02, .018, .005, .012, .022, .02, .011, .003, .01}
	o := Opts{Boundary: Fixed(.05), SDFloor: SDFloor}
	for _, n := range []int{6, 10} {
		o.Inflate = false
		plain := PairedRatio(d[:n], o)
		o.Inflate = true
		wide, factor := PairedRatio(d[:n], o), inflation(d[:n])
		near(t, "lo", wide.Hull.Lo, plain.Mean-factor*(plain.Mean-plain.Hull.Lo), 1e-12)
		near(t, "hi", wide.Hull.Hi, plain.Mean+factor*(plain.Hull.Hi-plain.Mean), 1e-12)
		if wide.Mean != plain.Mean {
			t.Errorf("the estimate moved: %+v of %+v", wide, plain)
		}
	}
	if one := PairedRatio(d[:1], o); !math.IsInf(one.Hull.Hi, 1) || !math.IsInf(one.Hull.Lo, -1) {
		t.Errorf("one pair: %+v", one.Hull)
	}
}

// TestOptsFor: only boundaries with looks inflate.
func TestOptsFor(t *testing.T) {
	repeated, err := Repeated(.05, UsualPairs)
	if err != nil {
		t.Fatal(err)
	}
	if o := OptsFor(Fixed(.05)); o.Inflate || o.SDFloor != SDFloor || o.Boundary.Rate != .05 {
		t.Errorf("fixed: %+v", o)
	}
	if o := OptsFor(repeated); !o.Inflate || o.SDFloor != SDFloor || len(o.Boundary.Looks) != 11 {
		t.Errorf("repeated: %+v", o)
	}
}
