package kafka

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"plimsoll/internal/workload"
)

// stampBytes begin each value: its client and its number, so that no two records of a trial are the same.
const stampBytes = 16

// stamp marks a value as record number n of a client, in this slot.
func stamp(value []byte, client int, slot uint32, n uint64) {
	binary.LittleEndian.PutUint32(value, uint32(client))
	binary.LittleEndian.PutUint32(value[4:], slot)
	binary.LittleEndian.PutUint64(value[8:], n)
}

// markBytes begin each value of a record that is followed to a consumer: the stamp, and its intended start.
const markBytes = stampBytes + 8

func mark(value []byte, intended int64) {
	binary.LittleEndian.PutUint64(value[stampBytes:], uint64(intended))
}

// arrival is a record that a consumer received, as its value identifies it.
type arrival struct {
	client, slot uint32
	number       uint64
	intended     int64 // ns, CLOCK_MONOTONIC
	at           int64 // time of the delivery
}

// arrived parses a value's mark; ok is false if the record is not ours.
func arrived(value []byte, at int64) (arrival, bool) {
	if len(value) < markBytes {
		return arrival{}, false
	}
	word := binary.LittleEndian
	return arrival{word.Uint32(value), word.Uint32(value[4:]), word.Uint64(value[8:]),
		int64(word.Uint64(value[stampBytes:])), at}, true
}

// contents fills values: random bytes, and a share that repeats one byte.
type contents struct {
	random rand.ChaCha8
	plain  float64 // share
}

func newContents(seed uint64, client int, plain float64) *contents {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], uint64(client))
	return &contents{random: *rand.NewChaCha8(key), plain: plain}
}

// fill fills a value. Its last bytes are the compressible ones.
func (c *contents) fill(value []byte) {
	random := len(value) - int(c.plain*float64(len(value))+0.5)
	_, _ = c.random.Read(value[:random]) // never fails
	for i := random; i < len(value); i++ {
		value[i] = 'x'
	}
}

// keyLength is the length of a key in bytes.
const keyLength = 16

// keyBytes returns the length of each record's key.
func keyBytes(p workload.Params) int {
	if p.Int(paramKeys) == 0 {
		return 0
	}
	return keyLength
}

// key is one of the trial's keys, with the partition that Kafka's clients assign to it.
type key struct {
	bytes     []byte
	partition int32
}

func keysOf(n, partitions int) []key {
	out := make([]key, n)
	for i := range out {
		text := fmt.Appendf(nil, "key-%0*d", keyLength-4, i)
		out[i] = key{text, int32((murmur2(text) & 0x7fffffff) % uint32(partitions))}
	}
	return out
}

// murmur2 returns the hash by which Kafka's own clients choose a key's partition (MurmurHash2 by Austin Appleby,
// public domain, with Kafka's seed).
func murmur2(data []byte) uint32 {
	const seed, m, r = 0x9747b28c, 0x5bd1e995, 24
	h := uint32(seed) ^ uint32(len(data))
	for ; len(data) >= 4; data = data[4:] {
		k := binary.LittleEndian.Uint32(data) * m
		h = h*m ^ (k^k>>r)*m
	}
	for i := len(data) - 1; i >= 0; i-- {
		h ^= uint32(data[i]) << (8 * i)
		if i == 0 {
			h *= m
		}
	}
	h = (h ^ h>>13) * m
	return h ^ h>>15
}
