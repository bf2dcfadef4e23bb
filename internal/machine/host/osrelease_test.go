package host

import (
	"testing"

	"plimsoll/internal/machine/host/hosttest"
)

func FuzzOSRelease(f *testing.F) {
	hosttest.Seed(f, []string{"/etc/os-release"}, `PRETTY_NAME="a\`, `PRETTY_NAME='`, `PRETTY_NAME="\""`)
	f.Fuzz(func(t *testing.T, b []byte) {
		if name, err := parseOSRelease(b); len(name) > len(b) || err != nil && name != "" {
			t.Errorf("%q, %v", name, err)
		}
	})
}

func TestParseOSRelease(t *testing.T) {
	for in, want := range map[string]string{
		"ID=x\nPRETTY_NAME=Alpine\n":            "Alpine",
		`PRETTY_NAME="a \"b\" \$c"`:             `a "b" $c`,
		`PRETTY_NAME='single \x'`:               `single \x`,
		"PRETTY_NAME=\"unbalanced\nVERSION=1\n": `"unbalanced`,
	} {
		if got, err := parseOSRelease([]byte(in)); err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", in, got, err, want)
		}
	}
	if _, err := parseOSRelease([]byte("ID=x\n")); err == nil {
		t.Error("no PRETTY_NAME must be an error")
	}
}
