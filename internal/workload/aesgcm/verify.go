package aesgcm

import (
	"bytes"
	"errors"
	"fmt"
)

// verify checks what the lane's last operation left behind. The whole
// ciphertext must give the lane's plaintext when decrypted by other code, the
// destination must hold its last block (or that of the plaintext, when
// opening), and the library must refuse the ciphertext with one bit changed.
func (l *lane) verify() error {
	plain := make([]byte, l.size)
	l.plain(plain)
	stream, err := l.stream(plain)
	if err != nil {
		return fmt.Errorf("encrypt again: %w", err)
	}
	got, err := l.codec.reference(stream)
	if err != nil {
		return fmt.Errorf("decrypt by other code: %w", err)
	}
	if !bytes.Equal(got, plain) {
		return errors.New("ciphertext decrypts to something other than the plaintext")
	}
	out := stream
	if l.opens {
		out = plain
	}
	if !bytes.HasPrefix(l.buffers.dst, lastBlock(out, len(l.buffers.dst))) {
		return errors.New("output of the last operation differs from what it must be")
	}
	return l.refuses(stream)
}

// stream is the whole ciphertext of the last operation.
func (l *lane) stream(plain []byte) ([]byte, error) {
	if l.opens {
		return bytes.Clone(l.buffers.src), nil
	}
	if !bytes.Equal(plain, l.buffers.src) {
		return nil, errors.New("plaintext was changed during the trial")
	}
	out := make([]byte, l.sealed)
	return out, l.codec.encrypt(out, plain)
}

// lastBlock is the end of out that is left in a block of this size after all
// of out was read through it.
func lastBlock(out []byte, block int) []byte {
	n := len(out) % block
	if n == 0 {
		n = block
	}
	return out[len(out)-n:]
}

// refuses checks that the library does not open stream, which it changes, with
// one bit of its middle flipped.
func (l *lane) refuses(stream []byte) error {
	stream[len(stream)/2] ^= 1
	if _, err := l.codec.decrypt(stream); err == nil {
		return errors.New("the library opens a ciphertext in which a bit was changed")
	}
	return nil
}
