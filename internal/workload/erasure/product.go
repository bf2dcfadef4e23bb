package erasure

import (
	"bytes"
	"fmt"

	"github.com/klauspost/reedsolomon"
)

// block is the part of each shard, in bytes, that all groups process before the next, so that the outputs, to which
// each group but the first adds, stay in the first-level cache.
const block = 4 << 10

// kernels multiply groups of at most maxGroup inputs and outputs.
type kernels struct {
	matrix func(rows [][]byte, inputs, from, outputs int, dst []uint64) []uint64
	// Both return the bytes of each shard that they processed: the rest is shorter than a vector.
	mul, add func(matrix []uint64, in, out [][]byte, start, stop int) int
}

// product multiplies shards by a matrix: by one call of the library if that takes its fastest code, else by its
// kernels, group by group.
type product struct {
	encoder reedsolomon.Encoder // nil: groups
	shards  [][]byte            // inputs and outputs, in the encoder's order
	kernels kernels
	groups  []group
	rows    [][]byte
	rest    reedsolomon.LowLevel
}

// group is a part of the matrix.
type group struct {
	matrix          []uint64
	in, out         int // first input and output
	inputs, outputs int
}

// cut divides n into the fewest groups of at most limit, as equal as possible, largest first.
func cut(n, limit int) []int {
	groups := make([]int, (n+limit-1)/limit)
	for i := range groups {
		groups[i] = (n + len(groups) - 1 - i) / len(groups)
	}
	return groups
}

// newProduct returns the product by a matrix with one row per output on a CPU of these abilities.
func newProduct(matrix [][]byte, a abilities) (*product, error) {
	inputs, outputs := len(matrix[0]), len(matrix)
	p := &product{rows: matrix}
	k, ok := a.kernels()
	if p.kernels = k; ok && (inputs > maxGroup || outputs > maxGroup) {
		p.groups = groupsOf(k, matrix)
		return p, nil
	}
	var err error
	p.encoder, err = reedsolomon.New(inputs, outputs, reedsolomon.WithCustomMatrix(matrix),
		reedsolomon.WithMaxGoroutines(1))
	if err != nil {
		return nil, fmt.Errorf("encoder of %d inputs and %d outputs: %w", inputs, outputs, err)
	}
	p.shards = make([][]byte, inputs+outputs)
	return p, nil
}

func groupsOf(k kernels, matrix [][]byte) []group {
	var out []group
	to := 0
	for _, outputs := range cut(len(matrix), maxGroup) {
		from := 0
		for _, inputs := range cut(len(matrix[0]), maxGroup) {
			out = append(out, group{in: from, out: to, inputs: inputs, outputs: outputs,
				matrix: k.matrix(matrix[to:to+outputs], inputs, from, outputs, make([]uint64, inputs*outputs))})
			from += inputs
		}
		to += outputs
	}
	return out
}

// multiply writes the product of the matrix and in to out.
func (p *product) multiply(in, out [][]byte) error {
	if p.encoder != nil {
		copy(p.shards, in)
		copy(p.shards[len(in):], out)
		return p.encoder.Encode(p.shards)
	}
	size, done := len(in[0]), 0
	for at := 0; at < size; at += block {
		to := min(at+block, size)
		for i := range p.groups {
			g := &p.groups[i]
			multiply := p.kernels.add
			if g.in == 0 {
				multiply = p.kernels.mul
			}
			done = at + multiply(g.matrix, in[g.in:g.in+g.inputs], out[g.out:g.out+g.outputs], at, to)
		}
	}
	p.finish(in, out, done)
	return nil
}

// finish multiplies the bytes after the last whole vector, from done on.
func (p *product) finish(in, out [][]byte, done int) {
	if done >= len(in[0]) {
		return
	}
	for i, row := range p.rows {
		p.rest.GalMulSlice(row[0], in[0][done:], out[i][done:])
		for j, by := range row[1:] {
			p.rest.GalMulSliceXor(by, in[j+1][done:], out[i][done:])
		}
	}
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
