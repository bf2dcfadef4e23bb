package fault

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"plimsoll/internal/machine/host/cputime"
)

func TestParse(t *testing.T) {
	if all, err := ParseList("kill@25%", Kill); len(all) != 1 || all[0] != (Fault{Kill, .25}) || err != nil {
		t.Errorf("%v %v", all, err)
	}
	if all, err := ParseList(None, Kill); len(all) > 0 || err != nil {
		t.Errorf("%v %v", all, err)
	}
	all, err := ParseList("kill@25%,add@60%", Kill, Add)
	if err != nil || len(all) != 2 || all[1] != (Fault{Add, .6}) {
		t.Errorf("%v %v", all, err)
	}
	if _, err := ParseList("add@60%", Kill); err == nil {
		t.Error("a server was added where none can be")
	}
	for _, text := range []string{"", "kill@20%,", "kill", "kill@", "kill@50", "kill@0%", "kill@100%", "kill@NaN%",
		"stop@50%"} {
		if _, err := ParseList(text, Kill); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

// TestIntended: what is to happen happens no earlier than it should, and its error is Wait's.
func TestIntended(t *testing.T) {
	failed := errors.New("not killed")
	var happened int64
	r := Intend(t.Context(), func(context.Context) (err error) {
		happened, err = cputime.Monotonic()
		return errors.Join(err, failed)
	})
	defer r.Close()
	if err := r.Wait(t.Context()); err == nil || !strings.Contains(err.Error(), "the window never began") {
		t.Errorf("%v", err)
	}
	now, err := cputime.Monotonic()
	if err != nil {
		t.Fatal(err)
	}
	at := now + int64(20*time.Millisecond)
	r.At(at)
	if err := r.Wait(t.Context()); !errors.Is(err, failed) || !r.Over() || happened < at {
		t.Errorf("%v at %d, due at %d", err, happened, at)
	}
	// Who waits for one that lasts is let go with his own context.
	lasting := Intend(t.Context(), func(ctx context.Context) error { <-ctx.Done(); return context.Cause(ctx) })
	lasting.At(now)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := lasting.Wait(gone); !errors.Is(err, context.Canceled) || lasting.Over() {
		t.Errorf("%v", err)
	}
	lasting.Close()
	lasting.Close()
	if !lasting.Over() {
		t.Error("it goes on")
	}
}
