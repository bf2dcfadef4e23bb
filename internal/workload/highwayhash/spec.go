package highwayhash

import (
	"context"
	"runtime"

	"golang.org/x/sys/cpu"
	"golang.org/x/sys/unix"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// Name is the workload's name.
const Name = "highwayhash"

// keyLibrary is the key of a trial's identity that names the library and its version.
const keyLibrary = "library"

// libraryVersion is the version of minio/highwayhash that this build is made with.
const libraryVersion = "v1.0.4"

// Spec declares the workload.
func Spec() workload.Spec {
	return kernel.Spec(kernel.Declaration{
		Name:   Name,
		Doc:    "hashes shards with HighwayHash-256 as MinIO's bitrot protection does, one worker per CPU",
		Counts: "bytes hashed per second",
		Params: []record.Param{
			{Name: "size", Kind: record.Size, Default: "128KiB", Min: 4 << 10, Max: 100e6, Phase: record.Build,
				Doc: "bytes hashed per operation: one shard"},
		},
		Grows: "size",
		Examples: []workload.Example{
			{Command: "run highwayhash --cpus all", Doc: "hashing shards of 128 KiB by all CPUs"},
			{Command: "run highwayhash --sweep cpus=1,all", Doc: "how hashing scales from one CPU to all"},
			{Command: "run highwayhash --vary size=4KiB,1MiB", Doc: "two sizes of a shard, side by side"},
		},
		Buffers: func(p workload.Params, _ record.Machine) int64 { return int64(p.Int("size")) },
		New:     newDriver,
	})
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	size := int64(p.Int("size"))
	return kernel.New(env, p, kernel.Kernel{
		Name: Name, Bytes: size, Set: size, Traffic: 1, // read once
		Keys: map[string]string{record.KeyPath: detect().path(), keyLibrary: "minio/highwayhash " + libraryVersion},
		Make: func(_ context.Context, i int) (kernel.Work, error) { return newLane(p, env.Seed, i) },
	})
}

// The library's code paths. It has none for AVX-512, and takes SVE only for vectors of 256 bits (and SVE2 never, as
// of v1.0.4).
const (
	pathAVX2    = "avx2"
	pathSSE4    = "sse4.1"
	pathSVE     = "sve"
	pathNEON    = "neon"
	pathGeneric = "generic"
)

// abilities are the CPU features that the library's dispatch depends on.
type abilities struct {
	arch                  string
	avx2, sse4, neon, sve bool
}

// detect reads them as the library does: by package cpu, which obeys GODEBUG.
func detect() abilities {
	return abilities{
		arch: runtime.GOARCH,
		avx2: cpu.X86.HasAVX2, sse4: cpu.X86.HasSSE41,
		neon: cpu.ARM64.HasASIMD, sve: cpu.ARM64.HasSVE && sveBytes() == 32,
	}
}

// sveBytes returns the length of an SVE vector.
func sveBytes() int {
	n, err := unix.PrctlRetInt(unix.PR_SVE_GET_VL, 0, 0, 0, 0)
	if err != nil {
		return 0
	}
	return n & 0xffff
}

func (a abilities) path() string {
	switch {
	case a.arch == "amd64" && a.avx2:
		return pathAVX2
	case a.arch == "amd64" && a.sse4:
		return pathSSE4
	case a.arch == "arm64" && a.sve:
		return pathSVE
	case a.arch == "arm64" && a.neon:
		return pathNEON
	}
	return pathGeneric
}
