package highwayhash

import (
	"encoding/binary"
	"math/bits"
)

// reference is HighwayHash, written from its paper (Alakuijala, Cox and Wassenberg, Fast keyed hash/pseudo-random
// function using SIMD multiply and permute), word by word, to check the library.
type reference struct{ v0, v1, mul0, mul1 [4]uint64 }

func newReference(key []byte) *reference {
	r := &reference{
		mul0: [4]uint64{0xdbe6d5d5fe4cce2f, 0xa4093822299f31d0, 0x13198a2e03707344, 0x243f6a8885a308d3},
		mul1: [4]uint64{0x3bd39e10cb0ef593, 0xc0acf169b5f18a8c, 0xbe5466cf34e90c6c, 0x452821e638d01377},
	}
	for i := range 4 {
		k := binary.LittleEndian.Uint64(key[8*i:])
		r.v0[i] = r.mul0[i] ^ k
		r.v1[i] = r.mul1[i] ^ bits.RotateLeft64(k, 32)
	}
	return r
}

func (r *reference) update(packet [4]uint64) {
	for i := range 4 {
		r.v1[i] += r.mul0[i] + packet[i]
		r.mul0[i] ^= r.v1[i] & 0xffffffff * (r.v0[i] >> 32)
		r.v0[i] += r.mul1[i]
		r.mul1[i] ^= r.v0[i] & 0xffffffff * (r.v1[i] >> 32)
	}
	addZipped(&r.v0, &r.v1)
	addZipped(&r.v1, &r.v0)
}

// addZipped adds to each pair of words the bytes of the other's pair, shuffled.
//
//nolint:lll // a line for each half
func addZipped(to, from *[4]uint64) {
	for i := 0; i < 4; i += 2 {
		lo, hi := from[i], from[i+1]
		to[i] += lo>>24&0xff | hi>>32&0xff<<8 | lo>>16&0xff<<16 | lo>>40&0xff<<24 | hi>>48&0xff<<32 | lo>>8&0xff<<40 | hi>>56<<48 | lo<<56
		to[i+1] += hi>>24&0xff | lo>>32&0xff<<8 | hi>>16&0xff<<16 | hi>>40&0xff<<24 | hi>>8&0xff<<32 | lo>>48&0xff<<40 | hi&0xff<<48 | lo>>56<<56
	}
}

func words(b *[32]byte) (w [4]uint64) {
	for i := range w {
		w[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return w
}

// remainder processes the last 1 to 31 bytes.
func (r *reference) remainder(rest []byte) {
	n := len(rest)
	for i := range 4 {
		r.v0[i] += uint64(n)<<32 + uint64(n)
		low, high := uint32(r.v1[i]), uint32(r.v1[i]>>32)
		r.v1[i] = uint64(bits.RotateLeft32(low, n)) | uint64(bits.RotateLeft32(high, n))<<32
	}
	var packet [32]byte
	whole := n &^ 3
	copy(packet[:], rest[:whole])
	switch odd := n & 3; {
	case n >= 16:
		copy(packet[28:], rest[n-4:])
	case odd > 0:
		packet[16], packet[17], packet[18] = rest[whole], rest[whole+odd/2], rest[n-1]
	}
	r.update(words(&packet))
}

// reduce returns a number of 256 bits modulo x^128 + x^2 + x, without its two highest bits.
func reduce(a3, a2, a1, a0 uint64) (low, high uint64) {
	a3 &= 1<<62 - 1
	return a0 ^ a2<<1 ^ a2<<2, a1 ^ (a3<<1 | a2>>63) ^ (a3<<2 | a2>>62)
}

// referenceSum returns the HighwayHash-256 of data.
func referenceSum(key, data []byte) (sum [32]byte) {
	r := newReference(key)
	for ; len(data) >= 32; data = data[32:] {
		r.update(words((*[32]byte)(data)))
	}
	if len(data) > 0 {
		r.remainder(data)
	}
	for range 10 {
		var turned [4]uint64
		for i := range turned {
			turned[i] = bits.RotateLeft64(r.v0[i^2], 32)
		}
		r.update(turned)
	}
	for i := 0; i < 4; i += 2 {
		low, high := reduce(r.v1[i+1]+r.mul1[i+1], r.v1[i]+r.mul1[i], r.v0[i+1]+r.mul0[i+1], r.v0[i]+r.mul0[i])
		binary.LittleEndian.PutUint64(sum[8*i:], low)
		binary.LittleEndian.PutUint64(sum[8*i+8:], high)
	}
	return sum
}
