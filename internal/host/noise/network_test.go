package noise

import (
	"os"
	"path/filepath"
	"testing"

	"plimsoll/internal/host/hostfs"
	"plimsoll/internal/record"
)

// dev is /proc/net/dev of a machine with a container's bridge.
const dev = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 108108397 1031589    0    0    0     0          0         0 108108397 1031589    0    0    0     0       0          0
  eth0: 169237504    9480    0    0    0     0          0         0   670195    6398    0    0    0     0       0          0
eth0:1:       7       1    0    0    0     0          0         0        8       1    0    0    0     0       0          0
`

func TestNetDev(t *testing.T) {
	got, err := parseNetDev([]byte(dev))
	want := []Counters{{"lo", 108108397, 108108397}, {"eth0", 169237504, 670195}, {"eth0:1", 7, 8}}
	if err != nil || len(got) != len(want) || got[0] != want[0] || got[1] != want[1] || got[2] != want[2] {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for _, bad := range []string{"a\nb\nlo 1 2 3\n", "a\nb\nlo: 1 2 3\n", "a\nb\nlo: x 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n"} {
		if got, err := parseNetDev([]byte(bad)); err == nil {
			t.Errorf("%q: got %v, want an error", bad, got)
		}
	}
}

// TestNetworkBetween: the busiest interface and its speed; one that is new, or was made anew, is not counted.
func TestNetworkBetween(t *testing.T) {
	root := hostfs.Root{Sys: t.TempDir()}
	if err := os.MkdirAll(filepath.Join(root.Sys, "class/net/eth1"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root.Sys, "class/net/eth1/device"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root.Sys, "class/net/eth1/speed"), []byte("25000\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := []Counters{{"lo", 10, 10}, {"eth0", 5, 5}, {"eth1", 100, 100}, {"gone", 1, 1}, {"reset", 900, 900}}
	after := []Counters{{"lo", 40, 40}, {"eth0", 15, 25}, {"eth1", 400, 110}, {"reset", 5, 5}, {"new", 5000, 5000}}
	got, ok := NetworkBetween(root, before, after)
	want := record.NetworkUse{Interface: "eth1", ReceivedBytes: 300, SentBytes: 10, Mbit: 25000, LoopbackBytes: 30}
	if !ok || got != want {
		t.Errorf("got %+v, %v, want %+v", got, ok, want)
	}
	if got, ok := NetworkBetween(root, before, before); ok {
		t.Errorf("nothing moved, and it is %+v", got)
	}
}

func FuzzNetDev(f *testing.F) {
	f.Add([]byte(dev))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := parseNetDev(b)
		if err != nil && all != nil {
			t.Errorf("%v beside an error", all)
		}
	})
}
