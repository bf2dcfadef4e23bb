package plan

import (
	"reflect"
	"strings"
	"testing"

	"plimsoll/internal/analysis/finding/throttling"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/stat"
)

// diskDecl is a workload that tells how its disk is held back.
func diskDecl() record.Workload {
	d := webDecl()
	d.Name, d.Timeline = "disk", true
	d.Params[0].Default = "32"
	d.Params[2].Choices = []string{"poisson", record.Uniform}
	return d
}

func safePlan(t *testing.T, change func(*Request)) (record.Plan, error) {
	t.Helper()
	decls := []record.Workload{diskDecl(), webDecl()}
	req := Request{Session: "s", Seed: 3, WarmupS: -1, Replicates: 2, Measure: []Ask{{Workload: "disk"}}}
	if err := req.SafeRate(decls); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&req)
	}
	return Resolve(req, decls, map[string]Target{"": {CPUs: 4}})
}

// diskOf is a trial on a disk that lets rate bytes a second pass; 0: it is not held back.
func diskOf(o record.Order, rate float64) record.Trial {
	s := o.Sides[0]
	t := record.Trial{ID: o.SlotOf(0).ID(), Slot: o.SlotOf(0),
		Load: s.Load,
		Keys: map[string]string{record.KeyWorkload: "disk", record.KeyLoad: s.Load.Key()}}
	t.Values = []record.Value{
		{Metric: record.Metric{Name: record.Throughput, Unit: "B/s", Better: record.Higher}, Value: 1e8}}
	t.Regulation = &record.Regulation{Class: stat.Smooth, Rate: 1e8, IOBytes: 1e4}
	if rate > 0 && o.Capped == 0 {
		quantum := 1e6 // more than twice what is in flight
		t.Regulation.Class, t.Regulation.SafeRate, t.Regulation.SilenceS = stat.Quantum, &rate, &rate
		t.Regulation.QuantumBytes = &quantum
	}
	if rate > 0 && s.Load.Level*1e4 > rate && s.Load.Kind == record.Open {
		t.Void, t.Over = "fell behind", true
	}
	return t
}

func TestSafeRateIsVerifiedInEachReplicate(t *testing.T) {
	p, err := safePlan(t, nil)
	if err != nil || p.DurationS != SafeTimeS || !p.Cells[0].Safe || p.Cells[0].Load.Kind != record.Closed {
		t.Fatalf("%v %+v", err, p)
	}
	var done []record.Trial
	var seen []string
	for o, more := Next(p, done); more && len(done) < 20; o, more = Next(p, done) {
		seen = append(seen, o.Sides[0].Load.Key()+" "+strings.TrimPrefix(o.ID, o.Plan))
		// The second replicate is twice as fast as the first.
		done = append(done, diskOf(o, 1e7*float64(1+3*o.Replicate)))
	}
	want := []string{
		"32 clients -r0-g0-c0-a0", "950/s uniform -r0-g0-c0-s95-a0", "1050/s uniform -r0-g0-c0-s105-a0",
		"32 clients -r1-g0-c0-a0", "1900/s uniform -r1-g0-c0-s95-a0", "2100/s uniform -r1-g0-c0-s105-a0",
	}
	if !reflect.DeepEqual(seen, want) {
		t.Errorf("%q", seen)
	}
	for cut := range done {
		o, more := Next(p, done[:cut])
		if !more || o.ID != done[cut].ID || o.Sides[0].Load != done[cut].Load {
			t.Errorf("resumed after %d: %v %+v", cut, more, o)
		}
	}
	shown := judge.Show(done, nil, []record.PlanLine{{Hash: Hash(p), Plan: p}})
	if len(shown.Workloads) != 1 || shown.Workloads[0].N != 2 ||
		throttling.KindRegulation.Of(shown.Workloads[0]).Verified == nil {
		t.Errorf("%+v", shown.Workloads)
	}
}

func TestNothingToVerify(t *testing.T) {
	p, err := safePlan(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	var done []record.Trial
	for o, more := Next(p, done); more && len(done) < 20; o, more = Next(p, done) {
		done = append(done, diskOf(o, 0))
	}
	if len(done) != 2 {
		t.Errorf("%d trials of a disk that is not held back, want the replicates alone", len(done))
	}
}

// TestACappedTrialThatFails is tried once more, and then left.
func TestACappedTrialThatFails(t *testing.T) {
	p, err := safePlan(t, func(r *Request) { r.Replicates = 1 })
	if err != nil {
		t.Fatal(err)
	}
	var done []record.Trial
	for o, more := Next(p, done); more && len(done) < 20; o, more = Next(p, done) {
		d := diskOf(o, 1e7)
		if o.Capped == trialset.BelowSafe {
			d.Void, d.Over = "the generator was late", false
		}
		done = append(done, d)
	}
	if len(done) != 4 || done[2].Attempt != 1 || done[3].Capped != trialset.AboveSafe {
		t.Errorf("%d trials: %+v", len(done), done)
	}
	if n := Follow(p).Remaining(nil).Trials; n != 3 {
		t.Errorf("%d orders remain at the start, want 3", n)
	}
}

func TestSafeRatesRefused(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Request)
		want   string
	}{
		"a rate": {func(r *Request) { r.Measure[0].Set = map[string]string{"rate": "9", "clients": "0"} },
			"disk.rate is set, but the safe rate"},
		"a line": {func(r *Request) {
			r.Measure[0].Search, r.Measure[0].Set = NewSearch(false, nil, false), map[string]string{"clients": "0"}
		}, "cannot search for both"},
		"no device": {func(r *Request) {
			r.Measure[0].Workload = "web"
			r.Measure[0].Set = map[string]string{"clients": "3"}
		}, "web has no safe rate"},
	} {
		if _, err := safePlan(t, c.change); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	req := Request{Measure: []Ask{{Workload: "web"}}}
	if err := req.SafeRate([]record.Workload{webDecl()}); err == nil ||
		!strings.Contains(err.Error(), "no measured workload") {
		t.Errorf("%v", err)
	}
}

func TestSuiteAsksForASafeRate(t *testing.T) {
	req, err := ParseSuite("x", []byte("measure: [{workload: disk, load: safe}]"))
	if err != nil || !req.Measure[0].Safe || req.Measure[0].Search != nil {
		t.Errorf("%v %+v", err, req.Measure)
	}
	for _, text := range []string{"measure: [{workload: disk, load: save}]",
		"measure: [{workload: disk, load: safe, slo: {p99: 1ms}}]"} {
		if _, err := ParseSuite("x", []byte(text)); err == nil || !strings.Contains(err.Error(), "not line, sweep or safe") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
