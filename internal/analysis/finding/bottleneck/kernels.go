package bottleneck

import (
	"fmt"
	"strconv"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// The workloads that measure the CPU work of an object store, and the store's own.
const (
	storeWorkload   = "s3"
	erasureWorkload = "erasure"
	hashWorkload    = "highwayhash"
)

// kernel is a kernel of a machine: of erasure coding, with its shards.
type kernel struct{ machine, workload, data, parity string }

// kernelsMeasured returns the highest throughput of each kernel, bytes per second of CPU time.
func kernelsMeasured(trials []record.Trial) map[kernel]float64 {
	out := map[kernel]float64{}
	for _, t := range trialset.Valid(trials) {
		k := kernel{machine: t.Keys[record.KeyMachine], workload: trialset.WorkloadOf(t)}
		switch k.workload {
		case erasureWorkload:
			k.data, k.parity = t.Keys["erasure.data"], t.Keys["erasure.parity"]
			if t.Keys["erasure.op"] != "encode" || t.Keys["erasure.path"] != "as-minio" {
				continue
			}
		case hashWorkload:
		default:
			continue
		}
		v, ok := t.Value(record.Throughput)
		if u := t.CPU; ok && u != nil && u.Work > 0 && u.WindowS > 0 {
			out[k] = max(out[k], v.Value*u.WindowS/u.Work)
		}
	}
	return out
}

// kernelTexts states which share of a store's CPU time the kernels take for the bytes that it wrote and read. Their
// throughput was measured in the same session. It returns nil without it, or if the store's drives are unknown.
func kernelTexts(trials []record.Trial, kernels map[kernel]float64) []string {
	var coding, hashing, codes, hashes float64
	data, parity := 0, 0
	for _, t := range trials {
		if trialset.WorkloadOf(t) != storeWorkload || t.CPU == nil || t.CPU.Work <= 0 || t.CPU.WindowS <= 0 {
			return nil
		}
		if data, parity = shardsOf(t); data < 1 || parity < 1 {
			return nil
		}
		machine := t.Keys[record.KeyMachine]
		codes = kernels[kernel{machine, erasureWorkload, strconv.Itoa(data), strconv.Itoa(parity)}]
		hashes = kernels[kernel{machine: machine, workload: hashWorkload}]
		in, _ := t.Value("ingest")
		out, _ := t.Value("egress")
		used := t.CPU.Work / t.CPU.WindowS
		coding += trialset.Part(in.Value, codes*used) / float64(len(trials))
		// All shards are hashed as they are written, and the data's shards as they are read.
		hashing += trialset.Part(in.Value*float64(data+parity)/float64(data)+out.Value, hashes*used) / float64(len(trials))
	}
	var texts []string
	say := func(what string, share, rate float64) {
		if share > 0 {
			texts = append(texts, fmt.Sprintf("%s takes %s of the store's CPU time, at the %s per CPU measured", what,
				share1(share), figure.Quantity(rate, "B/s")))
		}
	}
	say(fmt.Sprintf("erasure coding (%d+%d) of the bytes written", data, parity), coding, codes)
	say("hashing of the shards", hashing, hashes)
	return texts
}

// share1 returns a share as a percentage; small ones have a digit more.
func share1(share float64) string {
	const small = .1
	if share < small {
		return fmt.Sprintf("%.1f%%", 100*share)
	}
	return Pct(share)
}

// shardsOf returns the data and parity shards of a store's erasure set; 0, 0 if they are unknown.
func shardsOf(t record.Trial) (data, parity int) {
	if n, err := fmt.Sscanf(t.Keys[record.KeyErasureSet], "%d+%d", &data, &parity); err != nil || n < 2 {
		return 0, 0
	}
	return data, parity
}
