package aesgcm

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"io"
	"testing"

	"github.com/minio/sio"

	"plimsoll/internal/record"
	"plimsoll/internal/workload/kernel/kerneltest"
)

// The benchmarks of the libraries have the form of the libraries' own (crypto/cipher's benchmarkAESGCMSeal,
// minio/sio's benchmarkEncryptRead), at the sizes that matter here. BenchmarkLane is the workload at the same, and
// BenchmarkLaneOverLibrary both in turns, because a machine's drift between two benchmarks exceeds the difference of
// interest.

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

// eachCase names a case op/bits/size, preceded by the library if there are several.
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

func benchmarkLane(b *testing.B, set record.Params) {
	kerneltest.LaneRate(b, made(b, set), int64(resolved(b, set).Int("size")))
}

func benchmarkRatio(b *testing.B, set record.Params) {
	p := kerneltest.Pair{Work: made(b, set), Bytes: int64(resolved(b, set).Int("size")), Library: libraryWork(b, set)}
	p.Ratio(b)
}
