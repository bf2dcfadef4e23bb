package judge

import (
	"strings"
	"testing"

	"plimsoll/internal/record"
)

func TestVoidReason(t *testing.T) {
	good := Probe{LatencyBase: 1e-3, LoadUse: record.LoadUse{
		Offered: 100_000, Done: 99_950, Errors: 50, SendLagP99: 40e-6, Useful: .4, BacklogStart: 10, BacklogEnd: 12,
	}}
	for _, c := range []struct {
		name   string
		change func(*Probe)
		reason string
		flag   string
	}{
		{"good", func(*Probe) {}, "", ""},
		{"nothing done", func(p *Probe) { *p = Probe{} }, "no operation was done", ""},
		{"closed load", func(p *Probe) { *p = Probe{LoadUse: record.LoadUse{Done: 10}} }, "", ""},
		{"closed load with errors", func(p *Probe) { *p = Probe{LoadUse: record.LoadUse{Done: 10, Errors: 1}} }, "1 of 11 operations failed", ""},
		{"late against the base latency", func(p *Probe) { p.SendLagP99 = 51e-6 }, "send lag p99 is 0.051 ms, over 5 % of 1 ms", ""},
		{"in time for the SLO", func(p *Probe) { p.SendLagP99, p.SLO = 400e-6, 10e-3 }, "", ""},
		{"late against the SLO", func(p *Probe) { p.SendLagP99, p.SLO, p.LatencyBase = 600e-6, 10e-3, 1 }, "over 5 % of 10 ms", ""},
		{"no limit known", func(p *Probe) { p.SendLagP99, p.LatencyBase = 1, 0 }, "", ""},
		{"generator busy", func(p *Probe) { p.Useful = .51 }, "", "51 % of its time was useful"},
		{"generator loaded", func(p *Probe) { p.Useful = .81 }, "81 % of its time was useful, over 80 %", ""},
		{"at the limits", func(p *Probe) { p.Useful, p.Errors, p.Done, p.SendLagP99 = .5, 99, 99_000, 50e-6 }, "", ""},
		{"errors", func(p *Probe) { p.Errors = 101 }, "101 of 100051 operations failed", ""},
		{"not done", func(p *Probe) { p.Done = 98_999 }, "98999 of 100000 offered operations were done", ""},
		{"one under way of few", func(p *Probe) { *p = Probe{LoadUse: record.LoadUse{Offered: 28, Done: 27}} }, "", ""},
		{"three missing of few", func(p *Probe) { *p = Probe{LoadUse: record.LoadUse{Offered: 28, Done: 25}} }, "25 of 28 offered", ""},
		{"backlog grew", func(p *Probe) { p.BacklogEnd = 400 }, "the backlog grew from 10 to 400", ""},
		{"backlog at an instant", func(p *Probe) { p.BacklogEnd = 100 }, "", ""},
		{"backlog within scatter", func(p *Probe) {
			*p = Probe{LoadUse: record.LoadUse{Offered: 1000, Done: 1000, BacklogStart: 1, BacklogEnd: 6}}
		}, "", ""},
		{"backlog shrank", func(p *Probe) { p.BacklogStart = 900 }, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := good
			c.change(&p)
			reason, flags := VoidReason(p)
			if (reason == "") != (c.reason == "") || !strings.Contains(reason, c.reason) {
				t.Errorf("reason %q, want %q", reason, c.reason)
			}
			if len(flags) > 1 || (len(flags) == 1) != (c.flag != "") || !strings.Contains(strings.Join(flags, ""), c.flag) {
				t.Errorf("flags %q, want %q", flags, c.flag)
			}
		})
	}
}
