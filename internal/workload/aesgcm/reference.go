package aesgcm

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
)

// referenceAEAD returns an AES-GCM that shares only the block cipher with the measured one: hiding the block's type
// makes Go take its portable GHASH and counter mode instead of the fused assembly.
func referenceAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(struct{ cipher.Block }{block})
}

const (
	dareHeader  = 16
	darePayload = 1 << 16
)

var errDARE = errors.New("not a DARE 2.0 stream of AES-256-GCM")

// openDARE decrypts a whole DARE 2.0 stream without minio/sio, following the format's description (DARE.md in
// minio/sio, and for version 2.0 its dare.go). A package is a header, 1 byte to 64 KiB of payload, and a tag. The
// header is version 0x20, cipher 0, payload length - 1 (2 bytes), and a nonce (12 bytes) whose first bit marks the
// last package. The AEAD's nonce is that one with the package's index XORed into its last four bytes; all numbers
// are little endian.
func openDARE(key, stream []byte) ([]byte, error) {
	aead, err := referenceAEAD(key)
	if err != nil {
		return nil, err
	}
	plain := make([]byte, 0, len(stream))
	for index := uint32(0); ; index++ {
		pkg, rest, err := cutPackage(stream)
		if err != nil {
			return nil, fmt.Errorf("package %d: %w", index, err)
		}
		var n nonce
		copy(n[:], pkg[4:dareHeader])
		binary.LittleEndian.PutUint32(n[8:], binary.LittleEndian.Uint32(n[8:])^index)
		plain, err = aead.Open(plain, n[:], pkg[dareHeader:], pkg[:4])
		if err != nil {
			return nil, fmt.Errorf("package %d: %w", index, err)
		}
		if last := pkg[4]&0x80 != 0; last != (len(rest) == 0) {
			return nil, fmt.Errorf("package %d: %w: the last package is not at the end", index, errDARE)
		}
		if stream = rest; len(stream) == 0 {
			return plain, nil
		}
	}
}

// cutPackage splits a stream into its first package and the rest.
func cutPackage(stream []byte) (pkg, rest []byte, err error) {
	if len(stream) < dareHeader+tagSize+1 || stream[0] != 0x20 || stream[1] != 0 {
		return nil, nil, errDARE
	}
	end := dareHeader + int(binary.LittleEndian.Uint16(stream[2:])) + 1 + tagSize
	if end > len(stream) {
		return nil, nil, fmt.Errorf("%w: cut short", errDARE)
	}
	return stream[:end], stream[end:], nil
}
