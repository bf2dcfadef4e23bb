package aesgcm

import (
	"bytes"
	"errors"
	"fmt"
)

// verify checks the output of the lane's last operation: the whole ciphertext must decrypt to the lane's plaintext
// by other code, the destination must hold its last block (when opening, the plaintext's), and the library must
// reject the ciphertext with one bit flipped.
func (l *lane) verify() error {
	plain := make([]byte, l.size)
	l.plain(plain)
	stream, err := l.stream(plain)
	if err != nil {
		return fmt.Errorf("encrypt again: %w", err)
	}
	got, err := l.codec.reference(stream)
	if err != nil {
		return fmt.Errorf("decrypt with reference code: %w", err)
	}
	if !bytes.Equal(got, plain) {
		return errors.New("reference code does not decrypt the ciphertext to the plaintext")
	}
	out := stream
	if l.opens {
		out = plain
	}
	if !bytes.HasPrefix(l.buffers.dst, lastBlock(out, len(l.buffers.dst))) {
		return errors.New("the last operation's output is wrong")
	}
	return l.refuses(stream)
}

// stream returns the whole ciphertext of the last operation.
func (l *lane) stream(plain []byte) ([]byte, error) {
	if l.opens {
		return bytes.Clone(l.buffers.src), nil
	}
	if !bytes.Equal(plain, l.buffers.src) {
		return nil, errors.New("plaintext changed during the run")
	}
	out := make([]byte, l.sealed)
	return out, l.codec.encrypt(out, plain)
}

// lastBlock returns the end of out that is left in a block of this size after out was read through it.
func lastBlock(out []byte, block int) []byte {
	n := len(out) % block
	if n == 0 {
		n = block
	}
	return out[len(out)-n:]
}

// refuses checks that the library rejects stream, which it modifies, with one bit in its middle flipped.
func (l *lane) refuses(stream []byte) error {
	stream[len(stream)/2] ^= 1
	if _, err := l.codec.decrypt(stream); err == nil {
		return errors.New("the library opens a ciphertext with a flipped bit")
	}
	return nil
}
