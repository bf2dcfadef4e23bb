package stat

import "math/bits"

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
