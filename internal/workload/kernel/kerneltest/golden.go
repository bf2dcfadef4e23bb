package kerneltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const goldenDigests = "testdata/digests.txt"

// Golden compares lines with testdata/digests.txt, which it rewrites if update is set.
func Golden(t *testing.T, got []string, update bool) {
	t.Helper()
	if update {
		if err := os.MkdirAll(filepath.Dir(goldenDigests), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(goldenDigests, []byte(strings.Join(got, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(goldenDigests)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(got) != len(want) {
		t.Errorf("%d digests, want %d", len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			t.Errorf("got  %s\nwant %s", got[i], want[i])
		}
	}
}
