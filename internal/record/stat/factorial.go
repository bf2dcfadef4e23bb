package stat

import (
	"fmt"
	"math"
	"math/bits"
)

// maxFactors is the largest number of factors of a factorial.
const maxFactors = 4

// Factorial holds the logs of the values of all 2^k combinations of k factors of two levels each, 1 to 4 of them, or of
// half of those of four.
type Factorial struct {
	Cells   [][]float64 // [combination][replicate]; bit i of the combination: factor i is at its second level
	Half    bool        // 2^(4-1): 8 combinations of the first three factors; see HalfFourth
	Blocked bool        // replicate r of all combinations ran side by side, so their common deviation is not noise
	SDFloor float64     // of log values
	Alpha   float64     // two-sided error rate of an interval; 0: 5%
}

// Contrast is an estimate on the log scale with its error.
type Contrast struct {
	Factors  []int // factors that it is about
	Alias    []int // factors whose interaction is confounded with it; nil: none
	Mean, SE float64
	Interval Interval // Student's t with the degrees of freedom of the pooled variance
}

// Attribution explains the ratio of all factors at their second level to none.
type Attribution struct {
	Total        Contrast
	Shares       []Contrast // Shapley's, one a factor: their means add up to that of Total
	Mains        []Contrast // one a factor: its average effect over all combinations of the others
	Alone        []Contrast // one a factor, changed alone; sum to Total only without interactions; nil for a half
	Interactions []Contrast // joint effect of two or more beyond their separate effects
	SD, DF       float64    // pooled, of the log of one value
}

// Attribute explains a total ratio by its factors. A share is the factor's effect averaged over all orders in which the
// factors may be changed (Shapley, 1953):
//
//	share(i) = b(i) + ½·Σ b(ij) + ⅓·Σ b(ijk) + ¼·b(ijkl)
//
// with b the effects in 0/1 coding. Each estimate is a weighted sum Σ w·y of the means of combinations, with the
// standard error √(Σ w²·s²/n). The part of a gap between machines that is due to a factor is the interaction of the
// two, not the factor's effect. It fails unless there are 2, 4, 8 or 16 combinations, each with at least one value and
// one with two, and blocks are complete.
func (f Factorial) Attribute() (Attribution, error) {
	if err := f.check(); err != nil {
		return Attribution{}, err
	}
	sd, df := f.noise()
	out := Attribution{SD: math.Max(sd, f.SDFloor), DF: df}
	all := len(f.Cells) - 1
	total := make([]float64, len(f.Cells))
	total[0], total[all] = -1, 1
	if f.Half {
		f.attributeHalf(&out)
		out.Total = f.contrast(1<<halfFactors-1, total, out)
		return out, nil
	}
	for set := 1; set <= all; set++ {
		effect := f.contrast(set, f.effect(set), out)
		if bits.OnesCount(uint(set)) > 1 {
			out.Interactions = append(out.Interactions, effect)
			continue
		}
		out.Alone = append(out.Alone, effect)
		out.Mains = append(out.Mains, f.contrast(set, f.main(set), out))
		out.Shares = append(out.Shares, f.contrast(set, f.share(set), out))
	}
	out.Total = f.contrast(all, total, out)
	return out, nil
}

func (f Factorial) check() error {
	n := len(f.Cells)
	if f.Half && n != 1<<(halfFactors-1) {
		return fmt.Errorf("factorial: got %d combinations, a half fraction of %d factors has %d", n, halfFactors,
			1<<(halfFactors-1))
	}
	if n < 2 || n > 1<<maxFactors || bits.OnesCount(uint(n)) != 1 {
		return fmt.Errorf("factorial: got %d combinations, need 2, 4, 8 or 16: all of 1 to %d factors of two levels\nhint: "+
			"leave factors out, or measure them one at a time and say so", n, maxFactors)
	}
	values := 0
	for i, cell := range f.Cells {
		if len(cell) == 0 {
			return fmt.Errorf("factorial: combination %d of %d has no value", i, n)
		}
		if f.Blocked && len(cell) != len(f.Cells[0]) {
			return fmt.Errorf("factorial: combination %d has %d replicates, the first has %d", i, len(cell), len(f.Cells[0]))
		}
		values += len(cell)
	}
	if values == n {
		return fmt.Errorf("factorial: with one value of each combination the noise is unknown\nhint: measure two " +
			"replicates or more")
	}
	return nil
}

// noise returns the standard deviation of one value around the mean of its combination and, if blocked, of its block,
// with its degrees of freedom.
func (f Factorial) noise() (sd, df float64) {
	squares, count := 0.0, 0
	blocks := f.blocks()
	for _, cell := range f.Cells {
		m := Mean(cell)
		for r, v := range cell {
			squares += (v - m - blocks[r]) * (v - m - blocks[r])
		}
		count += len(cell)
	}
	df = float64(count - len(f.Cells))
	if f.Blocked {
		df -= float64(len(f.Cells[0]) - 1)
	}
	return math.Sqrt(squares / df), df
}

