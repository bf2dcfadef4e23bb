package pgscript

import "math/bits"

// hashMurmur2 returns the MurmurHash64A of the eight bytes of a whole number, as in pgbench.
func hashMurmur2(v, seed int64) int64 {
	const m = 0xc6a4a7935bd1e995
	const length = 8
	h := uint64(seed) ^ length*(m&(1<<61-1))
	k := uint64(v) * m
	k ^= k >> 47
	k *= m
	h = (h ^ k) * m
	h ^= h >> 47
	h *= m
	return int64(h ^ h>>47)
}

// hashFNV1a returns the FNV-1a of the eight bytes of a whole number, the lowest first; the seed changes the basis.
func hashFNV1a(v, seed int64) int64 {
	h := uint64(0xcbf29ce484222325) ^ uint64(seed)
	for i := range 8 {
		h ^= uint64(v) >> (8 * i) & 0xff
		h *= 0x100000001b3
	}
	return int64(h)
}

// mix scatters a number over all 64 bits, one to one (the finaliser of SplitMix64).
func mix(v uint64) uint64 {
	v += 0x9e3779b97f4a7c15
	v = (v ^ v>>30) * 0xbf58476d1ce4e5b9
	v = (v ^ v>>27) * 0x94d049bb133111eb
	return v ^ v>>31
}

// permuteRounds is more than the four rounds with which Feistel networks look random.
const permuteRounds = 8

// permute returns the place of v, modulo size, in a pseudorandom permutation of 0 to size−1. It walks the cycle of
// a Feistel network over the smallest even number of bits that holds size−1, until it is below size: below four
// steps on average.
func permute(v, size, seed int64) int64 {
	if size == 1 {
		return 0
	}
	at := uint64(v % size)
	if v%size < 0 {
		at = uint64(v%size + size)
	}
	half := (bits.Len64(uint64(size-1)) + 1) / 2
	mask := uint64(1)<<half - 1
	for {
		left, right := at>>half, at&mask
		for r := range uint64(permuteRounds) {
			left, right = right, left^mix(right^mix(uint64(seed)+r))&mask
		}
		if at = left<<half | right; at < uint64(size) {
			return int64(at)
		}
	}
}
