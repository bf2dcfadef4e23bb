package memory

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
	"plimsoll/internal/workload/kernel/kerneltest"
	"plimsoll/internal/workload/workloadtest"
)

func resolved(t testing.TB, set record.Params) workload.Params {
	t.Helper()
	return kerneltest.Params(t, Spec(), set)
}

func made(t testing.TB, op string, size int) *lane {
	t.Helper()
	l, err := newLane(t.Context(), resolved(t, record.Params{"op": op}), kernel.Policy{}, size, 7, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Free() })
	return l
}

func TestConformance(t *testing.T) {
	cases := []workloadtest.Case{}
	for _, op := range []string{opCopy, opTriad} {
		cases = append(cases, workloadtest.Case{Name: op, Params: record.Params{"op": op, "size": "3MiB"}, Lanes: 2,
			Digest: digestOf})
	}
	if simtest.Night() {
		cases = append(cases, workloadtest.Case{Name: "beyond the caches", Digest: digestOf})
	}
	workloadtest.Run(t, Spec(), cases...)
}

var update = flag.Bool("update", false, "write testdata")

// TestDigests holds every architecture to the same bytes. With -update it writes them.
func TestDigests(t *testing.T) {
	var got []string
	for _, seed := range []uint64{1, 0xfeedfacecafebeef} {
		for _, op := range []string{opCopy, opTriad} {
			d, err := digestOf(seed, resolved(t, record.Params{"op": op}))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%x %s %s", seed, op, d))
		}
	}
	kerneltest.Golden(t, got, *update)
}

func TestArraySize(t *testing.T) {
	one := record.Cache{Level: 3, Type: "unified", Bytes: 32 << 20, Instances: 1}
	twelve := one
	twelve.Instances = 12
	for _, c := range []struct {
		set   string
		lanes int
		last  record.Cache
		want  int64
	}{
		{"0B", 1, one, 128 << 20}, {"0B", 2, one, 64 << 20}, {"0B", 1, twelve, 128 << 20}, {"0B", 24, twelve, 64 << 20},
		{"0B", 3, one, 43 << 20}, {"0B", 1, record.Cache{}, 0}, {"1B", 1, one, 1 << 20}, {"100MB", 1, one, 96 << 20},
	} {
		if got := arraySize(resolved(t, record.Params{"size": c.set}), c.lanes, c.last); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

func TestDoubts(t *testing.T) {
	last := record.Cache{Level: 3, Bytes: 32 << 20, Instances: 1}
	if d := doubts(128<<20, 1, last); d != nil {
		t.Errorf("arrays of 4 times the cache: %v", d)
	}
	if d := doubts(63<<20, 2, last); len(d) != 1 || !strings.Contains(d[0], "63MiB") {
		t.Errorf("arrays that are smaller: %v", d)
	}
}

func TestCheck(t *testing.T) {
	m := record.Machine{Memory: 300 << 20, NUMA: 1,
		CPU: record.CPU{Allowed: []int{0, 1}, Caches: []record.Cache{
			{Level: 3, Type: "unified", Bytes: 32 << 20, Instances: 1}}}}
	two := m
	two.NUMA = 2
	for name, c := range map[string]struct {
		set     record.Params
		machine record.Machine
		want    string
	}{
		"defaults":            {record.Params{}, m, ""},
		"triad needs more":    {record.Params{"op": opTriad}, m, "buffers of 403073024 bytes on each of 1 CPUs"},
		"all share the cache": {record.Params{"cpus": "all"}, m, ""},
		"set too large":       {record.Params{"size": "200MiB"}, m, "the 314572800 bytes of memory that this machine has"},
		"interleave on one":   {record.Params{"placement": placeInterleave}, m, "cannot be tested here: one NUMA node"},
		"one-node on one":     {record.Params{"placement": placeOneNode}, m, "cannot be tested here: one NUMA node"},
		"interleave on two":   {record.Params{"placement": placeInterleave}, two, ""},
		"unknown machine":     {record.Params{"cpus": "all"}, record.Machine{}, ""},
	} {
		err := Spec().Check(resolved(t, c.set), c.machine)
		if c.want == "" && err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), "\nhint: ")) {
			t.Errorf("%s: got %v, want %q and a hint", name, err, c.want)
		}
	}
}

