package aesgcm

import (
	"errors"
	"fmt"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
)

// Name is the workload's name.
const Name = "aes-gcm"

const (
	libraryGCM = "gcm"
	librarySIO = "sio"
	opSeal     = "seal"
	opOpen     = "open"
)

// Spec declares the workload.
func Spec() workload.Spec {
	return workload.Spec{
		Workload: record.Workload{
			Name:    Name,
			Doc:     "encrypts or decrypts with AES-GCM as MinIO does, one lane a CPU",
			Params:  params(),
			Metrics: []record.Metric{{Name: record.Throughput, Unit: "B/s", Better: record.Higher, Doc: "bytes of plaintext a second"}},
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
		{Name: "library", Kind: record.Enum, Default: libraryGCM, Choices: []string{libraryGCM, librarySIO}, Phase: record.Build,
			Doc: "gcm: Go's crypto/cipher, one message an operation; sio: MinIO's encrypted streams, one object an operation"},
		{Name: "op", Kind: record.Enum, Default: opSeal, Choices: []string{opSeal, opOpen}, Phase: record.Build,
			Doc: "seal encrypts, open decrypts and authenticates"},
		{Name: "bits", Kind: record.Enum, Default: "256", Choices: []string{"128", "256"}, Phase: record.Build,
			Doc: "length of the AES key; sio has 256 only"},
		{Name: "size", Kind: record.Size, Default: "16KiB", Min: 1 << 10, Max: 100e6, Phase: record.Build,
			Doc: "plaintext of one operation"},
		{Name: record.ParamCPUs, Kind: record.CPUs, Default: "1", Min: 1, Max: 4096, Phase: record.Load,
			Doc: "CPUs to use, one lane each, or all"},
		{Name: "batch", Minor: true, Kind: record.Duration, Default: "100us", Min: 10e-6, Max: 1, Phase: record.Load,
			Doc: "as many operations are counted at a time as take at least this long, so that reading the clock costs nothing"},
	}
}

func check(p workload.Params, m record.Machine) error {
	if p.Text("library") == librarySIO && p.Text("bits") != "256" {
		return errors.New("aes-gcm: library sio has keys of 256 bits only\nhint: leave out bits, or use --set aes-gcm.library=gcm")
	}
	src, dst := bufferSizes(p)
	need := int64(lanes(p, m)) * int64(src+dst)
	if have := memory(m); have > 0 && need > have {
		return fmt.Errorf("aes-gcm: buffers of %s on %d CPUs need %d bytes of memory, this machine has %d\nhint: use a smaller aes-gcm.size or fewer aes-gcm.cpus",
			p.Text("size"), lanes(p, m), need, have)
	}
	return nil
}

func lanes(p workload.Params, m record.Machine) int {
	if p.Text(record.ParamCPUs) == record.AllCPUs {
		return max(1, len(m.CPU.Allowed))
	}
	return p.Int(record.ParamCPUs)
}

// memory is what a process may use in bytes, 0 where unknown.
func memory(m record.Machine) int64 {
	if limit := m.Cgroup.MemoryLimit; limit > 0 && (m.Memory == 0 || limit < m.Memory) {
		return limit
	}
	return m.Memory
}
