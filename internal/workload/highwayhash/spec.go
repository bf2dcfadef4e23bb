package highwayhash

import (
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
		Doc:    "hashes shards with HighwayHash-256 as MinIO's bitrot protection does, one lane per CPU",
		Counts: "bytes hashed per second",
		Params: []record.Param{
			{Name: "size", Kind: record.Size, Default: "128KiB", Min: 4 << 10, Max: 100e6, Phase: record.Build,
				Doc: "bytes hashed per operation: one shard"},
		},
		Grows:   "size",
		Buffers: func(p workload.Params, _ record.Machine) int64 { return int64(p.Int("size")) },
		New:     newDriver,
	})
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	size := int64(p.Int("size"))
	return kernel.New(env, p, kernel.Kernel{
		Name: Name, Bytes: size, Set: size, Traffic: 1, // read once
		Keys: map[string]string{record.KeyPath: detect().path(), keyLibrary: "minio/highwayhash " + libraryVersion},
		Make: func(i int) (kernel.Work, error) { return newLane(p, env.Seed, i) },
	})
}
