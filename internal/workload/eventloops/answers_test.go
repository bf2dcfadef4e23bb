package eventloops

import (
	"strings"
	"testing"

	"plimsoll/internal/client/httpload"
)

// TestFewest: a server that makes up statuses does not fill a trial's line.
func TestFewest(t *testing.T) {
	got := fewest(map[string]int64{"400": 5, "401": 4, "402": 3, "403": 2, "404": 1, "405": 1})
	if len(got) != 5 || got["400"] != 5 || got["403"] != 2 || got[others] != 2 {
		t.Error(got)
	}
	if n := len(short("GET /" + strings.Repeat("ä", 100))); n > 70 {
		t.Errorf("a line of %d bytes", n)
	}
	var s httpload.Stats
	for i := range s.Statuses {
		s.Statuses[i] = 1
	}
	a := Answers(s, nil)
	if len(a.Statuses) != maxStatuses+1 || a.Statuses[others] != int64(len(s.Statuses)-maxStatuses) {
		t.Errorf("%d statuses, %d others", len(a.Statuses), a.Statuses[others])
	}
}
