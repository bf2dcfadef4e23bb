package erasure

import (
	"errors"
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

	socketsAll = "all"
	socketsOne = "one"
)

// maxShards is the most that GF(2^8) codes.
const maxShards = 256

// Spec declares the workload.
func Spec() workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name:    Name,
			Doc:     "makes, checks or rebuilds Reed-Solomon shards as MinIO does, one lane a CPU",
			Params:  params(),
			Metrics: []record.Metric{{Name: record.Throughput, Unit: "B/s", Better: record.Higher, Doc: "bytes of data shards a second, parity not counted"}},
			Loads:   []record.LoadKind{record.Closed},
			Slices:  true,
		},
		Charge: workload.Lanes,
		Check:  check,
		New:    newDriver,
	}
}

func params() []record.Param {
	return []record.Param{
		{Name: "data", Kind: record.Int, Default: "12", Min: 0, Max: maxShards, Phase: record.Build, Doc: "data shards"},
		{Name: "parity", Kind: record.Int, Default: "4", Min: 0, Max: maxShards, Phase: record.Build, Doc: "parity shards; together with data at most 256"},
		{Name: "shard", Kind: record.Size, Default: "1MiB", Min: 8 << 10, Max: 100e6, Phase: record.Build, Doc: "size of one shard"},
		{Name: "op", Kind: record.Enum, Default: opEncode, Choices: []string{opEncode, opVerify, opReconstruct}, Phase: record.Build,
			Doc: "encode makes the parity, verify checks it, reconstruct rebuilds lost shards"},
		{Name: "lost", Kind: record.Int, Default: "1", Min: 1, Max: maxShards, Phase: record.Build, Doc: "shards that reconstruct rebuilds, the first ones"},
		{Name: "path", Kind: record.Enum, Default: pathAsMinIO, Choices: []string{pathAsMinIO, pathBest}, Phase: record.Build,
			Doc: "as-minio: the library called as MinIO does; best: without its allocations, and with GFNI also for more than 10 shards"},
		{Name: "sockets", Minor: true, Kind: record.Enum, Default: socketsAll, Choices: []string{socketsAll, socketsOne}, Phase: record.Load,
			Doc: "one: refuse to run on CPUs of more than one socket"},
		kernel.CPUs(),
		kernel.Batch(),
	}
}

func check(p workload.Params, m record.Machine) error {
	data, parity, lost := p.Int("data"), p.Int("parity"), p.Int("lost")
	switch {
	case data < 1 || parity < 1:
		return fmt.Errorf("erasure: %d data and %d parity shards\nhint: give one of each at least, such as erasure.data=12 and erasure.parity=4", data, parity)
	case data+parity > maxShards:
		return fmt.Errorf("erasure: %d data and %d parity shards are %d\nhint: MinIO's code has at most %d; it uses 16 or fewer", data, parity, data+parity, maxShards)
	case p.Text("op") == opReconstruct && lost > parity:
		return fmt.Errorf("erasure: %d lost shards cannot be rebuilt with %d parity shards\nhint: use an erasure.lost of at most erasure.parity", lost, parity)
	case p.Text("sockets") == socketsOne && m.CPU.Sockets == 1:
		return errors.New("erasure: sockets=one is untestable here: this machine has one socket\nhint: leave out erasure.sockets")
	}
	return kernel.CheckMemory(Name, "shard", memoryOf(p), p, m)
}

// memoryOf is the bytes that a lane's shards take, and in verify their result.
func memoryOf(p workload.Params) int64 {
	shards := p.Int("data") + p.Int("parity")
	if p.Text("op") == opVerify {
		shards += p.Int("parity")
	}
	return int64(shards) * int64(p.Int("shard"))
}
