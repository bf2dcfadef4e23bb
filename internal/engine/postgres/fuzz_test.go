package postgres

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzPlace takes anything for what the other host of a cluster says of itself: what is accepted ends no statement, no
// line and no word of a connection string.
func FuzzPlace(f *testing.F) {
	verifier, err := verifierOf("secret")
	if err != nil {
		f.Fatal(err)
	}
	f.Add("192.0.2.1:5432", verifier)
	f.Add("[fe80::1%eth0]:5432", verifier)
	f.Add("[fe80::1%' user='other]:5432", verifier)
	f.Add("[::1]:5432", "SCRAM-SHA-256$1:a$b:c\n")
	f.Fuzz(func(t *testing.T, address, verifier string) {
		text, err := json.Marshal(Place{address, verifier})
		if err != nil {
			t.Fatal(err)
		}
		var p Place
		if err := json.Unmarshal(text, &p); err != nil || p.Check() != nil {
			return
		}
		if p.Port() < 0 || strings.ContainsAny(p.Address+p.Verifier, "\r\n\\'\" ;") {
			t.Fatalf("%+v", p)
		}
	})
}
