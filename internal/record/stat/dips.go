package stat

import "math"

const (
	dipWindows  = 20  // minimum length of a run
	dipLeast    = .05 // of the median
	dipStall    = .5  // of the median: below it one window is enough
	madToNormal = 1.4826
)

// dipRules returns how many consecutive windows must lie how many deviations below the median for a dip. Adjacent
// windows belong to it from two deviations on.
func dipRules() []struct {
	windows    int
	deviations float64
} {
	return []struct {
		windows    int
		deviations float64
	}{{2, 4}, {3, 3}}
}

const dipWiden = 2

// Dip is a stretch of a run with less throughput than most of it.
type Dip struct {
	From, To int     // windows, To excluded
	Depth    float64 // mean share of the median that is missing, 0 to 1
	Lost     float64 // total missing, in windows of the median
}

// Dips returns the stretches in which a run, given as its throughput in equal windows, fell below its median: by more
// than four deviations in at least two consecutive windows, or by three in three, and by at least 5%; or in one window
// by half. A deviation is the median absolute deviation times 1.4826, which for normal noise is the standard deviation.
// A dip extends over adjacent windows that are two deviations and 2.5% below, and two dips with a single window
// between them are one. ok is false below 20 windows, or if most windows are empty. A stretch of half the run or more
// is not a dip, because the median lies within it.
func Dips(x []float64) (dips []Dip, level float64, ok bool) {
	if len(x) < dipWindows {
		return nil, 0, false
	}
	if level = Median(x); !(level > 0) {
		return nil, 0, false
	}
	away := make([]float64, len(x))
	for i, v := range x {
		away[i] = math.Abs(v - level)
	}
	sd := madToNormal * Median(away)
	wide := level - max(dipWiden*sd, dipLeast/2*level)
	for i := 0; i < len(x); i++ {
		if !dipAt(x[i:], level, sd) {
			continue
		}
		d := Dip{From: i, To: i + 1}
		for d.From > 0 && x[d.From-1] < wide {
			d.From--
		}
		for d.To < len(x) && x[d.To] < wide {
			d.To++
		}
		if last := len(dips) - 1; last >= 0 && d.From <= dips[last].To+1 {
			dips[last].To = d.To
		} else {
			dips = append(dips, d)
		}
		i = d.To - 1
	}
	for i := range dips {
		dips[i].measure(x, level)
	}
	return dips, level, true
}

// dipAt reports whether a run begins with a dip.
func dipAt(x []float64, level, sd float64) bool {
	if x[0] < dipStall*level {
		return true
	}
	for _, rule := range dipRules() {
		deep, n := level-max(rule.deviations*sd, dipLeast*level), 0
		for n < rule.windows && n < len(x) && x[n] < deep {
			n++
		}
		if n == rule.windows {
			return true
		}
	}
	return false
}

func (d *Dip) measure(x []float64, level float64) {
	d.Depth = 1 - Mean(x[d.From:d.To])/level
	d.Lost = d.Depth * float64(d.To-d.From)
}
