package erasure

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"github.com/klauspost/reedsolomon"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/workload/kernel"
)

func TestCut(t *testing.T) {
	for n, want := range map[int][]int{1: {1}, 10: {10}, 11: {6, 5}, 12: {6, 6}, 20: {10, 10}, 21: {7, 7, 7},
		23: {8, 8, 7}} {
		if got := cut(n, maxGroup); !slices.Equal(got, want) {
			t.Errorf("%d is cut into %v, want %v", n, got, want)
		}
	}
	for n := 1; n <= maxShards; n++ {
		sum := 0
		for _, g := range cut(n, maxGroup) {
			sum += g
			if g < 1 || g > maxGroup {
				t.Errorf("%d is cut into %v", n, cut(n, maxGroup))
			}
		}
		if sum != n {
			t.Errorf("%d is cut into %v", n, cut(n, maxGroup))
		}
	}
}

// Groups must give the library's bytes, whatever is left over at the end of a
// block or of a vector.
func TestGroupsGiveTheLibrarysBytes(t *testing.T) {
	for _, shape := range shapes() {
		sizes := []int{1, 31, 63, 1000, block + 77}
		if simtest.Night() {
			sizes = append(sizes, block-1, block, block+1, 2*block+77)
		}
		for _, size := range sizes {
			data, parity := shape[0], shape[1]
			encoder, err := reedsolomon.New(data, parity)
			if err != nil {
				t.Fatal(err)
			}
			shards := reedsolomon.AllocAligned(data+parity, size)
			random := kernel.Random(3, 0, "shards")
			for _, s := range shards[:data] {
				random.Read(s)
			}
			if err := encoder.Encode(shards); err != nil {
				t.Fatal(err)
			}
			for _, lost := range []int{0, 1, parity / 2, parity} {
				checkGroups(t, encoder, shards, data, lost)
			}
		}
	}
}

func checkGroups(t *testing.T, encoder reedsolomon.Encoder, shards [][]byte, data, lost int) {
	t.Helper()
	in, want := shards[lost:lost+data], shards[:lost]
	if lost == 0 {
		want = shards[data:]
	}
	matrix, err := matrixOf(encoder, data, len(shards)-data, lost)
	if err != nil {
		t.Fatal(err)
	}
	p, err := newProduct(matrix, detect())
	if err != nil {
		t.Fatal(err)
	}
	got := reedsolomon.AllocAligned(len(want), len(in[0]))
	if err := p.multiply(in, got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			t.Fatalf("%d+%d of %d bytes, %d lost: shard %d differs", data, len(shards)-data, len(in[0]), lost, i)
		}
	}
}

// The reference is checked by arithmetic that it does not use.
func TestReferenceIsTheField(t *testing.T) {
	f := newField()
	for a := range 256 {
		for b := range 256 {
			want := 0
			for bit := range 8 {
				if b>>bit&1 == 1 {
					want ^= a << bit
				}
			}
			for bit := 14; bit >= 8; bit-- {
				if want>>bit&1 == 1 {
					want ^= 0x11d << (bit - 8)
				}
			}
			if got := f.times(byte(a), byte(b)); got != byte(want) {
				t.Fatalf("%d times %d is %d, want %d", a, b, got, want)
			}
		}
	}
}

// The weights must be the library's matrix: neither knows how the other comes to it.
func TestReferenceIsTheLibrarysMatrix(t *testing.T) {
	f := newField()
	for _, shape := range append(shapes(), [2]int{128, 128}, [2]int{255, 1}) {
		encoder, err := reedsolomon.New(shape[0], shape[1])
		if err != nil {
			t.Fatal(err)
		}
		matrix, err := matrixOf(encoder, shape[0], shape[1], 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range matrix {
			if got := f.weights(shape[0], shape[0]+i); !bytes.Equal(got, row) {
				t.Fatalf("%v: row %d is %v, want %v", shape, i, got, row)
			}
		}
	}
}

// TestLaneInGroups: a lane takes groups exactly if the CPU has GFNI.
func TestLaneInGroups(t *testing.T) {
	for name, set := range every(12, 11, "40001B") {
		if set["path"] != pathBest {
			continue
		}
		t.Run(name, func(t *testing.T) {
			l := made(t, set)
			c := l.coder.(*best)
			encoder, err := plainEncoder(12, 11)
			if err != nil {
				t.Fatal(err)
			}
			matrix, err := matrixOf(encoder, 12, 11, c.lost)
			if err != nil {
				t.Fatal(err)
			}
			if c.product, err = newProduct(matrix, detect()); err != nil {
				t.Fatal(err)
			}
			if _, gfni := detect().kernels(); gfni != (len(c.product.groups) > 0) {
				t.Errorf("%d groups, GFNI %v", len(c.product.groups), gfni)
			}
			if err := errors.Join(l.Run(1), l.Verify()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestGroupsAreForGFNI(t *testing.T) {
	for cpu, want := range map[abilities]int{
		{arch: "amd64", avx2: true}: maxShards, {arch: "arm64", neon: true}: maxShards,
		{arch: "amd64", avx2: true, avxGFNI: true}: maxGroup, {arch: "amd64", avx2: true, avx512GFNI: true}: maxGroup,
	} {
		if got := cpu.group(); got != want {
			t.Errorf("%+v: %d, want %d", cpu, got, want)
		}
	}
}
