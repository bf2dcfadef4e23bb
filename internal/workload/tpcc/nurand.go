package tpcc

import (
	"hash/fnv"
	"math"
)

// The ranges of NURand's first draw (clause 2.1.6), which set its skew.
const (
	unevenName     = 255
	unevenCustomer = 1023
	unevenItem     = 8191
)

// constants are the C of NURand, one for each kind of draw, common to all of a load.
type constants struct{ name, customer, item int }

// loadConstants returns those that the rows were made with.
func loadConstants(seed uint64) constants {
	r := stream(seed, forConstants)
	return constants{name: r.between(0, unevenName), customer: r.between(0, unevenCustomer), item: r.between(0, unevenItem)}
}

// runConstants returns those of a session's trials, common to all hosts that make a load. As clause 2.1.6.1
// requires, that of the names differs from the one used for the rows, so that the most requested names are not those
// of the most customers.
func runConstants(session string, loaded constants) constants {
	h := fnv.New64a()
	h.Write([]byte(session))
	r := stream(h.Sum64(), forConstants, 1)
	c := constants{customer: r.between(0, unevenCustomer), item: r.between(0, unevenItem)}
	for {
		c.name = r.between(0, unevenName)
		if differEnough(c.name, loaded.name) {
			return c
		}
	}
}

// differEnough implements clause 2.1.6.1.
func differEnough(run, loaded int) bool {
	delta := run - loaded
	if delta < 0 {
		delta = -delta
	}
	return delta >= 65 && delta <= 119 && delta != 96 && delta != 112
}

// nurand returns the specification's non-uniform number from lo to hi.
func (r *random) nurand(a, c, lo, hi int) int {
	return ((r.between(0, a)|r.between(lo, hi))+c)%(hi-lo+1) + lo
}

// paretoPower returns the exponent of sysbench's Pareto distribution at its default h = 0.2: 80 % of the draws are
// among the first 20 % of the numbers.
func paretoPower() float64 { return math.Log(0.2) / math.Log(0.8) }

// skew draws customers, names and items.
type skew struct {
	constants
	population
	power float64 // of Pareto's distribution; 0: NURand
}

func (s skew) draw(r *random, a, c, lo, hi int) int {
	if s.power > 0 {
		return lo + int(float64(hi-lo+1)*math.Pow(r.unit(), s.power))
	}
	return r.nurand(a, c, lo, hi)
}

func (s skew) customerID(r *random) int {
	return s.draw(r, unevenCustomer, s.customer, 1, s.customers)
}

func (s skew) nameNumber(r *random) int { return s.draw(r, unevenName, s.name, 0, s.names()-1) }

func (s skew) itemID(r *random) int { return s.draw(r, unevenItem, s.item, 1, s.items) }

// lastName appends the name of that number, 0 to 999 (clause 4.3.2.3).
func lastName(out []byte, n int) []byte {
	for _, digit := range [3]int{n / 100, n / 10 % 10, n % 10} {
		out = append(out, syllable(digit)...)
	}
	return out
}

func syllable(digit int) string {
	return [10]string{"BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"}[digit]
}
