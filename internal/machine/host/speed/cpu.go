// Package speed measures a host's speed for a forecast, in about a second.
package speed

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// referenceRate is the bytes/s that one idle thread of the reference machine compresses (median of 9 runs).
const referenceRate = 36e6

// Each speed is the median of several windows: on shared machines single ones differ by a factor of two.
const (
	windows = 7
	window  = 60 * time.Millisecond
	chunk   = 64 << 10 // bytes of one call
)

// text returns bytes with the repetitions of source code: branches and memory accesses, unlike a hash's arithmetic, as
// databases, brokers and compilers have them.
func text() []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	words := make([][]byte, 512)
	for i := range words {
		w := make([]byte, 2+rng.IntN(9))
		for j := range w {
			w[j] = byte('a' + rng.IntN(26))
		}
		words[i] = append(w, ' ')
	}
	var out bytes.Buffer
	for out.Len() < chunk {
		out.Write(words[min(rng.IntN(512), rng.IntN(512))])
	}
	return out.Bytes()[:chunk]
}

// rate returns the bytes/s that n threads compress together.
func rate(ctx context.Context, n int) (float64, error) {
	input := text()
	var all []float64
	for range windows {
		r, err := rateIn(ctx, n, input)
		if err != nil {
			return 0, err
		}
		all = append(all, r)
	}
	slices.Sort(all)
	return all[windows/2], nil
}

func rateIn(ctx context.Context, n int, input []byte) (float64, error) {
	var done atomic.Int64
	var all sync.WaitGroup
	errs := make([]error, n)
	began := time.Now()
	for i := range n {
		all.Go(func() {
			errs[i] = compress(ctx, input, began.Add(window), &done)
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return 0, err
		}
	}
	return float64(done.Load()) / time.Since(began).Seconds(), nil
}

func compress(ctx context.Context, input []byte, end time.Time, done *atomic.Int64) error {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.DefaultCompression)
	if err != nil {
		return fmt.Errorf("measure the CPU's speed: %w", err)
	}
	for time.Now().Before(end) {
		if err := ctx.Err(); err != nil {
			return err
		}
		out.Reset()
		w.Reset(&out)
		if _, err := w.Write(input); err != nil {
			return fmt.Errorf("measure the CPU's speed: %w", err)
		}
		if err := w.Close(); err != nil {
			return fmt.Errorf("measure the CPU's speed: %w", err)
		}
		done.Add(chunk)
	}
	return nil
}
