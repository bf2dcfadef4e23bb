package load

import "math/bits"

// Random is SplitMix64 (Steele, Lea and Flood, 2014): 64 bits of state, every seed is good, and one step costs about
// a nanosecond.
type Random uint64

// Next returns 64 random bits.
func (r *Random) Next() uint64 {
	*r += 0x9E3779B97F4A7C15
	return Mix(uint64(*r))
}

// Mix is SplitMix64's finalizer, a bijection that spreads every input bit.
func Mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// Below returns a number from 0 to n-1; the bias is under n/2^64.
func (r *Random) Below(n int) int {
	hi, _ := bits.Mul64(r.Next(), uint64(n))
	return int(hi)
}

// exponential returns an exponentially distributed number of mean 1 as whole
// and fraction/2^64. It is von Neumann's method (1951): draw until the first
// number that is not smaller than the one before it; a run of odd length
// accepts its first number, an even one adds 1 and draws again. It compares integers only,
// so that amd64 and arm64, where a compiler may fuse float operations, give the
// same schedule to the last bit.
func (r *Random) exponential() (whole, fraction uint64) {
	for {
		first := r.Next()
		length := 1
		for last := first; ; length++ {
			u := r.Next()
			if u >= last {
				break
			}
			last = u
		}
		if length%2 == 1 {
			return whole, first
		}
		whole++
	}
}
