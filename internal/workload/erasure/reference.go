package erasure

// field is GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1, by logarithms to base 2. It is independent of the library.
type field struct {
	exp [510]byte
	log [256]int
}

func newField() *field {
	f := &field{}
	x := 1
	for i := range 255 {
		f.exp[i], f.exp[i+255] = byte(x), byte(x)
		f.log[x] = i
		if x <<= 1; x > 0xff {
			x ^= 0x11d
		}
	}
	return f
}

func (f *field) times(a, b byte) byte {
	if a == 0 || b == 0 {
		return 0
	}
	return f.exp[f.log[a]+f.log[b]]
}

// weights returns the weight of each of n data shards in shard x. MinIO's code interpolates the data shards, as
// values at 0 to n-1, by a polynomial of degree below n, whose value at x is shard x: the weights are Lagrange's
// coefficients.
func (f *field) weights(n, x int) []byte {
	w := make([]byte, n)
	for i := range w {
		log := 0
		for m := range n {
			if m != i {
				log += f.log[x^m] + 255 - f.log[i^m]
			}
		}
		w[i] = f.exp[log%255]
	}
	return w
}
