package catalog

import (
	"slices"
	"testing"
)

// FuzzParseOwn: any bytes are refused or give prices that survive being written
// and read again.
func FuzzParseOwn(f *testing.F) {
	f.Add([]byte("name,usd_per_hour\nc5.large,0.1\n"))
	f.Add([]byte("\ufeffsource,usd_per_hour,name,date\n\"a\r\nb\",1e-3,C5.large,2026-07\n"))
	f.Add([]byte("name,usd_per_hour\n\"c5.large,0.1\n"))
	c, err := Embedded()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		own, err := c.ParseOwn("in", text, "", "")
		if err != nil {
			return
		}
		again, err := c.ParseOwn("out", FormatOwn(own), "", "")
		if err != nil || !slices.Equal(own, again) {
			t.Errorf("%+v was read again as %+v, %v", own, again, err)
		}
	})
}
