package tpcc

import (
	"hash/fnv"
	"math"

	"plimsoll/internal/client/load"
)

// random is a generator whose every state is a good seed, so that each batch of rows and each client has a stream of
// its own, independent of order.
type random struct{ load.Random }

// stream returns the random numbers of one purpose, identified by parts.
func stream(seed uint64, parts ...uint64) random {
	r := load.Random(seed)
	for _, p := range parts {
		r = load.Random(r.Next() ^ load.Mix(p+0x632BE59BD9B4E019))
	}
	return random{r}
}

// between returns a uniform number from lo to hi, both included.
func (r *random) between(lo, hi int) int { return lo + r.Below(hi-lo+1) }

// percent returns true in n of a hundred cases.
func (r *random) percent(n int) bool { return r.between(1, 100) <= n }

// unit returns a number in [0, 1).
func (r *random) unit() float64 { return float64(r.Next()>>11) / (1 << 53) }

// other returns a number from 1 to n other than than, or than itself if n is 1.
func (r *random) other(than, n int) int {
	if n == 1 {
		return than
	}
	v := r.between(1, n-1)
	if v >= than {
		v++
	}
	return v
}

// letters is the alphabet of the specification's a-strings; two of the 64 occur twice.
const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyzaz"

// text appends a random string of lo to hi letters and digits (an a-string).
func (r *random) text(out []byte, lo, hi int) []byte {
	n := lo
	if hi > lo {
		n = r.between(lo, hi)
	}
	for n > 0 {
		word := r.Next()
		for range min(n, 10) {
			out = append(out, letters[word&63])
			word >>= 6
		}
		n -= 10
	}
	return out
}

// digits appends n random digits (an n-string).
func (r *random) digits(out []byte, n int) []byte {
	for range n {
		out = append(out, byte('0'+r.between(0, 9)))
	}
	return out
}

// permute fills p with 1 to len(p) in random order.
func (r *random) permute(p []int32) {
	for i := range p {
		j := r.between(0, i)
		p[i] = p[j]
		p[j] = int32(i + 1)
	}
}

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
	return constants{name: r.between(0, unevenName), customer: r.between(0, unevenCustomer),
		item: r.between(0, unevenItem)}
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

// paretoPower returns the exponent of sysbench's Pareto distribution at its default h = 0.2: 80% of the draws are
// among the first 20% of the numbers.
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
