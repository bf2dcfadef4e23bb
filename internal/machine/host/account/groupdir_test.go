package account

import (
	"slices"
	"testing"
)

func TestParsePids(t *testing.T) {
	if got, err := parsePids([]byte("12\n0\n7\n12\n")); err != nil || !slices.Equal(got, []int{12, 7, 12}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"x\n", "-3\n"} {
		if _, err := parsePids([]byte(text)); err == nil {
			t.Errorf("took %q for a process", text)
		}
	}
}

func FuzzPids(f *testing.F) {
	f.Add([]byte("12\n0\n7\n12\n"))
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = parsePids(b) })
}
