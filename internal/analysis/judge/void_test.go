package judge

import (
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
)

func TestTrust(t *testing.T) {
	good := trialset.Kept{LoadUse: record.LoadUse{
		Offered: 100_000, Done: 99_950, Errors: 50, SendLagP99: 40e-6, Useful: .4, BacklogStart: 10, BacklogEnd: 12,
	}}
	for _, c := range []struct {
		name   string
		change func(*trialset.Kept)
		reason string
		flag   string
		over   bool
	}{
		{"good", func(*trialset.Kept) {}, "", "", false},
		{"nothing done", func(p *trialset.Kept) { *p = trialset.Kept{} }, "no operation completed", "", false},
		{"nothing done of what was due", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Offered: 9, Useful: .97}}
		}, "none of 9 offered operations completed, and the generator was 97% busy", "", false},
		{"nobody answered while transactions stay open", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Clients: 16, Starved: 16, First: "no complete answer within the timeout"},
				Connections: &record.Connections{All: 5, Open: 4.9}}
		}, "none of 16 clients got an answer; first: no complete answer within the timeout; 5 of the service's 5 " +
			"connections to PostgreSQL are idle in a transaction", "", false},
		{"closed load", func(p *trialset.Kept) { *p = trialset.Kept{LoadUse: record.LoadUse{Done: 10}} }, "", "", false},
		{"closed load with errors", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Done: 10, Errors: 1}}
		}, "1 of 11 operations failed", "", false},
		{"late", func(p *trialset.Kept) { p.SendLagP99 = 1 }, "",
			"operations were sent up to 1 s late at p99", false},
		{"a little late", func(p *trialset.Kept) { p.SendLagP99 = .009 }, "", "", false},
		{"as late as the machine lets any thread be", func(p *trialset.Kept) { p.SendLagP99, p.ControlP99 = .05, .04 }, "",
			"", false},
		{"generator busy", func(p *trialset.Kept) { p.Useful = .51 }, "", "generator was 51% busy", false},
		{"generator loaded", func(p *trialset.Kept) { p.Useful = .81 }, "generator was 81% busy, over the limit of 80%", "",
			false},
		{"at the limits", func(p *trialset.Kept) { p.Useful, p.Errors, p.Done, p.SendLagP99 = .5, 99, 99_000, 50e-6 }, "", "",
			false},
		{"errors of a server that refuses at once", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Errors: 9, ErrorsBy: map[string]int64{"status": 9},
				First: "an answer of status 401", Useful: 0.95}}
		}, "9 of 9 operations failed, over 0.1%: 9 status; first: an answer of status 401", "", false},
		{"errors", func(p *trialset.Kept) { p.Errors = 101 }, "101 of 100051 operations failed", "", false},
		{"errors by class", func(p *trialset.Kept) {
			p.Errors, p.ErrorsBy = 300, map[string]int64{"closed": 20, "connect": 20, "status": 260}
		}, "300 of 100250 operations failed, over 0.1%: 260 status, 20 closed, 20 connect", "", false},
		{"not done", func(p *trialset.Kept) { p.Done = 98_999 }, "98999 of 100000 offered operations completed", "", true},
		{"one under way of few", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Offered: 28, Done: 27}}
		}, "", "", false},
		{"three missing of few", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Offered: 28, Done: 25}}
		}, "25 of 28 offered", "", true},
		{"backlog grew", func(p *trialset.Kept) { p.BacklogEnd = 400 }, "the backlog grew from 10 to 400", "", true},
		{"not done for want of lanes", func(p *trialset.Kept) { p.Done, p.SendLagP99 = 98_999, .5 },
			"the generator has too few workers", "", true},
		{"a stall at the end of a short window", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Offered: 210, Done: 201, BacklogEnd: 9}, WindowS: .7}
		}, "", "", false},
		{"a generator that was late by as much as is missing", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Offered: 210, Done: 190, LateS: map[string]float64{"p99": .1}},
				WindowS: .7}
		}, "", "", false},
		{"a generator that was late by less", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Offered: 210, Done: 170, LateS: map[string]float64{"p99": .1}},
				WindowS: .7}
		}, "170 of 210", "", true},
		{"more than a stall", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Offered: 210, Done: 190}, WindowS: .7}
		}, "190 of 210", "", true},
		{"a backlog of more than a stall", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Offered: 40_000, Done: 39_800, BacklogEnd: 120}, WindowS: 20}
		}, "the backlog grew from 0 to 120", "", true},
		{"a backlog of records that linger", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Offered: 2600, Done: 2565, BacklogStart: 25, BacklogEnd: 60, HeldS: .1},
				WindowS: 4}
		}, "", "", false},
		{"a backlog of more than lingers", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Offered: 2600, Done: 2590, BacklogStart: 25, BacklogEnd: 130, HeldS: .1},
				WindowS: 4}
		}, "the backlog grew from 25 to 130", "", true},
		{"as many lingered at the start", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Offered: 2600, Done: 2590, BacklogStart: 65, BacklogEnd: 130, HeldS: .1},
				WindowS: 4}
		}, "the backlog grew from 65 to 130", "", true},
		{"backlog at an instant", func(p *trialset.Kept) { p.BacklogEnd = 100 }, "", "", false},
		{"backlog within scatter", func(p *trialset.Kept) {
			*p = trialset.Kept{LoadUse: record.LoadUse{Offered: 1000, Done: 1000, BacklogStart: 1, BacklogEnd: 6}}
		}, "", "", false},
		{"backlog shrank", func(p *trialset.Kept) { p.BacklogStart = 900 }, "", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := good
			c.change(&p)
			trust := trialset.TrustIn(p)
			reason, flags := trust.Void, trust.Doubts
			if trust.Over != c.over {
				t.Errorf("over %t", trust.Over)
			}
			if (reason == "") != (c.reason == "") || !strings.Contains(reason, c.reason) {
				t.Errorf("reason %q, want %q", reason, c.reason)
			}
			if len(flags) > 1 || (len(flags) == 1) != (c.flag != "") ||
				!strings.Contains(strings.Join(note.Texts(flags), ""), c.flag) {
				t.Errorf("flags %q, want %q", flags, c.flag)
			}
		})
	}
}

