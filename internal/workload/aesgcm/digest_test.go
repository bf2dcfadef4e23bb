package aesgcm

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"plimsoll/internal/record"
)

const goldenDigests = "testdata/digests.txt"

// TestDigests holds every architecture and code path to the same bytes. With
// -update it writes them.
func TestDigests(t *testing.T) {
	var got strings.Builder
	for _, seed := range []uint64{1, 0xfeedfacecafebeef} {
		for _, set := range []record.Params{
			{"library": "gcm", "op": "seal", "bits": "128"},
			{"library": "gcm", "op": "seal", "bits": "256"},
			{"library": "gcm", "op": "open", "bits": "128"},
			{"library": "gcm", "op": "open", "bits": "256"},
			{"library": "sio", "op": "seal", "bits": "256"},
			{"library": "sio", "op": "open", "bits": "256"},
		} {
			for _, size := range []string{"1KiB", "16KiB", "100000B", "2MiB"} {
				d, err := Digest(seed, resolved(t, with(set, "size", size)))
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&got, "%x %s %s %s %s %s\n", seed, set["library"], set["op"], set["bits"], size, d)
			}
		}
	}
	if *update {
		if err := os.WriteFile(goldenDigests, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(goldenDigests)
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, got.String(), string(want))
}

var update = flag.Bool("update", false, "write testdata")

func compareLines(t *testing.T, got, want string) {
	t.Helper()
	g, w := bufio.NewScanner(strings.NewReader(got)), bufio.NewScanner(strings.NewReader(want))
	for g.Scan() {
		if w.Scan(); g.Text() != w.Text() {
			t.Errorf("got  %s\nwant %s", g.Text(), w.Text())
		}
	}
	if w.Scan() {
		t.Errorf("missing %s", w.Text())
	}
}

func TestDigestTellsApart(t *testing.T) {
	seen := map[string]string{}
	for name, set := range every() {
		for _, seed := range []uint64{1, 2} {
			d, err := Digest(seed, resolved(t, set))
			if err != nil {
				t.Fatal(err)
			}
			label := fmt.Sprint(name, " seed ", seed)
			if before, ok := seen[d]; ok {
				t.Errorf("%s and %s have the same digest", before, label)
			}
			seen[d] = label
		}
	}
}
