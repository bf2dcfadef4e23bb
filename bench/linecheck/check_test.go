package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// ms is a probe with latencies in milliseconds; late is the generator's part.
func ms(load, latency, late float64) probe {
	return probe{load: load, latency: latency / 1e3, late: late / 1e3}
}

func TestSides(t *testing.T) {
	for _, c := range []struct {
		p    probe
		want side
	}{
		{ms(1, 19, 100), within}, // however late
		{ms(1, 20, 0), within},
		{ms(1, 21, 0), above},
		{ms(1, 25, 5), unknown},
		{ms(1, 26, 5), above},
		{probe{load: 1}, unknown}, // failed
		{probe{load: 1, over: true}, above},
	} {
		if got := c.p.of(.02); got != c.want {
			t.Errorf("%+v: %d, want %d", c.p, got, c.want)
		}
	}
}

// TestAgainst: each statement that probes support, and the same after one change of it or of them.
func TestAgainst(t *testing.T) {
	clean := []probe{ms(100, 10, 0), ms(200, 15, 0), ms(290, 19, 0), ms(320, 25, 0), ms(400, 90, 0)}
	fresh := append([]probe{{load: 300, latency: .021, fresh: true}}, clean...)
	broken := append([]probe{{load: 300, latency: .026, fresh: true}}, clean...)
	limit := statement{kind: "limit", at: 300, lo: 280, hi: 330, confirmed: true}
	bracket := statement{kind: "bracket", lo: 200, hi: 400, within: .015, above: .090}
	with := func(s statement, change func(*statement)) statement {
		change(&s)
		return s
	}
	for _, c := range []struct {
		name   string
		s      statement
		probes []probe
		want   string // "": supported
	}{
		{"limit", limit, fresh, ""},
		{"limit outside its interval", with(limit, func(s *statement) { s.at = 340 }), fresh, "is not from 280 to 330"},
		{"wide limit", with(limit, func(s *statement) { s.hi = 450 }), fresh, "is no limit"},
		{"not confirmed", with(limit, func(s *statement) { s.confirmed = false }), fresh, "that no fresh run confirmed"},
		{"confirmed by none", limit, clean, "no fresh run confirmed it"},
		{"confirmed by one over it", limit, broken, "no fresh run confirmed it"},
		{"limit too low", limit, []probe{fresh[0], ms(100, 9, 0), ms(350, 15, 0), ms(380, 16, 0)}, "no probe from 280"},
		{"limit too high", limit, []probe{fresh[0], ms(100, 29, 0), ms(350, 35, 0)}, "no probe up to 330"},
		{"most above are within", limit,
			[]probe{fresh[0], ms(200, 9, 0), ms(350, 15, 0), ms(360, 15, 0), ms(380, 60, 0)}, "2 of 3 probes from 330"},
		{"bracket", bracket, clean, ""},
		{"bracket of another latency", with(bracket, func(s *statement) { s.within = .012 }), clean, "no probe at 200/s"},
		{"bracket of another load", with(bracket, func(s *statement) { s.hi = 500 }), clean, "no probe at 500/s"},
		{"bracket upside down", statement{kind: "bracket", lo: 400, hi: 200, within: .019, above: .09},
			[]probe{ms(400, 19, 0), ms(200, 90, 0)}, "400 is not below 200"},
		{"contradiction not counted", bracket, append([]probe{ms(150, 80, 0)}, clean...),
			"1 probes contradict it, and it says 0"},
		{"contradiction counted", with(bracket, func(s *statement) { s.contrary = 1 }),
			append([]probe{ms(150, 80, 0)}, clean...), ""},
		{"contradicted by most", with(bracket, func(s *statement) { s.contrary = 3 }),
			append([]probe{ms(150, 80, 0), ms(160, 80, 0), ms(170, 80, 0)}, clean...), "3 of 5 probes up to 200/s"},
		{"not handled", with(bracket, func(s *statement) { s.above = 0 }),
			[]probe{ms(200, 15, 0), {load: 400, latency: .5, over: true}}, ""},
		{"doubtful end", bracket, []probe{ms(200, 15, 0), ms(400, 90, 80)}, "no probe at 400/s was over"},
		{"least", statement{kind: "least", at: 400}, []probe{ms(200, 15, 0), ms(400, 18, 0)}, ""},
		{"least of no probe", statement{kind: "least", at: 300}, []probe{ms(200, 15, 0), ms(400, 18, 0)}, "no probe at 300"},
		{"not the highest", statement{kind: "least", at: 200}, []probe{ms(200, 15, 0), ms(400, 18, 0)},
			"1 of 1 probes above it were within the limit, and it states 0"},
		{"not the highest, as stated", statement{kind: "least", at: 200, higher: 1}, []probe{ms(200, 15, 0), ms(400, 18, 0)},
			""},
		{"below", statement{kind: "below", at: 100, above: .05}, []probe{ms(100, 50, 0), ms(200, 60, 0)}, ""},
		{"below of another latency", statement{kind: "below", at: 100, above: .04}, []probe{ms(100, 50, 0)},
			"no probe at 100/s"},
		{"below by one", statement{kind: "below", at: 100, above: .05}, []probe{ms(100, 50, 0), ms(90, 9, 0), ms(80, 9, 0)},
			"2 of 3 probes were within"},
		{"none", statement{kind: "none"}, []probe{ms(100, 50, 40), {load: 200}}, ""},
		{"none after all", statement{kind: "none", reason: "probes-failed"}, []probe{ms(100, 10, 0), ms(200, 50, 0)},
			"(probes-failed), although 1 probes were within the limit and 1 over it"},
	} {
		got := strings.Join(c.s.against(c.probes, .02), "; ")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestShown: what documents state, as plimsoll 2026-11-29 writes them.
func TestShown(t *testing.T) {
	for _, c := range []struct {
		json string
		want statement
	}{
		{`{"findings":[{"kind":"loadline","body":{"statistic":"p50","max_sustained":9}},{"kind":"loadline","body":
			{"statistic":"p99","max_sustained":747,"crossed":true,"one_search":{"lo":599,"hi":931},
			"confirmations":[{"load":747,"confirmed":true}]}}]}`,
			statement{kind: "limit", at: 747, lo: 599, hi: 931, confirmed: true}},
		{`{"findings":[{"kind":"loadline","body":{"statistic":"p99","max_sustained":2000,"crossed":true,
			"one_search":{"lo":1000,"hi":4000},"confirmations":[{"load":500,"confirmed":true}]}}]}`,
			statement{kind: "limit", at: 500, lo: 250, hi: 1000, confirmed: true}},
		{`{"findings":[{"kind":"loadline","body":{"statistic":"p99","max_sustained":97,"at_most":212,"between":
			{"within":{"load":97,"latency":0.01},"above":{"load":212,"latency":null},"contrary":2}}}]}`,
			statement{kind: "bracket", at: 97, lo: 97, hi: 212, within: .01, contrary: 2}},
		{`{"findings":[{"kind":"loadline","body":{"statistic":"p99","max_sustained":97}}]}`,
			statement{kind: "least", at: 97}},
		{`{"findings":[{"kind":"loadline","body":null,"notes":[{"code":"line-below",
			"text":"the limit is below 298.4/s, where latency was 21.9 ms instead of at most 1 ms"}]}]}`,
			statement{kind: "below", at: 298.4, above: .0219}},
		{`{"findings":[{"kind":"loadline","body":null,"notes":[{"code":"line-below-unhandled",
			"text":"the limit is below 1.2e+04/s, which was not handled"}]}]}`, statement{kind: "below", at: 12000}},
		{`{"findings":[{"kind":"loadline","body":null,"notes":[{"code":"probes-in-doubt","text":"7 probes"}]}]}`,
			statement{kind: "none", reason: "probes-in-doubt"}},
		{`{"findings":[]}`, statement{kind: "none", reason: "no finding"}},
	} {
		var d document
		if err := json.Unmarshal([]byte(c.json), &d); err != nil {
			t.Fatal(err)
		}
		if got := d.statement("p99"); got != c.want {
			t.Errorf("%s:\n%+v, want\n%+v", c.json, got, c.want)
		}
	}
}
