package detached

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// beat is what a command line that is carried out elsewhere sends among its words, each beatEvery, so that who waits
// for it knows that it is there. It is no character of a text.
const (
	beat      = 0
	beatEvery = 5 * time.Second
)

// Limits on what answers from elsewhere.
const (
	silence  = 20 * time.Second // without a sign of life
	patience = time.Hour        // with beats alone
	maxWords = 64 << 20         // bytes of output that is printed
	turns    = 10               // into which silence is divided: a suspension of this process passes one of them
)

// Beat sends beats until the returned function is called.
func Beat(to io.Writer) (stop func()) {
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(beatEvery)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				if _, err := to.Write([]byte{beat}); err != nil {
					return
				}
			}
		}
	}()
	return func() { close(done) }
}

// watched ends a context if what is on the other side says nothing for too long, or too much.
type watched struct {
	end     context.CancelCauseFunc
	silence time.Duration
	most    int64 // bytes of words; 0: any number
	said    atomic.Int64
	signs   atomic.Int64 // of life: words and beats
	busy    atomic.Int64 // writes on this side, which may wait for a disk
}

// watch waits until the context ends.
func (w *watched) watch(ctx context.Context) {
	turn := time.NewTicker(w.silence / turns)
	defer turn.Stop()
	var signs, said int64
	for silent, wordless := 0, time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-turn.C:
		}
		silent, wordless = silent+1, wordless+w.silence/turns
		if now := w.signs.Load(); now != signs || w.busy.Load() > 0 {
			signs, silent = now, 0
		}
		if now := w.said.Load(); now != said || w.busy.Load() > 0 {
			said, wordless = now, 0
		}
		switch {
		case silent > turns:
			w.end(fmt.Errorf("it said nothing for %v; ended\nhint: is the same version of plimsoll there, and is the host "+
				"reached without a prompt?", w.silence))
		case wordless > patience:
			w.end(fmt.Errorf("it did not get on for %v; ended", patience))
		}
	}
}

// writer passes words on to w, without beats if it has some.
func (w *watched) writer(to io.Writer, beats bool) io.Writer { return &watchedWriter{w, to, beats} }

type watchedWriter struct {
	*watched
	to    io.Writer
	beats bool
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	w.signs.Add(1)
	words := p
	if w.beats && bytes.IndexByte(p, beat) >= 0 {
		words = bytes.ReplaceAll(p, []byte{beat}, nil)
	}
	if len(words) == 0 {
		return len(p), nil
	}
	if said := w.said.Add(int64(len(words))); w.most > 0 && said > w.most {
		err := fmt.Errorf("it says more than %d MiB; ended", w.most>>20)
		w.end(err)
		return 0, err
	}
	w.busy.Add(1)
	defer w.busy.Add(-1)
	if _, err := w.to.Write(words); err != nil {
		return 0, err
	}
	return len(p), nil
}
