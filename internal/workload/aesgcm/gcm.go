package aesgcm

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
)

const (
	nonceSize = 12
	tagSize   = 16
)

// nonce is a lane's salt followed by the number of messages sealed.
type nonce [nonceSize]byte

func (n *nonce) next() {
	binary.LittleEndian.PutUint64(n[4:], binary.LittleEndian.Uint64(n[4:])+1)
}

// gcm runs Go's AES-GCM on messages of one size.
type gcm struct {
	key      []byte
	aead     cipher.AEAD
	nonce    nonce
	extra    [13]byte // additional data, as long as in TLS 1.2 and in Go's own benchmark
	src, dst []byte
}

func newGCM(m material, b *buffers) (codec, error) {
	block, err := aes.NewCipher(m.key)
	if err != nil {
		return nil, fmt.Errorf("make aes cipher: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("make aes-gcm: %w", err)
	}
	return &gcm{key: m.key, aead: aead, nonce: m.nonce, src: b.src, dst: b.dst}, nil
}

func (c *gcm) seal(n int) error {
	for range n {
		c.nonce.next()
		c.aead.Seal(c.dst[:0], c.nonce[:], c.src, c.extra[:])
	}
	return nil
}

func (c *gcm) open(n int) error {
	for range n {
		if _, err := c.aead.Open(c.dst[:0], c.nonce[:], c.src, c.extra[:]); err != nil {
			return fmt.Errorf("open a message of %d bytes: %w", len(c.src), err)
		}
	}
	return nil
}

func (c *gcm) encrypt(stream, plain []byte) error {
	c.aead.Seal(stream[:0], c.nonce[:], plain, c.extra[:])
	return nil
}

func (c *gcm) decrypt(stream []byte) ([]byte, error) {
	return c.aead.Open(nil, c.nonce[:], stream, c.extra[:])
}

func (c *gcm) reference(stream []byte) ([]byte, error) {
	aead, err := referenceAEAD(c.key)
	if err != nil {
		return nil, err
	}
	return aead.Open(nil, c.nonce[:], stream, c.extra[:])
}
