package ring

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const block = 4096

// ringOf makes a ring on the test's own thread, over a file of n blocks; it skips the test if there is no io_uring.
func ringOf(t testing.TB, depth, blocks int, register bool) (*Ring, *os.File, [][]byte) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	f, err := os.OpenFile(filepath.Join(t.TempDir(), "data"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if err := f.Truncate(int64(blocks) * block); err != nil {
		t.Fatal(err)
	}
	buffers, all, err := Map(depth, block)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = Unmap(all) })
	r, err := New(Config{Depth: depth, Files: []int{int(f.Fd())}, Buffers: buffers, Register: register})
	skipRefused(t, err)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r, f, buffers
}

func skipRefused(t testing.TB, err error) {
	t.Helper()
	var no *RefusedError
	if errors.As(err, &no) {
		t.Skip(err)
	}
}

// drain waits for all that is in flight and gives each answer to f.
func drain(t testing.TB, r *Ring, f func(id uint64, res int32)) {
	t.Helper()
	for r.Flying() > 0 {
		if err := r.Enter(1, 1e9); err != nil {
			t.Fatal(err)
		}
		for id, res, ok := r.Next(); ok; id, res, ok = r.Next() {
			f(id, res)
		}
	}
}

func TestWhatIsWrittenIsThere(t *testing.T) {
	for name, register := range map[string]bool{"registered": true, "plain": false} {
		t.Run(name, func(t *testing.T) {
			const n = 64
			r, f, buffers := ringOf(t, n, n, register)
			for i := range n {
				for at := 0; at < block; at += 8 {
					binary.LittleEndian.PutUint64(buffers[i][at:], uint64(i)<<32|uint64(at))
				}
				if !r.Write(0, i, block, int64(i)*block, uint64(i)) {
					t.Fatalf("no room for operation %d of %d", i, n)
				}
			}
			if r.Write(0, 0, block, 0, 99) || r.Read(0, 0, block, 0, 99) || r.Sync(0, true, 99) || r.Free() != 0 {
				t.Error("more operations in flight than the ring has places")
			}
			seen := map[uint64]int{}
			drain(t, r, func(id uint64, res int32) {
				if seen[id]++; res != block {
					t.Errorf("write %d gave %d", id, res)
				}
			})
			for i := range n {
				if seen[uint64(i)] != 1 {
					t.Errorf("write %d came back %d times", i, seen[uint64(i)])
				}
				got := make([]byte, block)
				if _, err := f.ReadAt(got, int64(i)*block); err != nil || !bytes.Equal(got, buffers[i]) {
					t.Errorf("block %d is not what was written: %v", i, err)
				}
			}
			for _, data := range []bool{true, false} {
				r.Sync(0, data, 7)
				drain(t, r, func(id uint64, res int32) {
					if id != 7 || res != 0 {
						t.Errorf("sync %d gave %d", id, res)
					}
				})
			}
			if _, _, ok := r.Next(); ok {
				t.Error("an operation that nobody queued")
			}
		})
	}
}

// TestRandomOperations holds a file under random reads and writes, in random batches, to a copy of it in memory.
func TestRandomOperations(t *testing.T) {
	for _, seed := range []uint64{1, 2, 3} {
		t.Logf("seed %d", seed)
		randomOperations(t, rand.New(rand.NewPCG(seed, 0)))
	}
}

func randomOperations(t *testing.T, rng *rand.Rand) {
	const depth, blocks, total = 16, 64, 3000
	r, _, buffers := ringOf(t, depth, blocks, rng.IntN(2) == 0)
	model := make([]uint64, blocks) // contents of each block
	busy := make([]bool, blocks)    // operations on one block do not overlap: their order is the kernel's
	type op struct {
		block int
		write bool
		value uint64
	}
	flying, free := map[uint64]op{}, []int{}
	for i := range depth {
		free = append(free, i)
	}
	next, slots := uint64(0), map[uint64]int{}
	finish := func(id uint64, res int32) {
		o, ok := flying[id]
		if !ok {
			t.Fatalf("operation %d came back, and is not in flight", id)
		}
		slot := slots[id]
		if res != block {
			t.Errorf("operation %d: %+v gave %d", id, o, res)
		}
		if got := binary.LittleEndian.Uint64(buffers[slot][block-8:]); !o.write && got != model[o.block] {
			t.Errorf("block %d holds %d, want %d", o.block, got, model[o.block])
		}
		if o.write {
			model[o.block] = o.value
		}
		busy[o.block] = false
		delete(flying, id)
		free = append(free, slot)
	}
	for next < total {
		for range rng.IntN(depth + 1) {
			b := rng.IntN(blocks)
			if busy[b] || len(free) == 0 {
				continue
			}
			slot := free[len(free)-1]
			free = free[:len(free)-1]
			o := op{b, rng.IntN(2) == 0, rng.Uint64()}
			flying[next], slots[next], busy[b] = o, slot, true
			if o.write {
				binary.LittleEndian.PutUint64(buffers[slot][block-8:], o.value)
				r.Write(0, slot, block, int64(b)*block, next)
			} else {
				r.Read(0, slot, block, int64(b)*block, next)
			}
			next++
		}
		if r.Flying() != len(flying) || r.Free() != depth-len(flying) {
			t.Fatalf("%d in flight and %d free, want %d of %d", r.Flying(), r.Free(), len(flying), depth)
		}
		if err := r.Enter(rng.IntN(len(flying)+1), 1e9); err != nil {
			t.Fatal(err)
		}
		for id, res, ok := r.Next(); ok; id, res, ok = r.Next() {
			finish(id, res)
		}
	}
	drain(t, r, finish)
	if len(flying) > 0 {
		t.Errorf("%d operations never came back", len(flying))
	}
}

