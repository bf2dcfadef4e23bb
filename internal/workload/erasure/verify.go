package erasure

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/reedsolomon"
)

// samples is how many bytes of each parity shard the reference computes.
const samples = 1024

// Verify checks what the last operation left: the data must be the lane's, the
// parity what the library says and, in a sample of its bytes, what the reference
// says. Then one operation more must mend what it writes, or find what it checks.
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
	encoder, err := plainEncoder(l.data, len(l.shards)-l.data)
	if err != nil {
		return err
	}
	if ok, err := encoder.Verify(l.shards); err != nil || !ok {
		return errors.Join(errors.New("the library's check refuses the parity"), err)
	}
	return l.sampled()
}

// plainEncoder is the library with nothing chosen.
func plainEncoder(data, parity int) (reedsolomon.Encoder, error) {
	return reedsolomon.New(data, parity)
}

// dataIsOurs draws the data again.
func (l *lane) dataIsOurs() error {
	random, want := l.source(), make([]byte, len(l.shards[0]))
	for i, shard := range l.shards[:l.data] {
		if _, err := io.ReadFull(random, want); err != nil {
			return err
		}
		if !bytes.Equal(shard, want) {
			return fmt.Errorf("data shard %d is not what it was, or was rebuilt wrongly", i)
		}
	}
	return nil
}

// sampled computes bytes of the parity in plain Go: the first and the last, and
// some between.
func (l *lane) sampled() error {
	f, size := newField(), len(l.shards[0])
	step := max(1, size/samples|1) // odd: meets every position within a vector
	for x := l.data; x < len(l.shards); x++ {
		weights := f.weights(l.data, x)
		for at := 0; at < size; at = next(at, step, size) {
			var want byte
			for i, w := range weights {
				want ^= f.times(w, l.shards[i][at])
			}
			if got := l.shards[x][at]; got != want {
				return fmt.Errorf("byte %d of parity shard %d is %#02x, and %#02x by the reference", at, x-l.data, got, want)
			}
		}
	}
	return nil
}

// next is the sample after at; the last one is the shard's last byte.
func next(at, step, size int) int {
	if at < size-1 {
		return min(at+step, size-1)
	}
	return size
}

// works damages what an operation writes or checks, and does one.
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
			return errors.New("verify accepts parity in which a bit was changed")
		}
		return nil
	}
	if err != nil {
		return err
	}
	return l.intact()
}
