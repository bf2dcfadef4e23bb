package erasure

import (
	"fmt"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// Name is the workload's name.
const Name = "erasure"

const (
	opEncode      = "encode"
	opVerify      = "verify"
	opReconstruct = "reconstruct"

	pathAsMinIO = "as-minio"
	pathBest    = "best"
)

// maxShards is the limit of GF(2^8), data and parity together.
const maxShards = 256

// Spec declares the workload.
func Spec() workload.Spec {
	return kernel.Spec(kernel.Declaration{
		Name:   Name,
		Doc:    "encodes, verifies or rebuilds Reed-Solomon shards as MinIO does, one worker per CPU",
		Counts: "bytes of data shards per second, without parity",
		Params: params(),
		Grows:  "shard",
		Examples: []workload.Example{
			{Command: "run erasure --cpus all", Doc: "encoding of 12 data and 4 parity shards by all CPUs"},
			{Command: "run erasure --data 16 --parity 4 --op reconstruct --lost 2", Doc: "rebuilding two lost shards of 20"},
			{Command: "run erasure --vary path=as-minio,best",
				Doc: "the library called as MinIO does, and without its allocations, side by side"},
		},
		Check:   check,
		Buffers: func(p workload.Params, _ record.Machine) int64 { return memoryOf(p) },
		New:     newDriver,
	})
}

func params() []record.Param {
	// Larger than maxShards, so that check reports the library's limit.
	const most = 1 << 16
	return []record.Param{
		{Name: "data", Kind: record.Int, Default: "12", Min: 0, Max: most, Phase: record.Build,
			Doc: "data shards; at most 256 together with parity"},
		{Name: "parity", Kind: record.Int, Default: "4", Min: 0, Max: most, Phase: record.Build,
			Doc: "parity shards; at most 256 together with data"},
		{Name: "shard", Kind: record.Size, Default: "1MiB", Min: 8 << 10, Max: 100e6, Phase: record.Build,
			Doc: "size of one shard"},
		{Name: "op", Kind: record.Enum, Default: opEncode, Choices: []string{opEncode, opVerify, opReconstruct},
			Phase: record.Build,
			Doc:   "encode computes the parity, verify checks it, reconstruct rebuilds lost shards"},
		{Name: "lost", Kind: record.Int, Default: "1", Min: 1, Max: maxShards, Phase: record.Build,
			Doc: "number of shards that reconstruct rebuilds, the first ones"},
		{Name: "path", Kind: record.Enum, Default: pathAsMinIO, Choices: []string{pathAsMinIO, pathBest}, Phase: record.Build,
			Doc: "as-minio: the library called as MinIO does; best: without its allocations, and with GFNI also " +
				"for more than 10 shards"},
	}
}

func check(p workload.Params, _ record.Machine) error {
	data, parity, lost := p.Int("data"), p.Int("parity"), p.Int("lost")
	switch {
	case data < 1 || parity < 1:
		return fmt.Errorf("erasure: %d data and %d parity shards\nhint: at least one of each is needed, such as "+
			"erasure.data=12 and erasure.parity=4", data, parity)
	case data+parity > maxShards:
		return fmt.Errorf("erasure: %d data and %d parity shards make %d, but the library supports %d in "+
			"all\nhint: use %s; MinIO uses at most 16", data, parity, data+parity, maxShards, fewer(parity))
	case p.Text("op") == opReconstruct && lost > parity:
		return fmt.Errorf("erasure: %d lost shards cannot be rebuilt with %d parity shards\nhint: use an "+
			"erasure.lost of at most erasure.parity", lost, parity)
	}
	return nil
}

// fewer returns, in words, how many data shards fit with so many parity shards.
func fewer(parity int) string {
	if parity < maxShards {
		return fmt.Sprintf("an erasure.data of at most %d", maxShards-parity)
	}
	return "an erasure.parity of at most 255, and fewer data shards"
}

// memoryOf returns the bytes of a lane's shards, including verify's result.
func memoryOf(p workload.Params) int64 {
	shards := p.Int("data") + p.Int("parity")
	if p.Text("op") == opVerify {
		shards += p.Int("parity")
	}
	return int64(shards) * int64(p.Int("shard"))
}
