package noise

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"plimsoll/internal/base/simtest"
	"plimsoll/internal/machine/host/hostfs"
	"plimsoll/internal/record"
)

// dev is /proc/net/dev of a machine with a container's bridge.
//
//nolint:lll // a raw string
const dev = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 108108397 1031589    0    0    0     0          0         0 108108397 1031589    0    0    0     0       0          0
  eth0: 169237504    9480    0    0    0     0          0         0   670195    6398    0    0    0     0       0          0
eth0:1:       7       1    0    0    0     0          0         0        8       1    0    0    0     0       0          0
`

func TestNetDev(t *testing.T) {
	got, err := parseNetDev([]byte(dev))
	want := []Counters{{Name: "lo", Received: Moved{108108397, 1031589}, Sent: Moved{108108397, 1031589}},
		{Name: "eth0", Received: Moved{169237504, 9480}, Sent: Moved{670195, 6398}},
		{Name: "eth0:1", Received: Moved{7, 1}, Sent: Moved{8, 1}}}
	if err != nil || len(got) != len(want) || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for _, bad := range []string{"a\nb\nlo 1 2 3\n", "a\nb\nlo: 1 2 3\n", "a\nb\nlo: x 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n",
		"a\nb\nlo: 1 -1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n", "a\nb\nlo: 1 1 1 1 1 1 1 1 1 x 1 1 1 1 1 1\n"} {
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
	before := []Counters{moved("lo", 10, 10), moved("eth0", 5, 5), moved("eth1", 100, 100), moved("gone", 1, 1),
		moved("reset", 900, 900)}
	after := []Counters{moved("lo", 40, 40), moved("eth0", 15, 25), moved("eth1", 400, 110), moved("reset", 5, 5),
		moved("new", 5000, 5000)}
	got, ok := NetworkBetween(root, before, after)
	want := record.NetworkUse{Interface: "eth1", ReceivedBytes: 300, SentBytes: 10, ReceivedPackets: 30, SentPackets: 1,
		Mbit: 25000, LoopbackBytes: 30, LoopbackPackets: 3}
	if !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, ok, want)
	}
	after[2].Sent.Packets = 1 // made anew, and as many bytes since
	if got, _ := NetworkBetween(root, before, after); got.Interface != "eth0" || got.SentPackets != 2 {
		t.Errorf("an interface whose packets went back: %+v", got)
	}
	if got, ok := NetworkBetween(root, before, before); ok {
		t.Errorf("nothing moved, and it is %+v", got)
	}
}

// moved has a packet for ten bytes.
func moved(name string, received, sent uint64) Counters {
	return Counters{Name: name, Received: Moved{received, received / 10}, Sent: Moved{sent, sent / 10}}
}

// TestAllowances: counters of exceeded allowances of hardware count, by their rise between two readings; the driver's
// other counters and virtual interfaces do not.
func TestAllowances(t *testing.T) {
	root := hostfs.Root{Proc: t.TempDir(), Sys: t.TempDir()}
	if err := errors.Join(os.MkdirAll(filepath.Join(root.Sys, "class/net/eth0/device"), 0o755),
		os.Mkdir(filepath.Join(root.Proc, "net"), 0o755),
		os.WriteFile(filepath.Join(root.Proc, "net/dev"), []byte(dev), 0o644)); err != nil {
		t.Fatal(err)
	}
	reading := func(out, packets uint64) []Counters {
		got, err := ReadNetwork(root, func(name string) (map[string]uint64, error) {
			if name != "eth0" {
				t.Errorf("the statistics of %s are read", name)
			}
			return map[string]uint64{"bw_out_allowance_exceeded": out, "pps_allowance_exceeded": packets,
				"conntrack_allowance_available": out, "tx_timeout": packets}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got, ok := NetworkBetween(root, reading(7, 3), reading(12, 3))
	if !ok || !reflect.DeepEqual(got.Exceeded, map[string]int64{"bw_out_allowance_exceeded": 5}) {
		t.Errorf("%+v, %v", got, ok)
	}
	broken := errors.New("no such counters")
	if _, err := ReadNetwork(root, func(string) (map[string]uint64, error) { return nil, broken }); !errors.Is(err,
		broken) {
		t.Errorf("%v", err)
	}
}

// TestEthtool reads a real driver: veth counts, the loopback has no statistics.
func TestEthtool(t *testing.T) {
	simtest.Forks(t)
	if simtest.Emulated() {
		t.Skip("qemu-user has no ethtool requests")
	}
	if out, err := exec.Command("ip", "link", "add", "plimsoll-t0", "type", "veth", "peer", "name", "plimsoll-t1").
		CombinedOutput(); err != nil {
		t.Skipf("needs root and iproute2, to make an interface: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("ip", "link", "del", "plimsoll-t0").CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	if got, err := Ethtool("plimsoll-t0"); err != nil || got["peer_ifindex"] == 0 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := Ethtool("lo"); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := Ethtool("plimsoll-none"); err != nil || len(got) != 0 {
		t.Errorf("an interface that has gone: %v, %v", got, err)
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
