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
	return workload.Spec{
		Workload: record.Workload{
			Name: Name,
			Doc:  "hashes shards with HighwayHash-256 as MinIO's bitrot protection does, one lane a CPU",
			Params: []record.Param{
				{Name: "size", Kind: record.Size, Default: "128KiB", Min: 4 << 10, Max: 100e6, Phase: record.Build,
					Doc: "bytes hashed by one operation: a shard"},
				kernel.CPUs(),
				kernel.Batch(),
			},
			Metrics: []record.Metric{{Name: record.Throughput, Unit: "B/s", Better: record.Higher, Doc: "bytes hashed a second"}},
			Loads:   []record.LoadKind{record.Closed},
			Slices:  true,
		},
		Charge: workload.Lanes,
		Check: func(p workload.Params, m record.Machine) error {
			return kernel.CheckMemory(Name, "size", int64(p.Int("size")), p, m)
		},
		New: newDriver,
	}
}

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	return kernel.NewDriver(kernel.Kernel{
		Name: Name, Bytes: int64(p.Int("size")), Batch: p.Number("batch"),
		Keys: map[string]string{record.KeyPath: detect().path(), keyLibrary: "minio/highwayhash " + libraryVersion},
		Make: func(i int) (kernel.Work, error) { return newLane(p, env.Seed, i) },
	}), nil
}
