package aesgcm

import (
	"errors"

	"plimsoll/internal/record"
	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
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
		kernel.CPUs(),
		kernel.Batch(),
	}
}

func check(p workload.Params, m record.Machine) error {
	if p.Text("library") == librarySIO && p.Text("bits") != "256" {
		return errors.New("aes-gcm: library sio has keys of 256 bits only\nhint: leave out bits, or use --set aes-gcm.library=gcm")
	}
	src, dst := bufferSizes(p)
	return kernel.CheckMemory(Name, "size", int64(src+dst), p, m)
}
