package erasure

import (
	"fmt"

	"plimsoll/internal/host"
	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// What a driver adds to its trial's identity beside the code path.
const (
	keyLibrary = "library"
	keyGroups  = "groups" // how best cuts the inputs and outputs
)

// libraryVersion is the version of the library that this build is made with.
const libraryVersion = "v1.14.2"

func newDriver(env workload.Env, p workload.Params) (workload.Driver, error) {
	if err := checkSockets(env.CPUs, p); err != nil {
		return nil, err
	}
	return kernel.NewDriver(kernel.Kernel{
		Name: Name, Bytes: int64(p.Int("data")) * int64(p.Int("shard")), Batch: p.Number("batch"), Keys: keys(p),
		Make: func(i int) (kernel.Work, error) { return newLane(p, env.Seed, i) },
	}), nil
}

// checkSockets holds the lanes' CPUs to one socket where that was asked for. It
// is not for a workload to choose CPUs.
func checkSockets(cpus []int, p workload.Params) error {
	if p.Text("sockets") != socketsOne {
		return nil
	}
	n, err := host.Sockets(host.System(), cpus)
	if err != nil {
		return fmt.Errorf("erasure: sockets=one: %w", err)
	}
	if n > 1 {
		return fmt.Errorf("erasure: sockets=one, but CPUs %v are of %d sockets\nhint: run plimsoll under taskset -c with the CPUs of one socket, or use fewer erasure.cpus", cpus, n)
	}
	return nil
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

// dimensions is how many shards an operation reads and makes.
func dimensions(p workload.Params) (inputs, outputs int) {
	if p.Text("op") == opReconstruct {
		return p.Int("data"), p.Int("lost")
	}
	return p.Int("data"), p.Int("parity")
}
