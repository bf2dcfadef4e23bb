package selftest

import (
	"math"

	"plimsoll/internal/record/stat"
)

// exactly is the tolerance of a closed form, for rounding only.
const exactly = 1e-9

// closedForms returns gates for figures that follow from others without chance (docs/derivations.md).
func (t tests) closedForms() ([]Gate, error) {
	sum, err := shapleyGap()
	if err != nil {
		return nil, err
	}
	fleet, err := stat.FleetFor(5e6, 736860, .85, 1)
	if err != nil {
		return nil, err
	}
	return []Gate{
		exactGate("additional vCPUs, 8 × (736,860 / 591,411 − 1)", stat.ExtraCPUs(8, 736860.0/591411), 8*(736860.0/591411-1),
			exactly),
		exactGate("second thread's yield, 63% a thread at full load", stat.YieldAtFull(.63), .26, exactly),
		exactGate("requests for a p99 at 99% without a miss", float64(stat.GateRequests(.99, 0, .01)), 459, exactly),
		exactGate("machines for 5 M/s of 736,860 each, one may fail", float64(fleet.Machines), 9, exactly),
		exactGate("share of its line that each of these carries", fleet.Share, 5e6/9/736860, exactly),
		exactGate("share of its line once one has failed", fleet.After, 5e6/8/736860, exactly),
		exactGate("share of its line at the alarm of 4 machines, one may fail", stat.AlarmShare(4, 1, .85), .6375, exactly),
		exactGate("Shapley's shares, sum less the total", sum, 0, exactly),
	}, nil
}

// shapleyGap returns the difference between the sum of the shares of three factors, two of which interact, and the
// total.
func shapleyGap() (float64, error) {
	cells := make([][]float64, 8)
	for i := range cells {
		on := func(bit int) float64 { return float64(i >> bit & 1) }
		mean := .10*on(0) + .05*on(1) + .03*on(2) - .04*on(0)*on(1)
		cells[i] = []float64{mean + .01*math.Sin(float64(i)), mean + .01*math.Cos(float64(3*i))}
	}
	a, err := stat.Factorial{Cells: cells, SDFloor: stat.SDFloor}.Attribute()
	gap := -a.Total.Mean
	for _, s := range a.Shares {
		gap += s.Mean
	}
	return gap, err
}

// golden returns gates for eight pairs with values known to 6 digits.
func (t tests) golden() ([]Gate, error) {
	d := []float64{.051, .043, .060, .038, .055, .047, .049, .058}
	b, err := stat.Repeated(alpha, stat.UsualPairs)
	repeated := stat.PairedRatio(d, stat.Opts{Boundary: b})
	fixed := stat.PairedRatio(d, stat.Opts{Boundary: stat.Fixed(alpha)})
	byT := stat.TInterval(d, alpha, 0)
	const digits = 5e-7
	row := func(name string, value, want float64) Gate {
		return exactGate("eight pairs: "+name, value, want, digits)
	}
	return []Gate{
		row("mean", stat.Mean(d), .050125),
		row("standard deviation", stat.SD(d), .00749166),
		row("95% by t, lower", byT.Lo, .0438618),
		row("95% by t, upper", byT.Hi, .0563882),
		row("Hodges-Lehmann", repeated.Mean, .05025),
		row("repeated signed ranks, lower", repeated.Hull.Lo, .038),
		row("repeated signed ranks, upper", repeated.Hull.Hi, .060),
		row("95% signed ranks, lower", fixed.Hull.Lo, .043),
		row("95% signed ranks, upper", fixed.Hull.Hi, .0575),
	}, err
}

// fits returns gates for curves without noise, whose terms must be recovered.
func (t tests) fits() ([]Gate, error) {
	usl, err := fitError(stat.USL, stat.Curve{Gamma: 1000, Alpha: .03, Beta: 5e-4, Yield: 1}, 0,
		[]float64{1, 2, 4, 8, 12, 16, 24, 32})
	if err != nil {
		return nil, err
	}
	smt, err := fitError(stat.SMT, stat.Curve{Gamma: 1000, Yield: .26, Cores: 4}, 4, []float64{1, 2, 3, 4, 5, 6, 7, 8})
	return []Gate{
		exactGate("USL without noise: largest error of a term", usl, 0, 1e-6),
		exactGate("second threads without noise: largest error of a term", smt, 0, 1e-6),
	}, err
}

// fitError returns the largest relative error of a fitted term.
func fitError(model stat.Model, truth stat.Curve, cores int, n []float64) (float64, error) {
	s := stat.Sweep{N: n, Cores: cores}
	for _, at := range n {
		s.X = append(s.X, truth.At(at))
	}
	found, err := stat.FitScaling(s)
	if err != nil {
		return 0, err
	}
	f := found.ByModel[model]
	worst := 0.0
	for _, term := range [][2]float64{{f.Gamma, truth.Gamma}, {f.Alpha, truth.Alpha}, {f.Beta, truth.Beta},
		{f.Yield, truth.Yield}} {
		off := math.Abs(term[0] - term[1])
		if term[1] != 0 {
			off /= term[1]
		}
		worst = max(worst, off)
	}
	return worst, nil
}
