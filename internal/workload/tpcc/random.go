package tpcc

import "plimsoll/internal/load"

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
