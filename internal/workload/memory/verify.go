package memory

import (
	"errors"
	"fmt"
)

// Verify recomputes, chunk by chunk, everything that the lane wrote, from a source drawn again.
func (l *lane) Verify() error {
	written := l.at
	if l.whole {
		written = len(l.a)
	}
	if written == 0 {
		return errors.New("nothing was written")
	}
	const n = chunk / 8
	b, c := make([]float64, n), make([]float64, min(n, len(l.c)))
	drawn(l.source(), b, c)
	for at := 0; at < written; at += n {
		if at > 0 {
			b[0] = float64(at / n)
		}
		if at > 0 && len(c) > 0 {
			c[0] = float64(at / n)
		}
		if err := compare(l.a[at:at+n], b, c, at); err != nil {
			return err
		}
	}
	return nil
}

// compare checks a chunk that begins with element at.
func compare(got, b, c []float64, at int) error {
	for i := range got {
		want := b[i]
		if len(c) > 0 {
			want += factor * c[i]
		}
		if got[i] != want {
			return fmt.Errorf("element %d is %v, want %v", at+i, got[i], want)
		}
	}
	return nil
}
