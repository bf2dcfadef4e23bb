package erasure

import (
	"context"
	"fmt"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// The driver's keys of a trial's identity, beside the code path.
const (
	keyLibrary = "library"
	keyGroups  = "groups" // best's grouping of inputs and outputs
)

// libraryVersion is the version of the library that this build is made with.
const libraryVersion = "v1.14.2"

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	return kernel.New(env, p, kernel.Kernel{
		Name: Name, Bytes: int64(p.Int("data")) * int64(p.Int("shard")), Set: memoryOf(p), Traffic: traffic(p), Keys: keys(p),
		Collects: p.Text("op") == opVerify && p.Text("path") == pathAsMinIO,
		Make:     func(_ context.Context, i int) (kernel.Work, error) { return newLane(p, env.Seed, i) },
	})
}

// traffic returns the bytes read and written for each byte of data: an operation reads as many shards as there are
// data shards and writes those that it makes. Verify reads both its result and the existing parity, to compare them.
func traffic(p workload.Params) float64 {
	inputs, outputs := dimensions(p)
	each := 1.0
	if p.Text("op") == opVerify {
		each = 3
	}
	return 1 + each*float64(outputs)/float64(inputs)
}

func keys(p workload.Params) map[string]string {
	inputs, outputs := dimensions(p)
	k := map[string]string{keyLibrary: "klauspost/reedsolomon " + libraryVersion}
	if p.Text("path") == pathBest {
		in, out := cut(inputs, detect().group()), cut(outputs, detect().group())
		if len(in)+len(out) > 2 {
			k[keyGroups] = fmt.Sprintf("%d of inputs, %d of outputs", len(in), len(out))
		}
		inputs, outputs = in[0], out[0]
	}
	k[record.KeyPath] = detect().path(inputs, outputs)
	return k
}

// dimensions returns the number of shards that an operation reads and makes.
func dimensions(p workload.Params) (inputs, outputs int) {
	if p.Text("op") == opReconstruct {
		return p.Int("data"), p.Int("lost")
	}
	return p.Int("data"), p.Int("parity")
}
