package erasure

import _ "unsafe" // for go:linkname

// The library's kernels for GFNI, which it does not export. Each multiplies at most 10 inputs by a matrix of genGFNI
// into at most 10 outputs, from start to stop, and returns the bytes of each shard that it did: whole vectors. Those
// with Xor add to the outputs. TestLibraryVersion fails when the library changes, and the linker if one is gone.

//go:linkname mulGFNI512 github.com/klauspost/reedsolomon.galMulSlicesGFNI
func mulGFNI512(matrix []uint64, in, out [][]byte, start, stop int) int

//go:linkname addGFNI512 github.com/klauspost/reedsolomon.galMulSlicesGFNIXor
func addGFNI512(matrix []uint64, in, out [][]byte, start, stop int) int

//go:linkname mulGFNI256 github.com/klauspost/reedsolomon.galMulSlicesAvxGFNI
func mulGFNI256(matrix []uint64, in, out [][]byte, start, stop int) int

//go:linkname addGFNI256 github.com/klauspost/reedsolomon.galMulSlicesAvxGFNIXor
func addGFNI256(matrix []uint64, in, out [][]byte, start, stop int) int

// genGFNI writes the matrix of these rows, from column from, as the kernels take it, to dst.
//
//go:linkname genGFNI github.com/klauspost/reedsolomon.genGFNIMatrix
func genGFNI(rows [][]byte, inputs, from, outputs int, dst []uint64) []uint64

// kernels returns the kernels that this CPU can run; none without GFNI.
func (a abilities) kernels() (kernels, bool) {
	switch {
	case a.avx512GFNI:
		return kernels{matrix: genGFNI, mul: mulGFNI512, add: addGFNI512}, true
	case a.avxGFNI:
		return kernels{matrix: genGFNI, mul: mulGFNI256, add: addGFNI256}, true
	}
	return kernels{}, false
}
