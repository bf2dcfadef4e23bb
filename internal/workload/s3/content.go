package s3

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"hash/crc32"
	"math/rand/v2"
	"sync"
)

const (
	// variants is the number of contents of each size. Versions of an object that follow each other differ.
	variants = 8
	// stride is the distance between the beginnings of two variants in the pool.
	stride = 4099
)

// content is what objects contain: windows of one pool of random bytes, which don't compress. Each variant begins
// elsewhere, so that an object's content follows from its variant and size, and each byte that is read is compared.
type content struct {
	pool  []byte
	sums  [][variants]sums // by size
	parts [variants]parts
}

// parts are the SHA-256 of the parts of a variant's uploads, made before the load: a sum of 5 MiB takes an event loop
// milliseconds.
type parts struct {
	of    int64            // bytes of each but the last
	whole []string         // by number, from 0
	last  map[int64]string // by the size of an object that doesn't end with a whole part
}

// sum returns the sum of the part of an object that begins at from.
func (p *parts) sum(from, size int64) string {
	if from+p.of > size {
		return p.last[size]
	}
	return p.whole[from/p.of]
}

// sums are the checksums of a body, as its headers have them.
type sums struct {
	sha256 string // "": the payload isn't signed
	crc32c string
}

// newContent makes the pool and the checksums for these sizes, ascending; signed has SHA-256, too. part is the length
// of an upload's signed parts; 0: none are signed.
func newContent(seed uint64, all []int64, signed bool, part int64) *content {
	c := &content{pool: make([]byte, all[len(all)-1]+variants*stride), sums: make([][variants]sums, len(all))}
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	_, _ = rand.NewChaCha8(key).Read(c.pool) // never fails
	var done sync.WaitGroup
	for v := range variants {
		done.Go(func() {
			c.sum(v, all, signed)
			c.sumParts(v, all, part)
		})
	}
	done.Wait()
	return c
}

// sum computes the checksums of a variant's sizes in one pass.
func (c *content) sum(variant int, all []int64, signed bool) {
	crc := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	sha := sha256.New()
	done := int64(0)
	for i, size := range all {
		b := c.of(variant, size)[done:]
		done = size
		crc.Write(b)
		c.sums[i][variant].crc32c = base64.StdEncoding.EncodeToString(crc.Sum(nil))
		if signed {
			c.sums[i][variant].sha256 = hexSum(sha, b)
		}
	}
}

// sumParts computes the sums of a variant's parts.
func (c *content) sumParts(variant int, all []int64, part int64) {
	if part == 0 {
		return
	}
	p := parts{of: part, last: map[int64]string{}}
	for _, size := range all {
		b := c.of(variant, size)
		whole := size / part
		for n := int64(len(p.whole)); n < whole; n++ {
			p.whole = append(p.whole, hexOf(b[n*part:(n+1)*part]))
		}
		if whole*part < size {
			p.last[size] = hexOf(b[whole*part:])
		}
	}
	c.parts[variant] = p
}

// hexSum adds bytes to a hash and returns its sum so far.
func hexSum(h hash.Hash, b []byte) string {
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

// of returns the content of a variant and size.
func (c *content) of(variant int, size int64) []byte {
	from := int64(variant) * stride
	return c.pool[from : from+size]
}

// same reports whether a part of a content, from an offset on, has these bytes.
func (c *content) same(variant int, size, at int64, b []byte) bool {
	return at+int64(len(b)) <= size && bytes.Equal(c.of(variant, size)[at:at+int64(len(b))], b)
}

// hexOf returns the SHA-256 of bytes in hexadecimal.
func hexOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
