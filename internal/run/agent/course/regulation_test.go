package course

import (
	"encoding/json"
	"math"
	"testing"

	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
	"plimsoll/internal/workload"
)

// regulationOf classifies 128 operations in flight on a disk after a warm-up.
func regulationOf(stepNs int64, bytes, ios []int64, warmup float64) *record.Regulation {
	tracks := []workload.Track{{Name: record.SeriesDiskBytes, StepNs: stepNs, Values: bytes},
		{Name: record.SeriesDiskIOs, StepNs: stepNs, Values: ios}}
	r, ok := RegulationIn(tracks, warmup, record.LoadPoint{Kind: record.Closed, Level: 128, Unit: record.ParamClients},
		false)
	if !ok {
		return nil
	}
	return Recorded(r, nil)
}

func TestRegulationOfATimeline(t *testing.T) {
	bytes, ios := make([]int64, 3000), make([]int64, 3000)
	for i := range bytes {
		if i%100 < 20 {
			bytes[i], ios[i] = 1<<20, 64
		}
	}
	r := regulationOf(1e6, bytes, ios, 1)
	if r == nil || r.Class != stat.Quantum || math.Abs(*r.PeriodS-.1) > 1e-9 || *r.QuantumBytes != 20<<20 ||
		r.IOBytes != 16<<10 || r.BucketBytes != nil || r.InFlight != 2<<20 {
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

// TestWhatTheLoadDoes: the bytes in flight and the time without CPU come from the load, an offered rate keeps nothing
// in flight, and a shallower load is kept beside the deep one.
func TestWhatTheLoadDoes(t *testing.T) {
	bytes, ios, unseen := make([]int64, 3000), make([]int64, 3000), make([]int64, 3000)
	for i := range bytes {
		if i%100 < 20 {
			bytes[i], ios[i] = 1<<20, 64
		} else {
			unseen[i] = 1e6
		}
	}
	tracks := []workload.Track{{Name: record.SeriesDiskBytes, StepNs: 1e6, Values: bytes},
		{Name: record.SeriesDiskIOs, StepNs: 1e6, Values: ios}}
	deep := record.LoadPoint{Kind: record.Closed, Level: 1024, Unit: record.ParamClients}
	r, ok := RegulationIn(tracks, 0, deep, false)
	if n, _, more := r.Shallower(); !ok || r.Class != stat.Bursts || r.InFlight != 16<<20 || !more || n != 544 {
		t.Errorf("%v %+v", ok, r)
	}
	rate, _ := RegulationIn(tracks, 0, record.LoadPoint{Kind: record.Open, Level: 1024, Unit: record.ParamRate}, false)
	if rate.Class != stat.Quantum || rate.InFlight != 0 {
		t.Errorf("%+v", rate)
	}
	if kept := Recorded(r, &rate); kept.Shallow == nil || kept.Shallow.Class != stat.Quantum || kept.BurstRate != nil {
		t.Errorf("%+v", kept)
	}
	tracks = append(tracks, workload.Track{Name: record.SeriesUnseen, StepNs: 1e6, Values: unseen})
	r, _ = RegulationIn(tracks, 0, deep, false)
	if r.Class != stat.Smooth || math.Abs(r.Unseen-.8) > 1e-9 {
		t.Errorf("%+v", r)
	}
}
