package aesgcm

import (
	"bytes"
	"io"
	"testing"
	"unsafe"

	"github.com/minio/sio"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/record"
)

func TestGCMAllocatesNothing(t *testing.T) {
	for _, op := range []string{opSeal, opOpen} {
		l := made(t, record.Params{"op": op})
		if n := testing.AllocsPerRun(20, func() { l.run(4) }); n != 0 {
			t.Errorf("%s: %g allocations in 4 operations, want 0", op, n)
		}
	}
}

// sio allocates for every stream; the lane must add nothing to that.
func TestSIOAllocatesAsTheLibraryDoes(t *testing.T) {
	simtest.Long(t)
	for _, op := range []string{opSeal, opOpen} {
		for _, size := range []string{"16KiB", "64KiB", "1300000B"} {
			l := made(t, record.Params{"library": librarySIO, "op": op, "size": size})
			ours := testing.AllocsPerRun(20, func() { l.run(1) })
			library := testing.AllocsPerRun(20, func() { direct(l.codec.(*dare), op) })
			if ours > library {
				t.Errorf("%s %s: %g allocations an operation, the library alone %g", op, size, ours, library)
			}
		}
	}
}

// direct is one operation of the library with nothing around it.
func direct(c *dare, op string) {
	object := bytes.NewReader(c.src)
	r, _ := sio.EncryptReader(object, c.sealing())
	if op == opOpen {
		r, _ = sio.DecryptReader(object, c.opening())
	}
	for {
		if _, err := io.ReadFull(r, c.dst); err != nil {
			return
		}
	}
}

func TestBuffers(t *testing.T) {
	for _, sizes := range [][2]int{{1, 1}, {4096, 4112}, {65553, 1 << 20}} {
		b, err := newBuffers(sizes[0], sizes[1])
		if err != nil {
			t.Fatal(err)
		}
		if len(b.src) != sizes[0] || cap(b.src) != sizes[0] || len(b.dst) != sizes[1] || cap(b.dst) != sizes[1] {
			t.Errorf("%v: got %d (%d) and %d (%d) bytes", sizes, len(b.src), cap(b.src), len(b.dst), cap(b.dst))
		}
		for _, s := range [][]byte{b.src, b.dst} {
			if at := uintptr(unsafe.Pointer(&s[0])); at%64 != 0 {
				t.Errorf("%v: buffer at %x, want a multiple of 64", sizes, at)
			}
		}
		for range 2 {
			if err := b.free(); err != nil {
				t.Error(err)
			}
		}
	}
}