// blocks returns the deviation of each replicate from the overall mean; 0 if not blocked.
func (f Factorial) blocks() []float64 {
	most := 0
	for _, cell := range f.Cells {
		most = max(most, len(cell))
	}
	out := make([]float64, most)
	if !f.Blocked {
		return out
	}
	for _, cell := range f.Cells {
		m := Mean(cell)
		for r, v := range cell {
			out[r] += (v - m) / float64(len(f.Cells))
		}
	}
	return out
}

// contrast returns the weighted sum of the combinations' means.
func (f Factorial) contrast(set int, weights []float64, noise Attribution) Contrast {
	c := Contrast{}
	for i := range maxFactors {
		if set>>i&1 == 1 {
			c.Factors = append(c.Factors, i)
		}
	}
	for cell, w := range weights {
		c.Mean += w * Mean(f.Cells[cell])
		c.SE += w * w / float64(len(f.Cells[cell]))
	}
	c.SE = noise.SD * math.Sqrt(c.SE)
	half := tCrit(f.alpha(), noise.DF) * c.SE
	c.Interval = Interval{c.Mean - half, c.Mean + half}
	return c
}

// Less returns the difference between an estimate and the same one of another factorial with independent noise: the
// interaction of its factors with whatever distinguishes the two factorials, such as a machine. Its interval is
// Student's, with the degrees of freedom of Welch and Satterthwaite (Welch, Biometrika 34, 1947); df and dfOther are
// those of the two.
func (c Contrast) Less(o Contrast, df, dfOther, alpha float64) Contrast {
	va, vb := c.SE*c.SE, o.SE*o.SE
	out := Contrast{Factors: c.Factors, Alias: c.Alias, Mean: c.Mean - o.Mean, SE: math.Sqrt(va + vb)}
	half := tCrit(alpha, (va+vb)*(va+vb)/(va*va/df+vb*vb/dfOther)) * out.SE
	out.Interval = Interval{out.Mean - half, out.Mean + half}
	return out
}

func (f Factorial) alpha() float64 {
	if f.Alpha == 0 {
		return .05
	}
	return f.Alpha
}

// main returns the weights of the average effect of the one factor in set over all combinations of the others.
func (f Factorial) main(set int) []float64 {
	w := make([]float64, len(f.Cells))
	for cell := range w {
		w[cell] = -2 / float64(len(w))
		if cell&set != 0 {
			w[cell] = 2 / float64(len(w))
		}
	}
	return w
}

// effect returns the weights of b(set): alternating signs over its subsets.
func (f Factorial) effect(set int) []float64 {
	w := make([]float64, len(f.Cells))
	for sub := range w {
		if sub&^set == 0 {
			w[sub] = float64(1 - 2*(bits.OnesCount(uint(set&^sub))%2))
		}
	}
	return w
}

// share returns the weights of Shapley's share of the one factor in set: the effects of all sets that contain it, each
// divided by its size.
func (f Factorial) share(set int) []float64 {
	w := make([]float64, len(f.Cells))
	for with := range w {
		if with&set == 0 {
			continue
		}
		for cell, v := range f.effect(with) {
			w[cell] += v / float64(bits.OnesCount(uint(with)))
		}
	}
	return w
}

// halfFactors is the number of factors of a half fraction.
const halfFactors = 4

// HalfFourth reports whether the fourth factor is at its second level in a combination of the first three, in the half
// fraction with the defining relation I = ABCD: an even number of the four is at the second level. It includes both
// corners, all at the first level and all at the second.
func HalfFourth(three int) bool { return bits.OnesCount(uint(three&7))%2 == 1 }

// attributeHalf estimates the effects of a half fraction of resolution IV (Box, Hunter and Hunter, Statistics for
// Experimenters, 2005, chapter 6): each factor's mean effect, confounded with the interaction of the other three; and
// three confounded pairs of two-factor interactions. Without three-factor interactions, a mean effect is b(i) + ½·Σ
// b(ij) and thus Shapley's share. The four add up to the total exactly, whatever interacts.
func (f Factorial) attributeHalf(out *Attribution) {
	for i := range halfFactors {
		c := f.contrast(1<<i, f.signed(.25, i), *out)
		for k := range halfFactors {
			if k != i {
				c.Alias = append(c.Alias, k)
			}
		}
		out.Shares, out.Mains = append(out.Shares, c), append(out.Mains, c)
	}
	// b(ij) in 0/1 coding is four times the coefficient of the product of the signs.
	for j := 1; j < halfFactors; j++ {
		c := f.contrast(1|1<<j, f.signed(.5, 0, j), *out)
		for k := 1; k < halfFactors; k++ {
			if k != j {
				c.Alias = append(c.Alias, k)
			}
		}
		out.Interactions = append(out.Interactions, c)
	}
}

// signed returns weights whose signs are the product of those of some factors: plus at the second level.
func (f Factorial) signed(size float64, factors ...int) []float64 {
	w := make([]float64, len(f.Cells))
	for cell := range w {
		w[cell] = size
		for _, i := range factors {
			second := cell>>i&1 == 1
			if i == halfFactors-1 {
				second = HalfFourth(cell)
			}
			if !second {
				w[cell] = -w[cell]
			}
		}
	}
	return w
}
