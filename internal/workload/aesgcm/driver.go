package aesgcm

import (
	"context"
	"runtime"

	"golang.org/x/sys/cpu"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// keyLibrary is the key of a trial's identity that names the library and, unless it is Go's own, its version.
const keyLibrary = "library"

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	return kernel.New(env, p, kernel.Kernel{
		Name: Name, Bytes: int64(p.Int("size")), Set: buffersOf(p), Traffic: traffic(p), Keys: keys(p),
		Make: func(_ context.Context, i int) (kernel.Work, error) { return newLane(p, env.Seed, i) },
	})
}

// traffic returns the bytes read and written for each byte of plaintext: the plaintext, and the ciphertext with its
// tags.
func traffic(p workload.Params) float64 {
	plain := p.Int("size")
	return float64(plain+sealedSize(p)) / float64(plain)
}

// keys returns the ciphers' code path on this CPU and the library.
func keys(p workload.Params) map[string]string {
	library := "go crypto/cipher"
	if p.Text("library") == librarySIO {
		library = "minio/sio " + sioVersion
	}
	return map[string]string{record.KeyPath: path(), keyLibrary: library}
}

// The code paths of Go's AES-GCM. There are no others: Go 1.26 has neither VAES nor AVX-512 code for amd64, nor EOR3
// code for arm64, so a CPU with these takes the same path as one without.
const (
	pathAMD64   = "aes-ni+pclmulqdq"
	pathARM64   = "aes+pmull"
	pathGeneric = "generic"
)

// path returns the code path taken here, by the condition of crypto/internal/fips140/aes/gcm (gcm_asm.go,
// supportsAESGCM). Package cpu obeys GODEBUG=cpu.aes=off as crypto does; other detectors do not.
func path() string {
	switch {
	case runtime.GOARCH == "amd64" && cpu.X86.HasAES && cpu.X86.HasPCLMULQDQ && cpu.X86.HasSSE41 && cpu.X86.HasSSSE3:
		return pathAMD64
	case runtime.GOARCH == "arm64" && cpu.ARM64.HasAES && cpu.ARM64.HasPMULL:
		return pathARM64
	}
	return pathGeneric
}
