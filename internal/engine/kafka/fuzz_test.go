package kafka

import (
	"strings"
	"testing"
)

// FuzzJoin takes anything for what two brokers say of their places: what is accepted stands in a line of the settings,
// and is one address there.
func FuzzJoin(f *testing.F) {
	f.Add(`{"address":"192.0.2.1","controller":1,"peers":2,"client":3}`, `{"address":"fe80::1%eth0","certificate":"c"}`,
		"zone a", 0)
	f.Add(`{"address":"192.0.2.1"}`, `{"address":"fe80::1%x\nprocess.roles=broker"}`, "", 0)
	f.Add(`{"address":"::1","rack":"r"}`, `{"address":"192.0.2.2"}`, "", 2)
	f.Fuzz(func(t *testing.T, first, second, zone string, racks int) {
		l, err := Join(1, []string{first, second}, []string{zone, zone}, racks%8)
		if err != nil {
			return
		}
		in := l.inner()
		if len(in.peers) != 2 || len(l.Seeds()) != 2 {
			t.Fatalf("%+v", in)
		}
		for i, p := range l.Places {
			if said := in.peers[i].String() + in.controllers[0].String() + p.Rack; strings.ContainsAny(said, "\r\n\\") ||
				strings.ContainsAny(in.peers[i].String(), " ,'\"@") {
				t.Fatalf("%q", said)
			}
		}
	})
}

// FuzzSettings reads anything as settings: each is a line of its own, which none that plimsoll sets begins.
func FuzzSettings(f *testing.F) {
	f.Add("num.io.threads=16\n# a comment\n log.dirs = /x")
	f.Add("a=b\\\nc=d")
	f.Add("a=b\rbroker.id=7")
	f.Add("a = \r b\u0085=c")
	f.Fuzz(func(t *testing.T, text string) {
		settings, err := parseSettings(text)
		if err != nil {
			return
		}
		for _, s := range settings {
			for _, k := range kept() {
				if strings.HasPrefix(s.name, k) {
					t.Fatalf("%q is set", s.name)
				}
			}
			if s.name == "" || strings.ContainsAny(s.name+s.value, "\r\n\\") {
				t.Fatalf("%q=%q", s.name, s.value)
			}
		}
	})
}