func TestPlace(t *testing.T) {
	root := hostfs.Root{Sys: t.TempDir()}
	dir := filepath.Join(root.Sys, "devices/system/node")
	if err := errors.Join(os.MkdirAll(dir, 0o777),
		os.WriteFile(filepath.Join(dir, "has_memory"), []byte("0,2\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	for placement, want := range map[string]string{placeLocal: "[0 2]", placeOneNode: "[0]", placeInterleave: "[0 2]"} {
		p := resolved(t, record.Params{"placement": placement})
		if _, nodes, err := place(p, root); err != nil || fmt.Sprint(nodes) != want {
			t.Errorf("%s: %v, %v", placement, nodes, err)
		}
		_, _, err := place(p, hostfs.Root{Sys: t.TempDir()})
		if (err == nil) != (placement == placeLocal) {
			t.Errorf("%s on one node: %v", placement, err)
		}
	}
}

func TestVerify(t *testing.T) {
	for _, op := range []string{opCopy, opTriad} {
		l := made(t, op, 2*chunk)
		if err := l.Verify(); err == nil {
			t.Errorf("%s: verify accepts that nothing was done", op)
		}
		for range 3 { // in mid-array, at the end, and begun again
			if err := errors.Join(l.Run(1), l.Verify()); err != nil {
				t.Errorf("%s: %v", op, err)
			}
		}
		for what, x := range map[string]*float64{"first": &l.a[0], "last": &l.a[len(l.a)-1]} {
			*x++
			if err := l.Verify(); err == nil {
				t.Errorf("%s: verify finds nothing wrong with the %s element", op, what)
			}
			*x--
		}
		l.b[0]++
		if err := errors.Join(l.Run(2), l.Verify()); err == nil {
			t.Errorf("%s: verify finds nothing wrong with the source", op)
		}
	}
}

func TestChunksAreToldApart(t *testing.T) {
	l := made(t, opTriad, 3*chunk)
	if l.b[chunk/8] == l.b[2*chunk/8] || l.b[0] == l.c[0] {
		t.Error("two chunks or arrays begin alike")
	}
}

func TestAllocatesNothing(t *testing.T) {
	for _, op := range []string{opCopy, opTriad} {
		l := made(t, op, 2*chunk)
		if n := testing.AllocsPerRun(5, func() { l.Run(4) }); n != 0 {
			t.Errorf("%s: %g allocations in 4 operations, want 0", op, n)
		}
	}
}

// digestOf returns the SHA-256, in hex, of the first chunks that lanes 0 and 1 write with this seed. It is the same on
// every architecture.
func digestOf(seed uint64, p workload.Params) (string, error) {
	h := sha256.New()
	for i := range 2 {
		l, err := newLane(context.Background(), p, kernel.Policy{}, 2*chunk, seed, i)
		if err != nil {
			return "", err
		}
		err = l.Run(2)
		h.Write(bytesOf(l.a))
		if err := errors.Join(err, l.Free()); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// bytesOf returns numbers in one byte order on every architecture.
func bytesOf(x []float64) []byte {
	out, _ := binary.Append(nil, binary.LittleEndian, x) // fails only for types without a size
	return out
}

// lateContext ends when somebody looks at it the nth time.
type lateContext struct {
	context.Context
	looks, ends int
}

func (c *lateContext) Err() error {
	if c.looks++; c.looks < c.ends {
		return nil
	}
	return context.Canceled
}

// TestStops: a lane that is told to stop while it makes its arrays does so at the next of its looks, each after some
// chunks at most.
func TestStops(t *testing.T) {
	p := resolved(t, record.Params{"op": opTriad})
	const size = 20 * chunk
	unstopped := &lateContext{t.Context(), 0, 1 << 30}
	l, err := newLane(unstopped, p, kernel.Policy{}, size, 7, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Free(); err != nil {
		t.Fatal(err)
	}
	if chunks := 3 * size / chunk; unstopped.looks < chunks {
		t.Fatalf("%d looks while %d chunks were made", unstopped.looks, chunks)
	}
	for _, ends := range []int{1, unstopped.looks / 2, unstopped.looks} {
		ctx := &lateContext{t.Context(), 0, ends}
		if _, err := newLane(ctx, p, kernel.Policy{}, size, 7, 0); !errors.Is(err, context.Canceled) || ctx.looks > ends {
			t.Errorf("stopped at look %d of %d: %d looks, %v", ends, unstopped.looks, ctx.looks, err)
		}
	}
}
