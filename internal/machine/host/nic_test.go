package host

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"plimsoll/internal/machine/host/hosttest"
	"plimsoll/internal/record"
)

func FuzzDriver(f *testing.F) {
	hosttest.Seed(f, []string{"/sys/class/net/eth0/device/uevent"}, "DRIVER=ena\nPCI_CLASS=20000\n", "DRIVER=", "\nDRIVER")
	f.Fuzz(func(t *testing.T, b []byte) {
		if got := parseDriver(b); strings.ContainsAny(got, "\n") || !bytes.Contains(b, []byte(got)) {
			t.Errorf("%q", got)
		}
	})
}

func TestNICs(t *testing.T) {
	got := nics(hosttest.Tree(t, map[string]string{
		"class/net/ens5/device/uevent": "DRIVER=ena\nPCI_CLASS=20000",
		"class/net/ens5/address":       "02:00:00:00:00:01",
		"class/net/ens5/speed":         "25000",
		"class/net/ens5/mtu":           "9001",
		"class/net/ens5/operstate":     "up",
		"class/net/eth1/device/uevent": "PCI_CLASS=20000",
		"class/net/eth1/operstate":     "down",
		"class/net/eth1/speed":         "-1",
		"class/net/eth1/mtu":           "1500",
		"class/net/docker0/mtu":        "1500",
	}))
	want := []record.NIC{{Name: "ens5", Driver: "ena", Mbit: 25000, MTU: 9001, Up: true}, {Name: "eth1", MTU: 1500}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
