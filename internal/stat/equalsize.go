package stat

import (
	"math"
	"slices"
)

// SizedRate is what a machine of one size carries.
type SizedRate struct {
	Size float64   // such as vCPUs
	Logs []float64 // ln of each trial's rate
}

// EqualSize is how many times as large a machine of one family must be to carry what one of another does.
type EqualSize struct {
	Size     float64 // of the other; 0 over all sizes
	Multiple float64
	Lo, Hi   float64 // 95 %; NaN where a machine has under two trials
}

// minSizeSlope is how steeply ln rate must rise over ln size for a size to be read off a rate: on a plateau any size would do.
const minSizeSlope = .1

// beyond is how far past its ends a curve is followed, as a share of its last stretch: machines of two families that carry the
// same differ by noise.
const beyond = .1

// EqualSizes reads off the curve of a, straight between its sizes on logs, at which size it carries what each of b's does.
// Sizes of b whose rates lie outside those of a, by more than noise may do, have none, nor have those at which a's curve hardly rises. Both are in rising
// order. The last is the geometric mean over the sizes before it, where there are two or more.
//
// The interval is Student's, with the standard error of the rates over the slope and the degrees of freedom of the machine
// that has the fewest trials.
func EqualSizes(a, b []SizedRate) []EqualSize {
	var out []EqualSize
	var mean, variance float64
	df := math.Inf(1)
	for _, at := range b {
		for i := 1; i < len(a); i++ {
			m, share := between(a[i-1], a[i], at)
			if !reaches(share, i == 1, i == len(a)-1) {
				continue
			}
			out = append(out, m.bounded(at.Size))
			mean, variance, df = mean+m.ln, variance+m.se*m.se, math.Min(df, m.df)
			break
		}
	}
	if k := float64(len(out)); k > 1 {
		all := multiple{ln: mean / k, se: math.Sqrt(variance) / k, df: df}
		out = append(out, all.bounded(0))
	}
	return out
}

// reaches says whether a place lies on a stretch of the curve, or just past the curve's end.
func reaches(share float64, first, last bool) bool {
	low, high := 0.0, 1.0
	if first {
		low = -beyond
	}
	if last {
		high += beyond
	}
	return share >= low && share <= high
}

// multiple is the ln of one, its standard error, and the degrees of freedom of that.
type multiple struct{ ln, se, df float64 }

func (m multiple) bounded(size float64) EqualSize {
	e := EqualSize{Size: size, Multiple: math.Exp(m.ln), Lo: math.NaN(), Hi: math.NaN()}
	if m.df >= 1 {
		half := Fixed(.05).Crit(int(m.df)+1) * m.se
		e.Lo, e.Hi = math.Exp(m.ln-half), math.Exp(m.ln+half)
	}
	return e
}

// between reads one size off a stretch of the curve, and says how far along it lies: 0 to 1, NaN where the curve hardly rises.
func between(from, to, at SizedRate) (multiple, float64) {
	low, high, want := Mean(from.Logs), Mean(to.Logs), Mean(at.Logs)
	span := math.Log(to.Size / from.Size)
	slope := (high - low) / span
	if slope < minSizeSlope {
		return multiple{}, math.NaN()
	}
	share := (want - low) / (high - low)
	se := math.Sqrt(math.Pow(stdErr(at.Logs), 2)+math.Pow((1-share)*stdErr(from.Logs), 2)+math.Pow(share*stdErr(to.Logs), 2)) / slope
	least := slices.Min([]int{len(from.Logs), len(to.Logs), len(at.Logs)})
	return multiple{math.Log(from.Size/at.Size) + share*span, se, float64(least - 1)}, share
}

// stdErr is the standard error of a mean of logs, with the floor of all verdicts.
func stdErr(logs []float64) float64 {
	sd := SDFloor
	if len(logs) > 1 {
		sd = math.Max(sd, SD(logs))
	}
	return sd / math.Sqrt(float64(len(logs)))
}
