package s3

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// The distributions of keys.
const (
	uniform    = "uniform"
	sequential = "sequential"
	zipf       = "zipf"
)

// The exponents of a Zipf distribution that math/rand draws from, and the usual one.
const (
	leastExponent = 1.001
	mostExponent  = 10.
	usualExponent = 1.1
)

// choice is the distribution of the objects that operations take.
type choice struct {
	name     string
	exponent float64 // of zipf
}

// parseChoice reads "uniform", "sequential", "zipf" or "zipf:1.2".
func parseChoice(text string) (choice, error) {
	name, exponent, given := strings.Cut(text, ":")
	c := choice{name: name, exponent: usualExponent}
	switch {
	case (name == uniform || name == sequential) && !given, name == zipf && !given:
		return c, nil
	case name == zipf:
		var err error
		c.exponent, err = strconv.ParseFloat(exponent, 64)
		if err == nil && c.exponent >= leastExponent && c.exponent <= mostExponent {
			return c, nil
		}
		return c, fmt.Errorf("%q is not an exponent\nhint: from %v to %v, such as zipf:%v", exponent, leastExponent,
			mostExponent, usualExponent)
	}
	return c, fmt.Errorf("%q is not a distribution of keys\nhint: %s, %s or %s:%v", text, uniform, sequential, zipf,
		usualExponent)
}

// chooser draws objects for one lane.
type chooser struct {
	n    int
	r    *rand.Rand
	zipf *rand.Zipf
	next int // of sequential
	step int
	seq  bool
}

// chooser returns what draws from n objects for lane i of lanes.
func (c choice) chooser(n, i, lanes int, r *rand.Rand) *chooser {
	out := &chooser{n: n, r: r, next: i % n, step: max(lanes, 1), seq: c.name == sequential}
	if c.name == zipf {
		out.zipf = rand.NewZipf(r, c.exponent, 1, uint64(n-1))
	}
	return out
}

// scatter is odd and large: consecutive ranks of a Zipf distribution are then not neighbours.
const scatter = 2654435761

// draw returns the next object.
func (c *chooser) draw() int {
	switch {
	case c.seq:
		k := c.next
		c.next = (c.next + c.step) % c.n
		return k
	case c.zipf != nil:
		return int(c.zipf.Uint64() * scatter % uint64(c.n))
	}
	return c.r.IntN(c.n)
}
