package aesgcm

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/minio/sio"
)

// readBlock is the unit, in bytes, in which a stream is read: the block of MinIO's erasure coder (blockSizeV2),
// which reads its encrypted streams.
const readBlock = 1 << 20

// sioVersion is the version of minio/sio that this build is made with.
const sioVersion = "v0.4.1"

// dare runs minio/sio on objects of one size.
type dare struct {
	key      []byte
	nonce    nonce
	object   bytes.Reader
	src, dst []byte
}

func newDARE(m material, b *buffers) (codec, error) {
	return &dare{key: m.key, nonce: m.nonce, src: b.src, dst: b.dst}, nil
}

// sealing returns the configuration of MinIO's newEncryptReader, except for the nonce.
func (c *dare) sealing() sio.Config {
	return sio.Config{Key: c.key, MinVersion: sio.Version20, CipherSuites: suites(), Nonce: (*[nonceSize]byte)(&c.nonce)}
}

// opening returns the configuration of MinIO's newDecryptReaderWithObjectKey.
func (c *dare) opening() sio.Config {
	return sio.Config{Key: c.key, CipherSuites: suites()}
}

// suites returns MinIO's fips.CipherSuitesDARE outside FIPS mode: the first one encrypts.
func suites() []byte { return []byte{sio.AES_256_GCM, sio.CHACHA20_POLY1305} }

func (c *dare) seal(n int) error {
	for range n {
		c.nonce.next()
		c.object.Reset(c.src)
		r, err := sio.EncryptReader(&c.object, c.sealing())
		if err != nil {
			return fmt.Errorf("encrypt a stream of %d bytes: %w", len(c.src), err)
		}
		if err := drain(r, c.dst); err != nil {
			return fmt.Errorf("encrypt a stream of %d bytes: %w", len(c.src), err)
		}
	}
	return nil
}

func (c *dare) open(n int) error {
	for range n {
		c.object.Reset(c.src)
		r, err := sio.DecryptReader(&c.object, c.opening())
		if err != nil {
			return fmt.Errorf("decrypt a stream of %d bytes: %w", len(c.src), err)
		}
		if err := drain(r, c.dst); err != nil {
			return fmt.Errorf("decrypt a stream of %d bytes: %w", len(c.src), err)
		}
	}
	return nil
}

// drain reads all of r through block, block after block.
func drain(r io.Reader, block []byte) error {
	for {
		_, err := io.ReadFull(r, block)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (c *dare) encrypt(stream, plain []byte) error {
	r, err := sio.EncryptReader(bytes.NewReader(plain), c.sealing())
	if err != nil {
		return err
	}
	if _, err := io.ReadFull(r, stream); err != nil {
		return err
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return errors.New("stream is longer than sio.EncryptedSize says")
	}
	return nil
}

func (c *dare) decrypt(stream []byte) ([]byte, error) {
	r, err := sio.DecryptReader(bytes.NewReader(stream), c.opening())
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func (c *dare) reference(stream []byte) ([]byte, error) { return openDARE(c.key, stream) }
