package aesgcm

import (
	"github.com/minio/sio"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// material is all the data of a lane that is drawn from the seed.
type material struct {
	key   []byte
	nonce nonce        // salted, count 0
	plain func([]byte) // fills its argument with the lane's plaintext, the same each time
}

// newMaterial draws lane i's material. The same seed gives the same bytes on
// every architecture.
func newMaterial(p workload.Params, seed uint64, i int) material {
	random := kernel.Random(seed, i, "plimsoll aes-gcm")
	m := material{key: make([]byte, keyBytes(p))}
	random.Read(m.key)
	random.Read(m.nonce[:4])
	m.plain = func(out []byte) {
		from := *random
		from.Read(out)
	}
	return m
}

func keyBytes(p workload.Params) int {
	if p.Text("bits") == "128" {
		return 16
	}
	return 32
}

// bufferSizes returns the lengths of a lane's source and destination in bytes. Output of sio is read through a
// block, as MinIO does: see readBlock.
func bufferSizes(p workload.Params) (src, dst int) {
	plain := p.Int("size")
	sealed := sealedSize(p)
	if p.Text("op") == opOpen {
		src, dst = sealed, plain
	} else {
		src, dst = plain, sealed
	}
	if p.Text("library") == librarySIO {
		dst = min(dst, readBlock)
	}
	return src, dst
}

// sealedSize returns the bytes of ciphertext that one operation makes or opens.
func sealedSize(p workload.Params) int {
	plain := p.Int("size")
	if p.Text("library") == librarySIO {
		n, _ := sio.EncryptedSize(uint64(plain)) // fails only above 256 TiB
		return int(n)
	}
	return plain + tagSize
}
