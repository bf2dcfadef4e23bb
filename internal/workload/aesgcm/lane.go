package aesgcm

import (
	"context"
	"errors"
	"math"
	"time"

	"plimsoll/internal/load"
	"plimsoll/internal/workload"
)

// codec is a library at work between one lane's source and destination.
type codec interface {
	seal(n int) error // n times: encrypts the source with a new nonce
	open(n int) error // n times: decrypts the source

	// encrypt writes plain's ciphertext under the nonce of the last seal.
	encrypt(stream, plain []byte) error
	// decrypt is the library's own opening of what encrypt made.
	decrypt(stream []byte) ([]byte, error)
	// reference is the same by other code.
	reference(stream []byte) ([]byte, error)
}

// lane is one thread of load.
type lane struct {
	codec   codec
	buffers *buffers
	opens   bool
	run     func(n int) error // codec.seal or codec.open
	batch   int               // operations between Take and Done
	size    int               // bytes of plaintext of one operation
	sealed  int               // bytes of its ciphertext
	plain   func([]byte)      // fills its argument with the lane's plaintext
}

// newLane makes lane i and its data on the calling thread, ready for its first
// operation.
func newLane(p workload.Params, seed uint64, i int) (*lane, error) {
	src, dst := bufferSizes(p)
	b, err := newBuffers(src, dst)
	if err != nil {
		return nil, err
	}
	data := newMaterial(p, seed, i)
	l := &lane{buffers: b, opens: p.Text("op") == opOpen, size: p.Int("size"), sealed: sealedSize(p), batch: 1, plain: data.plain}
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

// fill puts into the source what the lane's operation reads.
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

// calibrate sets the batch to as many operations as take at least this long,
// by the fastest of several rounds, so that a disturbance cannot shorten it.
func (l *lane) calibrate(atLeast time.Duration) error {
	fastest := time.Duration(math.MaxInt64)
	for n, rounds := 1, 0; rounds < 5; {
		start := time.Now()
		if err := l.run(n); err != nil {
			return err
		}
		took := time.Since(start)
		if took < atLeast {
			n *= 2
			continue
		}
		rounds++
		fastest = min(fastest, took/time.Duration(n))
	}
	l.batch = int((atLeast + fastest - 1) / fastest)
	return nil
}

// Run does batches of operations, each with no allocation of the lane's own.
func (l *lane) Run(ctx context.Context, g *load.Lane) error {
	n, size := int64(l.batch), int64(l.batch)*int64(l.size)
	for ctx.Err() == nil {
		at, ok := g.Take()
		if !ok {
			return nil
		}
		if err := l.run(l.batch); err != nil {
			return err
		}
		g.Done(at, at, n, size)
	}
	return ctx.Err()
}
