package course

import (
	"encoding/json"
	"math"
	"testing"

	"plimsoll/internal/stat"
)

func TestRegulationOfATimeline(t *testing.T) {
	bytes, ios := make([]int64, 3000), make([]int64, 3000)
	for i := range bytes {
		if i%100 < 20 {
			bytes[i], ios[i] = 1<<20, 64
		}
	}
	r := regulationOf(1e6, bytes, ios, 1)
	if r == nil || r.Class != stat.Quantum || math.Abs(*r.PeriodS-.1) > 1e-9 || *r.QuantumBytes != 20<<20 ||
		r.IOBytes != 16<<10 || r.BucketBytes != nil {
		t.Fatalf("%+v", r)
	}
	// A trial's line has 4 KB for all.
	if text, err := json.Marshal(r); err != nil || len(text) > 800 {
		t.Errorf("%v, %d bytes", err, len(text))
	}
	if regulationOf(1e6, bytes, ios[1:], 1) != nil || regulationOf(0, bytes, ios, 1) != nil ||
		regulationOf(1e6, bytes[:20], ios[:20], 1) != nil {
		t.Error("a timeline that says nothing has a regulation")
	}
}

// TestCreditAfterAWarmUp: 12 GB above a baseline of 100 MB/s last 30 s at 500 MB/s, of which the warm-up took ten.
func TestCreditAfterAWarmUp(t *testing.T) {
	bytes, ios := make([]int64, 60_000), make([]int64, 60_000)
	for i := range bytes {
		if bytes[i], ios[i] = 100_000, 10; i < 20_000 {
			bytes[i], ios[i] = 500_000, 50
		}
	}
	r := regulationOf(1e6, bytes, ios, 10)
	if r == nil || r.Class != stat.Credit || math.Abs(*r.ExhaustedS-30) > .1 || math.Abs(*r.BucketBytes/12e9-1) > .01 ||
		math.Abs(*r.SafeBurst/15e9-1) > .01 {
		t.Errorf("%+v", r)
	}
}
