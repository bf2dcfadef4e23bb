package usage

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"
)

func TestErrorf(t *testing.T) {
	err := Errorf("reading %s: %w\nhint: give %s", "a", fs.ErrNotExist, "another")
	var e *Error
	if !errors.As(err, &e) || e.Text != "reading a: file does not exist" || e.Hint != "give another" ||
		!errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%#v", err)
	}
	if want := "reading a: file does not exist\nhint: give another"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	if err := Errorf("no file"); err.Error() != "no file" {
		t.Errorf("%q", err)
	}
}

func TestWrap(t *testing.T) {
	plain := fmt.Errorf("disk: %w\nhint: another disk", fs.ErrPermission)
	err := Wrap(plain)
	if err.Error() != plain.Error() || !errors.Is(err, fs.ErrPermission) || !Is(err) || Is(plain) {
		t.Errorf("%#v", err)
	}
	if over := fmt.Errorf("over: %w", err); Wrap(over) != over {
		t.Error("wrong usage was wrapped once more")
	}
	if err := With(fs.ErrExist, "-o OTHER"); err.Error() != "file already exists\nhint: -o OTHER" ||
		!errors.Is(err, fs.ErrExist) {
		t.Errorf("%q", err)
	}
}

func TestUnknown(t *testing.T) {
	known := []string{"memory", "disk"}
	for name, want := range map[string]string{
		"memry": "unknown workload \"memry\"\nhint: did you mean memory?",
		"tpcc":  "unknown workload \"tpcc\"\nhint: there are memory, disk",
	} {
		if got := Unknown("workload", name, known); got.Error() != want || !Is(got) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := Unknown("engine", "x", nil).Error(); got != `unknown engine "x": there is none here` {
		t.Errorf("%q", got)
	}
}

func TestParts(t *testing.T) {
	if text, hint := Parts(errors.New("a\nb\nhint: c")); text != "a\nb" || hint != "c" {
		t.Errorf("%q, %q", text, hint)
	}
	if text, hints := Hints("a\nhint: b\nhint: c"); text != "a" || !slices.Equal(hints, []string{"b", "c"}) {
		t.Errorf("%q, %q", text, hints)
	}
	if text, hints := Hints("a"); text != "a" || len(hints) > 0 {
		t.Errorf("%q, %q", text, hints)
	}
	if got := FirstLine(errors.New("a\nb")); got != "a" {
		t.Errorf("%q", got)
	}
}
