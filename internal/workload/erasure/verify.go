package erasure

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/reedsolomon"
)

// samples is the number of bytes of each parity shard that the reference computes.
const samples = 1024

// Verify checks the shards after the last operation: the data must be the lane's, and the parity must agree with the
// library's check and, for a sample of its bytes, with the reference. Then one more operation must repair its
// output, or detect a flipped bit.
func (l *lane) Verify() error {
	if err := l.intact(); err != nil {
		return err
	}
	return l.works()
}

func (l *lane) intact() error {
	if err := l.dataIsOurs(); err != nil {
		return err
	}
	return l.agrees()
}

// agrees reports whether the parity is that of the data.
func (l *lane) agrees() error {
	encoder, err := plainEncoder(l.data, len(l.shards)-l.data)
	if err != nil {
		return err
	}
	if ok, err := encoder.Verify(l.shards); err != nil || !ok {
		return errors.Join(errors.New("the library's check rejects the parity"), err)
	}
	return l.sampled()
}

// plainEncoder returns the library's encoder without options.
func plainEncoder(data, parity int) (reedsolomon.Encoder, error) {
	return reedsolomon.New(data, parity)
}

// dataIsOurs draws the data again and compares.
func (l *lane) dataIsOurs() error {
	random, want := l.source(), make([]byte, len(l.shards[0]))
	for i, shard := range l.shards[:l.data] {
		if _, err := io.ReadFull(random, want); err != nil {
			return err
		}
		if !bytes.Equal(shard, want) {
			return fmt.Errorf("data shard %d was changed or rebuilt wrongly", i)
		}
	}
	return nil
}

// sampled computes bytes of the parity in plain Go: the first, the last, and some between.
func (l *lane) sampled() error {
	f, size := newField(), len(l.shards[0])
	step := max(1, size/samples|1) // odd: covers every position within a vector
	for x := l.data; x < len(l.shards); x++ {
		weights := f.weights(l.data, x)
		for at := 0; at < size; at = next(at, step, size) {
			var want byte
			for i, w := range weights {
				want ^= f.times(w, l.shards[i][at])
			}
			if got := l.shards[x][at]; got != want {
				return fmt.Errorf("byte %d of parity shard %d is %#02x, want %#02x by the reference",
					at, x-l.data, got, want)
			}
		}
	}
	return nil
}

// next returns the position of the sample after at; the last one is the shard's last byte.
func next(at, step, size int) int {
	if at < size-1 {
		return min(at+step, size-1)
	}
	return size
}

// works damages the shards that an operation writes or checks, and runs one.
func (l *lane) works() error {
	first := l.shards[l.data:]
	if l.op == opReconstruct {
		first = l.shards[:l.lost]
	}
	last := first[len(first)-1]
	last[len(last)/2] ^= 1
	err := l.Run(1)
	if l.op == opVerify {
		last[len(last)/2] ^= 1
		if err == nil {
			return errors.New("verify accepts parity with a flipped bit")
		}
		return nil
	}
	if err != nil {
		return err
	}
	return l.agrees() // the data was the lane's a moment ago, and drawing it anew takes longer than all the rest
}