// A search begins with what a closed load has carried, and not with what failed under it.
func TestCapacityIsNotOfErrors(t *testing.T) {
	closed := func(errors int64) record.Trial {
		return record.Trial{Load: record.LoadPoint{Kind: record.Closed},
			Generator: &record.LoadUse{Done: 1000, Errors: errors, Useful: .9}, Void: "void",
			Values: []record.Value{{Metric: record.Metric{Name: record.Throughput}, Value: 500}}}
	}
	if got := loadline.CapacityOf([]record.Trial{closed(0)}); got != 500 {
		t.Errorf("%g of a closed load whose generator was loaded itself", got)
	}
	if got := loadline.CapacityOf([]record.Trial{closed(500)}); got != 0 {
		t.Errorf("%g of a closed load of which a third failed", got)
	}
}

// TestStatedErrors: what other tools count as errors voids a trial as ours do.
func TestStatedErrors(t *testing.T) {
	ops := measured(record.Throughput, "op/s", record.Higher, 999)
	failed := func(name, unit string, v float64) change { return measured(name, unit, record.Lower, v) }
	for name, c := range map[string]struct {
		changes []change
		void    string
		doubt   bool
	}{
		"none":                 {[]change{ops}, "", false},
		"a share at the limit": {[]change{failed(record.Failed, "%", .1)}, "", false},
		"a share": {[]change{failed(record.Failed, "%", 60)}, "60.0% of operations failed, over 0.1%",
			false},
		"a small share":   {[]change{failed(record.Failed, "%", .11)}, "0.11% of", false},
		"a rate":          {[]change{ops, failed(record.Errors, "op/s", 1.1)}, "0.11% of", false},
		"a rate below it": {[]change{ops, failed(record.Errors, "op/s", .9)}, "", false},
		"a number of so many": {[]change{failed(record.Operations, "", 90), failed(record.Errors, "", 10)},
			"10.0% of", false},
		"a number of all in a window": {[]change{ops, failed(record.Errors, "op", 999),
			func(t *record.Trial) { t.DurationS = 10 }}, "9.1% of", false},
		"a number of nobody knows":  {[]change{failed(record.Errors, "", 10)}, "", true},
		"a number beside the share": {[]change{failed(record.Errors, "", 10), failed(record.Failed, "%", .01)}, "", false},
		"no errors":                 {[]change{failed(record.Errors, "", 0)}, "", false},
		"counted": {[]change{func(t *record.Trial) {
			t.Generator = &record.LoadUse{Done: 40, Errors: 60, ErrorsBy: map[string]int64{"status": 50, "socket": 10}}
		}}, "60.0% of operations failed, over 0.1%: 50 status, 10 socket", false},
	} {
		got := trialset.TrustStated(trial("m1", 0, 1, c.changes...))
		if (c.void == "") != (got.Void == "") || !strings.HasPrefix(got.Void, c.void) || (len(got.Doubts) > 0) != c.doubt {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestErrorsOfOneSide: a side that states no errors had none.
func TestErrorsOfOneSide(t *testing.T) {
	trials := alter(session(5, .05, .005), on("m2"), measured(record.Failed, "%", record.Lower, .05))
	got, err := Compare(trials, nil, plans(nil), Options{})
	if err != nil || len(got.Pairs[0].Warnings) > 0 {
		t.Fatalf("%+v, %v", got.Pairs[0].Warnings, err)
	}
	v := got.Pairs[0].Verdicts[1]
	if v.Metric != record.Failed || v.A != 0 || math.Abs(v.B-.05) > 1e-9 || v.N != 5 {
		t.Errorf("%+v", v)
	}
	one := Show(append(trials[:1:1], trial("m1", 7, 1e9, measured(record.Failed, "%", record.Lower, .08))), nil,
		plans(nil))
	if c := one.Workloads[1]; c.Metric != record.Failed || math.Abs(c.Value-.04) > 1e-9 || c.N != 2 {
		t.Errorf("%+v", c)
	}
}
