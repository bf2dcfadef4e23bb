package erasure

import (
	"fmt"

	"github.com/klauspost/reedsolomon"

	"plimsoll/internal/workload"
)

// coder does one operation on a lane's shards. ok is false if verify finds wrong parity.
type coder interface {
	do(shards [][]byte) (ok bool, err error)
}

func newCoder(p workload.Params, spare [][]byte) (coder, error) {
	encoder, err := reedsolomon.New(p.Int("data"), p.Int("parity"), reedsolomon.WithMaxGoroutines(1))
	if err != nil {
		return nil, fmt.Errorf("encoder of %d data and %d parity shards: %w", p.Int("data"), p.Int("parity"), err)
	}
	lost := 0
	if p.Text("op") == opReconstruct {
		lost = p.Int("lost")
	}
	if p.Text("path") == pathBest {
		return newBest(encoder, p, lost, spare)
	}
	return asMinIO{encoder, p.Text("op"), lost}, nil
}

// asMinIO calls the library as MinIO does.
type asMinIO struct {
	encoder reedsolomon.Encoder
	op      string
	lost    int
}

func (c asMinIO) do(shards [][]byte) (bool, error) {
	switch c.op {
	case opEncode:
		return true, c.encoder.Encode(shards)
	case opVerify:
		return c.encoder.Verify(shards)
	}
	for i := range c.lost {
		shards[i] = shards[i][:0] // the library rebuilds the shard into this memory
	}
	return true, c.encoder.Reconstruct(shards)
}

// best multiplies by the same matrix, in groups if it is large.
type best struct {
	product    *product
	op         string
	data, lost int
	spare      [][]byte // result of verify
}

func newBest(encoder reedsolomon.Encoder, p workload.Params, lost int, spare [][]byte) (coder, error) {
	matrix, err := matrixOf(encoder, p.Int("data"), p.Int("parity"), lost)
	if err != nil {
		return nil, err
	}
	product, err := newProduct(matrix, detect())
	return &best{product, p.Text("op"), p.Int("data"), lost, spare}, err
}

func (c *best) do(shards [][]byte) (bool, error) {
	switch c.op {
	case opEncode:
		return true, c.product.multiply(shards[:c.data], shards[c.data:])
	case opVerify:
		return c.product.equal(shards[:c.data], c.spare, shards[c.data:])
	}
	return true, c.product.multiply(shards[c.lost:c.lost+c.data], shards[:c.lost])
}

// matrixOf returns an encoder's matrix by applying it to the unit vectors: from data to parity shards, or, if shards
// are lost, from the first remaining ones to the lost ones.
func matrixOf(encoder reedsolomon.Encoder, data, parity, lost int) ([][]byte, error) {
	shards := make([][]byte, data+parity)
	for i := range shards {
		shards[i] = make([]byte, data)
	}
	for i := range data {
		shards[lost+i][i] = 1
	}
	if lost == 0 {
		err := encoder.Encode(shards)
		return shards[data:], err
	}
	for i := range lost {
		shards[i] = nil
	}
	required := make([]bool, data+parity)
	for i := range lost {
		required[i] = true
	}
	for i := lost + data; i < len(shards); i++ {
		shards[i] = nil // the contents of these must not count
	}
	if err := encoder.ReconstructSome(shards, required); err != nil {
		return nil, fmt.Errorf("matrix to rebuild %d shards: %w", lost, err)
	}
	return shards[:lost], nil
}