// TestNothingAllocated: the whole round, with many more of them than Go would forgive.
func TestNothingAllocated(t *testing.T) {
	const depth = 32
	r, _, _ := ringOf(t, depth, depth, true)
	got := testing.AllocsPerRun(200, func() {
		for i := 0; r.Free() > 0; i++ {
			r.Write(0, i, block, int64(i)*block, uint64(i))
		}
		for r.Flying() > 0 {
			if err := r.Enter(r.Flying(), 1e9); err != nil {
				t.Fatal(err)
			}
			for _, _, ok := r.Next(); ok; _, _, ok = r.Next() {
			}
		}
	})
	if got != 0 {
		t.Errorf("%g allocations a round", got)
	}
}

// TestManyByOneCall: queued operations are submitted together, and awaited together.
func TestManyByOneCall(t *testing.T) {
	const depth = 64
	r, _, _ := ringOf(t, depth, depth, true)
	for i := range depth {
		r.Write(0, i, block, int64(i)*block, uint64(i))
	}
	if err := r.Enter(depth, 60e9); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, _, ok := r.Next(); ok; _, _, ok = r.Next() {
		n++
	}
	// A signal of the runtime's may cut the wait short, so a few calls are allowed instead of one.
	for r.Flying() > 0 && r.Calls() < depth/4 {
		_ = r.Enter(r.Flying(), 60e9)
		for _, _, ok := r.Next(); ok; _, _, ok = r.Next() {
			n++
		}
	}
	if n != depth {
		t.Errorf("%d of %d done by %d calls", n, depth, r.Calls())
	}
}

// TestAnswersOfTheKernel: a failed operation returns its error.
func TestAnswersOfTheKernel(t *testing.T) {
	r, f, _ := ringOf(t, 4, 2, true)
	r.Read(0, 0, block, 1<<40, 1) // past the end
	drain(t, r, func(_ uint64, res int32) {
		if res != 0 {
			t.Errorf("a read past the end gave %d", res)
		}
	})
	r.Read(0, 0, block, block+block/2, 2) // half of it is there
	drain(t, r, func(_ uint64, res int32) {
		if res != block/2 {
			t.Errorf("a read over the end gave %d", res)
		}
	})
	r.Write(0, 0, block, -4096, 3)
	drain(t, r, func(_ uint64, res int32) {
		if unix.Errno(-res) != unix.EINVAL {
			t.Errorf("a write at a negative offset gave %d", res)
		}
	})
	_ = f
}

// TestWaitEnds: waits for operations that are not in flight, or beyond the timeout, return.
func TestWaitEnds(t *testing.T) {
	r, _, _ := ringOf(t, 2, 2, true)
	for _, ns := range []int64{0, 1000, 20e6} {
		// A signal may end a wait early, so one of several has to last.
		longest := time.Duration(0)
		for range 10 {
			from := time.Now()
			if err := r.Enter(1, ns); err != nil {
				t.Fatal(err)
			}
			longest = max(longest, time.Since(from))
		}
		if longest < time.Duration(ns) {
			t.Errorf("waits of %d ns for what does not come lasted %v at most", ns, longest)
		}
	}
	if _, _, ok := r.Next(); ok {
		t.Error("an operation that nobody queued")
	}
}

// TestDeepest: as many in flight as a ring can have, with more buffers than the kernel takes one by one.
func TestDeepest(t *testing.T) {
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	buffers, all, err := Map(MaxEntries, 512)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = Unmap(all) })
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	r, err := New(Config{Depth: MaxEntries, Files: []int{int(f.Fd())}, Buffers: buffers, Register: true})
	skipRefused(t, err)
	var short *MemlockError
	if errors.As(err, &short) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	const last = MaxEntries - 1
	copy(buffers[last], "the last")
	for i := range MaxEntries {
		if !r.Write(0, i, 512, int64(i)*512, uint64(i)) {
			t.Fatalf("no room for operation %d", i)
		}
	}
	drain(t, r, func(id uint64, res int32) {
		if res != 512 {
			t.Fatalf("write %d gave %d", id, res)
		}
	})
	got := make([]byte, 8)
	if _, err := f.ReadAt(got, last*512); err != nil || string(got) != "the last" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestBadDepths(t *testing.T) {
	for _, depth := range []int{0, -1, MaxEntries + 1} {
		var e *DepthError
		if _, err := New(Config{Depth: depth}); !errors.As(err, &e) || e.Depth != depth || e.Limit != MaxEntries {
			t.Errorf("depth %d: %v", depth, err)
		}
	}
}

func TestMap(t *testing.T) {
	for _, c := range [][2]int{{0, 1}, {1, 0}, {-1, 4}, {1 << 30, 1 << 30}} {
		if _, _, err := Map(c[0], c[1]); err == nil {
			t.Errorf("%d buffers of %d bytes", c[0], c[1])
		}
	}
	buffers, all, err := Map(3, 5000)
	if err != nil || len(buffers) != 3 || len(all) != 15000 || cap(buffers[0]) != 5000 {
		t.Fatalf("%d buffers of %d bytes: %v", len(buffers), len(all), err)
	}
	if err := Unmap(all); err != nil {
		t.Error(err)
	}
}

func BenchmarkRound(b *testing.B) {
	const depth = 128
	r, _, _ := ringOf(b, depth, depth, true)
	b.ReportAllocs()
	for b.Loop() {
		for i := 0; r.Free() > 0; i++ {
			r.Read(0, i, block, int64(i)*block, uint64(i))
		}
		drain(b, r, func(uint64, int32) {})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*depth), "ns/io")
}
