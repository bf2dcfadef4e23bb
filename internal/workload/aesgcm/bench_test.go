package aesgcm

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"io"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/minio/sio"
	"golang.org/x/sys/unix"

	"plimsoll/internal/load"
	"plimsoll/internal/record"
)

// The benchmarks of the libraries have the form of the libraries' own
// (crypto/cipher's benchmarkAESGCMSeal, minio/sio's benchmarkEncryptRead), at
// the sizes that matter here. BenchmarkLane is the workload at the same, and
// BenchmarkLaneOverLibrary both in turns, because a machine's mood between two
// benchmarks is worth more than what is looked for.

func BenchmarkGCM(b *testing.B)  { benchmarkLibrary(b, libraryGCM) }
func BenchmarkSIO(b *testing.B)  { benchmarkLibrary(b, librarySIO) }
func BenchmarkLane(b *testing.B) { eachCase(b, []string{libraryGCM, librarySIO}, benchmarkLane) }
func BenchmarkLaneOverLibrary(b *testing.B) {
	eachCase(b, []string{libraryGCM, librarySIO}, benchmarkRatio)
}

func benchmarkLibrary(b *testing.B, library string) {
	eachCase(b, []string{library}, func(b *testing.B, set record.Params) {
		size := int(resolved(b, set).Number("size"))
		b.SetBytes(int64(size))
		b.ReportAllocs()
		work := libraryWork(b, set)
		for b.Loop() {
			work()
		}
	})
}

// eachCase names a case op/bits/size, after the library where there are several.
func eachCase(b *testing.B, libraries []string, do func(*testing.B, record.Params)) {
	for _, library := range libraries {
		for _, op := range []string{opSeal, opOpen} {
			for _, bits := range []string{"128", "256"} {
				if library == librarySIO && bits != "256" {
					continue
				}
				for _, size := range []string{"1KiB", "16KiB", "64KiB", "1MiB", "16MiB"} {
					set := record.Params{"library": library, "op": op, "bits": bits, "size": size}
					name := op + "/" + bits + "/" + size
					if len(libraries) > 1 {
						name = library + "/" + name
					}
					b.Run(name, func(b *testing.B) { do(b, set) })
				}
			}
		}
	}
}

// libraryWork is one operation as the library's own benchmark does it.
func libraryWork(b *testing.B, set record.Params) func() {
	p := resolved(b, set)
	buf, key := make([]byte, p.Int("size")), make([]byte, keyBytes(p))
	newMaterial(p, 1, 0).plain(buf) // fresh pages of zeros would all be one page
	if set["library"] == librarySIO {
		return sioWork(b, set["op"], buf, key)
	}
	var out []byte
	var nonce [12]byte
	var ad [13]byte
	block, _ := aes.NewCipher(key)
	aead, _ := cipher.NewGCM(block)
	sealed := aead.Seal(nil, nonce[:], buf, ad[:])
	if set["op"] == opSeal {
		return func() { out = aead.Seal(out[:0], nonce[:], buf, ad[:]) }
	}
	return func() { out, _ = aead.Open(out[:0], nonce[:], sealed, ad[:]) }
}

func sioWork(b *testing.B, op string, buf, key []byte) func() {
	// AES_256_GCM first is the default on amd64; arm64 would take another cipher.
	config := sio.Config{Key: key, CipherSuites: suites()}
	wrap, in := sio.EncryptReader, buf
	if op == opOpen {
		var sealed bytes.Buffer
		if _, err := sio.Encrypt(&sealed, bytes.NewReader(buf), config); err != nil {
			b.Fatal(err)
		}
		wrap, in = sio.DecryptReader, sealed.Bytes()
	}
	return func() {
		reader, err := wrap(bytes.NewReader(in), config)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, reader); err != nil {
			b.Fatal(err)
		}
	}
}

// turn is short, so that both sides of a quadruple meet the same machine.
const turn = 4 * time.Millisecond

func benchmarkLane(b *testing.B, set record.Params) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l := calibrated(b, set)
	var rates []float64
	for b.Loop() {
		rates = append(rates, laneRate(b, l, newGenerator(b)))
	}
	b.ReportMetric(median(rates)/1e6, "MB/s")
}

// benchmarkRatio reports the median over quadruples lane, library, library,
// lane of the ratio of their rates, and the library's rate.
func benchmarkRatio(b *testing.B, set record.Params) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	l, work := calibrated(b, set), libraryWork(b, set)
	size := resolved(b, set).Number("size")
	var ratios, library []float64
	for b.Loop() {
		g, h := newGenerator(b), newGenerator(b)
		ours := laneRate(b, l, g)
		theirs := libraryRate(b, work, size) + libraryRate(b, work, size)
		ours += laneRate(b, l, h)
		ratios = append(ratios, ours/theirs)
		library = append(library, theirs/2)
	}
	b.ReportMetric(median(ratios), "lane/library")
	b.ReportMetric(median(library)/1e6, "library-MB/s")
}

func calibrated(b *testing.B, set record.Params) *lane {
	l := made(b, set)
	if err := l.calibrate(100 * time.Microsecond); err != nil {
		b.Fatal(err)
	}
	return l
}

func newGenerator(b *testing.B) *load.Generator {
	g, err := load.New(load.Config{Load: record.LoadPoint{Kind: record.Closed, Level: 1, Unit: "cpus"}, Lanes: 1, Duration: turn})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// laneRate is the workload's throughput in one turn, in bytes per second of
// CPU time of the calling thread: what other processes take does not count,
// what the load generator takes does.
func laneRate(b *testing.B, l *lane, g *load.Generator) float64 {
	if err := l.run(1); err != nil { // what was in the caches is of the other side
		b.Fatal(err)
	}
	start := threadTime(b)
	g.Start(g.Clock().Now())
	if err := l.Run(context.Background(), g.Lane(0)); err != nil {
		b.Fatal(err)
	}
	took := threadTime(b) - start
	return float64(g.Result().Bytes) / took.Seconds()
}

// libraryRate is the same of the library alone, whose clock is read every 16
// operations below 1 MiB.
func libraryRate(b *testing.B, work func(), size float64) float64 {
	each := 16
	if size >= 1<<20 {
		each = 1
	}
	work()
	cpu, start := threadTime(b), time.Now()
	for n := each; ; n += each {
		for range each {
			work()
		}
		if time.Since(start) >= turn {
			return float64(n) * size / (threadTime(b) - cpu).Seconds()
		}
	}
}

// threadTime is the CPU time of the calling thread.
func threadTime(b *testing.B) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
