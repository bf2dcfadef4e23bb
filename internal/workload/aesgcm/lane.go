package aesgcm

import (
	"errors"

	"plimsoll/internal/workload"
	"plimsoll/internal/workload/kernel"
)

// codec applies a library to one lane's source and destination.
type codec interface {
	seal(n int) error // n times: encrypts the source with a new nonce
	open(n int) error // n times: decrypts the source

	// encrypt writes plain's ciphertext under the nonce of the last seal.
	encrypt(stream, plain []byte) error
	// decrypt opens a stream made by encrypt with the library itself.
	decrypt(stream []byte) ([]byte, error)
	// reference opens it with independent code.
	reference(stream []byte) ([]byte, error)
}

// lane is one thread of load.
type lane struct {
	codec   codec
	buffers *buffers
	opens   bool
	run     func(n int) error // codec.seal or codec.open
	size    int               // bytes of plaintext of one operation
	sealed  int               // bytes of its ciphertext
	plain   func([]byte)      // fills its argument with the lane's plaintext
}

// newLane makes lane i and its data on the calling thread, ready for its first operation.
func newLane(p workload.Params, seed uint64, i int) (*lane, error) {
	src, dst := bufferSizes(p)
	b, err := newBuffers(src, dst)
	if err != nil {
		return nil, err
	}
	data := newMaterial(p, seed, i)
	l := &lane{buffers: b, opens: p.Text("op") == opOpen, size: p.Int("size"), sealed: sealedSize(p), plain: data.plain}
	newCodec := newGCM
	if p.Text("library") == librarySIO {
		newCodec = newDARE
	}
	l.codec, err = newCodec(data, b)
	if err == nil {
		err = l.fill()
	}
	if err != nil {
		return nil, errors.Join(err, b.free())
	}
	return l, nil
}

// fill writes the operation's input into the source.
func (l *lane) fill() error {
	l.run = l.codec.seal
	if !l.opens {
		l.plain(l.buffers.src)
		return nil
	}
	l.run = l.codec.open
	plain := make([]byte, l.size)
	l.plain(plain)
	return l.codec.encrypt(l.buffers.src, plain)
}

// Run does n operations.
func (l *lane) Run(n int) error { return l.run(n) }

// Verify checks the output of the last operation.
func (l *lane) Verify() error { return l.verify() }

// Free returns the lane's memory.
func (l *lane) Free() error { return l.buffers.free() }

// buffers is one lane's memory.
type buffers struct {
	memory   *kernel.Memory
	src, dst []byte
}

// newBuffers maps a source and a destination of these lengths in bytes and
// touches every page from the calling thread.
func newBuffers(src, dst int) (*buffers, error) {
	m, err := kernel.Map(src, dst)
	if err != nil {
		return nil, err
	}
	return &buffers{m, m.Parts[0], m.Parts[1]}, nil
}

func (b *buffers) free() error {
	b.src, b.dst = nil, nil
	return b.memory.Free()
}
