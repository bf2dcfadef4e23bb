package render

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"plimsoll/internal/present/media/term"
	"plimsoll/internal/record/block"
)

func envOf(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestStyleOffTerminal(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	env := envOf(map[string]string{"TERM": "xterm-256color"})
	want := term.Style{Dumb: true, Width: 100}
	if got := term.NewStyle(f, env); got != want {
		t.Errorf("a file: %+v, want %+v", got, want)
	}
	if got := term.NewStyle(&bytes.Buffer{}, env); got != want {
		t.Errorf("a buffer: %+v, want %+v", got, want)
	}
}

func TestStyleOnTerminal(t *testing.T) {
	tty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal here: %v", err)
	}
	defer tty.Close()
	for _, c := range []struct {
		env     map[string]string
		columns uint16
		want    term.Style
	}{
		{map[string]string{"TERM": "xterm"}, 132, term.Style{Color: true, Last: true, Width: 132}},
		{map[string]string{"TERM": "xterm"}, 0, term.Style{Color: true, Last: true, Width: 100}},
		{map[string]string{"TERM": "xterm", "NO_COLOR": "1"}, 80, term.Style{Last: true, Width: 80}},
		{map[string]string{"TERM": "xterm", "NO_COLOR": ""}, 80, term.Style{Color: true, Last: true, Width: 80}},
		{map[string]string{"TERM": "dumb"}, 80, term.Style{Dumb: true, Last: true, Width: 80}},
	} {
		size := unix.Winsize{Row: 24, Col: c.columns}
		if err := unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &size); err != nil {
			t.Fatal(err)
		}
		if got := term.NewStyle(tty, envOf(c.env)); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.env, got, c.want)
		}
	}
}

func TestCutAndWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{{"abc", 3, "abc"}, {"abcdef", 5, "ab..."}, {"日本語日本", 8, "日本..."}} {
		if got := block.Cut(c.text, c.width); got != c.want {
			t.Errorf("cut(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
	got := term.Wrap("takes 17.2% less, unbreakableword", 9)
	want := []string{"takes", "17.2%", "less,", "unbreakableword"}
	if len(got) != len(want) {
		t.Fatalf("wrap: %q, want %q", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("wrap: %q, want %q", got, want)
		}
	}
}
