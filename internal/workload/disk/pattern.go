package disk

import (
	"encoding/binary"
	"math/bits"
	"sync/atomic"
)

// part is one job's share of the data, which all of its threads traverse together.
type part struct {
	fd         int
	start      int64        // offset of its first byte in the file
	reads      atomic.Int64 // blocks read sequentially
	writes     atomic.Int64
	key        uint64 // of the data
	name       string // for errors
	sharedFile bool
}

// pattern chooses one lane's next operation. It does not allocate.
type pattern struct {
	*part
	job   *job
	state uint64
}

func newPattern(p *part, j *job, seed uint64, lane int) pattern {
	return pattern{part: p, job: j, state: mix(seed+uint64(lane)) | 1}
}

// next returns the offset of the next operation and whether it writes.
func (p *pattern) next() (offset int64, write bool) {
	j := p.job
	write = j.write
	if j.read && j.write {
		write = p.below(100) >= uint64(j.mix)
	}
	if j.random {
		return p.start + int64(p.below(uint64(j.blocks)))*int64(j.block), write
	}
	count := &p.reads
	if write {
		count = &p.writes
	}
	return p.start + (count.Add(1)-1)%j.blocks*int64(j.block), write
}

// below returns a random number under n: xorshift64*, with the high bits scaled down.
func (p *pattern) below(n uint64) uint64 {
	p.state ^= p.state >> 12
	p.state ^= p.state << 25
	p.state ^= p.state >> 27
	hi, _ := bits.Mul64(p.state*0x2545f4914f6cdd1d, n)
	return hi
}

// mix scatters the bits of a number (the finaliser of SplitMix64).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// The data identify their place and writer: every stampUnit bytes begin with a word derived from their place in the
// file, and one that counts the writes of a lane. So a device cannot deduplicate blocks, and data read back can be
// checked.
const (
	stampUnit  = 4096
	stampBytes = 16
)

// unitOf returns the distance between the stamps in blocks of that size.
func unitOf(block int) int {
	return min(stampUnit, block&-block)
}

// stamp marks a block for an offset; sequence is 0 before the load and never during it.
func stamp(b []byte, unit int, key uint64, offset int64, sequence uint64) {
	for at := 0; at < len(b); at += unit {
		binary.LittleEndian.PutUint64(b[at:], mix(key^uint64(offset+int64(at))))
		binary.LittleEndian.PutUint64(b[at+8:], sequence)
	}
}

// stamped returns the sequence in a block's stamp; ok is false if the block belongs elsewhere.
func stamped(b []byte, key uint64, offset int64) (sequence uint64, ok bool) {
	return binary.LittleEndian.Uint64(b[8:]), binary.LittleEndian.Uint64(b) == mix(key^uint64(offset))
}
