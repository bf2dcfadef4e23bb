package trialset

import (
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

func TestOverAllowance(t *testing.T) {
	over := record.Trial{Network: &record.NetworkUse{
		Exceeded: map[string]int64{"linklocal_allowance_exceeded": 2, "bw_in_allowance_exceeded": 30}}}
	const want = "network traffic exceeded an allowance of the instance type: inbound bandwidth (packets queued or " +
		"dropped: " +
		"30), packets/s to local services (packets queued or dropped: 2)"
	if got := note.Texts(Fleet{}.Doubts(over)); len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
	}
	for _, quiet := range []record.Trial{{}, {Network: &record.NetworkUse{Interface: "eth0", SentBytes: 1e9}}} {
		if got := (Fleet{}).Doubts(quiet); len(got) != 0 {
			t.Errorf("%v of %+v", got, quiet.Network)
		}
	}
}
