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
	return kernel.Spec(kernel.Declaration{
		Name:   Name,
		Doc:    "encrypts or decrypts with AES-GCM as MinIO does, one worker per CPU",
		Counts: "bytes of plaintext per second",
		Params: params(),
		Grows:  "size",
		Examples: []workload.Example{
			{Command: "run aes-gcm --cpus all", Doc: "encryption of 16 KiB at a time by all CPUs"},
			{Command: "run aes-gcm --vary library=gcm,sio", Doc: "Go's cipher, and MinIO's encrypted stream, side by side"},
			{Command: "run aes-gcm --sweep size=1KiB,16KiB,1MiB --op open", Doc: "decryption by the size of a message"},
		},
		Check:   check,
		Buffers: func(p workload.Params, _ record.Machine) int64 { return buffersOf(p) },
		New:     newDriver,
	})
}

func params() []record.Param {
	return []record.Param{
		{Name: "library", Kind: record.Enum, Default: libraryGCM, Choices: []string{libraryGCM, librarySIO},
			Phase: record.Build,
			Doc: "gcm: Go's crypto/cipher, one message per operation; sio: MinIO's encrypted streams, one object " +
				"per operation"},
		{Name: "op", Kind: record.Enum, Default: opSeal, Choices: []string{opSeal, opOpen}, Phase: record.Build,
			Doc: "seal encrypts, open decrypts and authenticates"},
		{Name: "bits", Kind: record.Enum, Default: "256", Choices: []string{"128", "256"}, Phase: record.Build,
			Doc: "length of the AES key; sio supports only 256"},
		{Name: "size", Kind: record.Size, Default: "16KiB", Min: 1 << 10, Max: 100e6, Phase: record.Build,
			Doc: "plaintext per operation"},
	}
}

func check(p workload.Params, _ record.Machine) error {
	if p.Text("library") == librarySIO && p.Text("bits") != "256" {
		return errors.New("aes-gcm: library sio supports only 256-bit keys\nhint: leave out bits, or use --set " +
			"aes-gcm.library=gcm")
	}
	return nil
}

// buffersOf returns the bytes of a lane's source and destination together.
func buffersOf(p workload.Params) int64 {
	src, dst := bufferSizes(p)
	return int64(src + dst)
}
