package aesgcm

import (
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// keyLibrary is the key of a trial's identity that names the library and, unless it is Go's own, its version.
const keyLibrary = "library"

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	return kernel.New(env, p, kernel.Kernel{
		Name: Name, Bytes: int64(p.Int("size")), Set: buffersOf(p), Traffic: traffic(p), Keys: keys(p),
		Make: func(i int) (kernel.Work, error) { return newLane(p, env.Seed, i) },
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
