package erasure

import (
	"bytes"
	"crypto/subtle"
	"fmt"

	"github.com/klauspost/reedsolomon"
)

// block is the part of each shard, in bytes, that several groups process at a time, so that their sums stay in the
// caches.
const block = 16 << 10

// product multiplies shards by a matrix in groups of rows and columns that fit the library's fastest code.
type product struct {
	groups  []group
	scratch [][]byte // a block for each output of the largest group
	step    int      // bytes of each shard at a time
}

// group is a part of the matrix.
type group struct {
	encoder reedsolomon.Encoder
	in, out int      // first input and output
	inputs  int      // number of inputs
	shards  [][]byte // inputs and outputs, in the encoder's order
	adds    bool     // to the result of an earlier group
}

// cut divides n into the fewest groups of at most limit, as equal as possible, largest first.
func cut(n, limit int) []int {
	groups := make([]int, (n+limit-1)/limit)
	for i := range groups {
		groups[i] = (n + len(groups) - 1 - i) / len(groups)
	}
	return groups
}

// newProduct makes the groups, of at most limit inputs and outputs, for a matrix with one row per output. Shards
// have size bytes.
func newProduct(matrix [][]byte, size, limit int) (*product, error) {
	p := &product{step: size}
	out := 0
	for _, outputs := range cut(len(matrix), limit) {
		in := 0
		for _, inputs := range cut(len(matrix[0]), limit) {
			g, err := newGroup(matrix[out:out+outputs], in, inputs)
			if err != nil {
				return nil, err
			}
			g.out = out
			p.groups = append(p.groups, g)
			in += inputs
		}
		out += outputs
	}
	if len(p.groups) > 1 {
		p.step = min(size, block)
		p.scratch = reedsolomon.AllocAligned(min(len(matrix), limit), p.step)
	}
	return p, nil
}

// newGroup takes inputs columns of these rows, from column in.
func newGroup(rows [][]byte, in, inputs int) (group, error) {
	part := make([][]byte, len(rows))
	for i, row := range rows {
		part[i] = row[in : in+inputs]
	}
	encoder, err := reedsolomon.New(inputs, len(rows), reedsolomon.WithCustomMatrix(part),
		reedsolomon.WithMaxGoroutines(1))
	if err != nil {
		return group{}, fmt.Errorf("encoder of %d inputs and %d outputs: %w", inputs, len(rows), err)
	}
	return group{encoder: encoder, in: in, inputs: inputs, shards: make([][]byte, inputs+len(rows)), adds: in > 0}, nil
}

// multiply writes the product of the matrix and in to out.
func (p *product) multiply(in, out [][]byte) error {
	size := len(in[0])
	for at := 0; at < size; at += p.step {
		if err := p.multiplyBlock(in, out, at, min(at+p.step, size)); err != nil {
			return err
		}
	}
	return nil
}

func (p *product) multiplyBlock(in, out [][]byte, from, to int) error {
	for i := range p.groups {
		g := &p.groups[i]
		for j := range g.inputs {
			g.shards[j] = in[g.in+j][from:to]
		}
		made := g.shards[g.inputs:]
		for j := range made {
			made[j] = out[g.out+j][from:to]
			if g.adds {
				made[j] = p.scratch[j][:to-from]
			}
		}
		if err := g.encoder.Encode(g.shards); err != nil {
			return err
		}
		for j := range made {
			if g.adds {
				sum := out[g.out+j][from:to]
				subtle.XORBytes(sum, sum, made[j])
			}
		}
	}
	return nil
}

// equal multiplies into spare and reports whether the result equals want.
func (p *product) equal(in, spare, want [][]byte) (bool, error) {
	if err := p.multiply(in, spare); err != nil {
		return false, err
	}
	for i := range want {
		if !bytes.Equal(spare[i], want[i]) {
			return false, nil
		}
	}
	return true, nil
}
