package input

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// TestStoppableEndsWhileItWaits: nobody ever writes to the pipe.
func TestStoppableEndsWhileItWaits(t *testing.T) {
	silent, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("why")
	time.AfterFunc(time.Millisecond, func() { cancel(why) })
	if text, err := io.ReadAll(Stoppable(ctx, silent)); len(text) > 0 || !errors.Is(err, why) {
		t.Errorf("%q, %v", text, err)
	}
}

func TestStoppableReadsAll(t *testing.T) {
	text := strings.Repeat("x", 3*mostAtOnce+1)
	got, err := io.ReadAll(Stoppable(t.Context(), strings.NewReader(text)))
	if err != nil || string(got) != text {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if err := iotest.TestReader(Stoppable(t.Context(), strings.NewReader("text")), []byte("text")); err != nil {
		t.Error(err)
	}
}
