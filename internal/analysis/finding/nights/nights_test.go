package nights

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"plimsoll/internal/analysis/changepoint"
	"plimsoll/internal/analysis/history"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

// made returns the history of a cell on a machine: 20 nights, from the twelfth on 6% lower, with another kernel.
func made(machine, load string, control *history.Side) history.History {
	h := history.History{Followed: history.Followed{ID: machine + load, Title: "http · " + load + " · path=/hello",
		Workload: "http", Machine: machine, Metric: record.Throughput, Unit: "op/s", Better: record.Higher},
		Control: control, Searched: 20, Changes: []history.Suspected{}}
	for i := range 20 {
		n := history.Night{File: fmt.Sprintf("n%02d", i), Began: fmt.Sprintf("2026-03-%02dT02:00:00Z", i+1),
			Estimate: estimate.Estimate{Value: 1000}, N: 5, State: "done", Changed: []string{}}
		lo, hi := 990.0, 1010.0
		n.Lo, n.Hi = &lo, &hi
		ratio := 1.0
		if i >= 11 {
			n.Value, lo, hi, ratio = 940, 930, 950, .94
		}
		rlo, rhi := ratio-.01, ratio+.01
		n.Ratio = &history.Ratio{Estimate: figure.Between(rlo, rhi).Around(ratio), N: 5}
		h.Nights = append(h.Nights, n)
	}
	h.Nights[11].Changed = []string{"kernel: 6.1 -> 6.12"}
	c := history.Suspected{Change: changepoint.Change{At: 11, Before: 1000, After: 940, P: .001},
		Began: h.Nights[11].Began, File: "n11", Ratio: .94, Changed: h.Nights[11].Changed}
	if control != nil {
		c.Before, c.After = 1, .94
	}
	h.Changes = append(h.Changes, c)
	return h
}

func document(of ...history.History) history.Document {
	return history.Document{Format: history.Format, By: "machine", Sessions: 20, Alpha: .01, Histories: of,
		LeftOut: []history.LeftOut{{File: "x", Reason: "a run writes it"}}}
}

// words returns the words of a document, a line for each sentence and row.
func words(sections []block.Section) string {
	var b strings.Builder
	for _, s := range sections {
		fmt.Fprintln(&b, "#", s.Title, s.Fixed)
		for _, of := range s.Blocks {
			switch of := of.(type) {
			case block.Sentence:
				fmt.Fprintln(&b, of.Lead, of.Text)
			case block.Table:
				for _, row := range of.Rows {
					var texts []string
					for _, c := range row {
						texts = append(texts, c.Text)
					}
					fmt.Fprintln(&b, strings.Join(texts, " | "))
				}
			case block.Section:
				b.WriteString(words([]block.Section{of}))
			}
		}
	}
	return b.String()
}

func holds(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing in\n%s", w, text)
		}
	}
}

// TestOneHistory: what changed when, the change of the machine in that night, each night, and what was left out.
func TestOneHistory(t *testing.T) {
	text := words(Sections(document(made("a", "8 clients", nil)), false, false))
	holds(t, text, "worse http, 8 clients, path=/hello on a: -6.0% from 2026-03-12 on (night 12 of 20); that night "+
		"too: kernel: 6.1 -> 6.12\n",
		"but in a history without a change one is suspected with a probability of 1%; plimsoll compare of two "+
			"nights decides\n",
		"2026-03-12 | a | http, 8 clients, path=/hello | -6.0% | 1.000k requests/s | 0.9400k requests/s | kernel: "+
			"6.1 -> 6.12\n",
		"2026-03-12 | n11 | 0.9400k requests/s | 5 | -6.0% | -7.0% to -5.0% | suspected change: -6.0%; kernel: "+
			"6.1 -> 6.12\n",
		"left out a run writes it: x\n")
}

// TestNeither: a metric that is better neither way changes, and is neither better nor worse.
func TestNeither(t *testing.T) {
	h := made("a", "8 clients", nil)
	h.Better = record.Neutral
	holds(t, words(Sections(document(h), false, false)),
		"changed http, 8 clients, path=/hello on a: -6.0% from 2026-03-12 on")
}

// TestAgainstControl: ratios have no unit, and the control is named.
func TestAgainstControl(t *testing.T) {
	side := &history.Side{ID: "http at 8 clients, path=/base", Title: "http · 8 clients · path=/base"}
	text := words(Sections(document(made("a", "8 clients", side)), false, false))
	holds(t, text, "| -6.0% | 1.000 | 0.940 |", "throughput against http · 8 clients · path=/base")
}

// TestHugeRatios: a value of another order is a factor, and not a percentage of many digits.
func TestHugeRatios(t *testing.T) {
	hi := 2e300
	lo := .5
	ratio, sure := ratioTexts(&history.Ratio{Estimate: figure.Between(lo, hi).Around(1e300)})
	if ratio != "1e+300 times" || sure != "-50.0% to 2e+300 times" {
		t.Errorf("%q, %q", ratio, sure)
	}
}

// TestOneEvent: the changes of one night are one sentence, and names leave out what all histories share.
func TestOneEvent(t *testing.T) {
	d := document(made("a", "8 clients", nil), made("a", "16 clients", nil), made("b", "8 clients", nil))
	d.Histories[2].Changes[0].Ratio = .95
	text := words(Sections(d, false, false))
	holds(t, text, "worse 3 histories of a; b: -6.0% to -5.0% from 2026-03-12 on; that night too: kernel: 6.1 -> 6.12\n",
		"so by chance in about 0.0 of 3",
		"2026-03-12 | b | http, 8 clients | -5.0% |", "2026-03-12 | b | kernel: 6.1 -> 6.12\n")
}

// TestQuiet: a document without a change says so, and one without histories how to have some.
func TestQuiet(t *testing.T) {
	h := made("a", "8 clients", nil)
	h.Changes = []history.Suspected{}
	holds(t, words(Sections(document(h), false, false)),
		"steady no change of level is suspected in 1 history of 20 sessions\n")
	h.Searched = 5
	holds(t, words(Sections(document(h), false, false)),
		"but no history has the 10 nights in which a change can be seen\n")
	holds(t, words(Sections(document(h), false, false)), "too short no change of level is suspected in 1 history")
	holds(t, words(Sections(document(), false, false)), "no benchmark was measured twice in 20 sessions; --by type ")
}

// TestDrawing: all nights with their intervals, the levels around a change, dates, and the word of a mark.
func TestDrawing(t *testing.T) {
	h := made("a", "8 clients", nil)
	ch, ok := chartOf(h, "name", "id")
	if !ok || len(ch.Lines) != 3 || len(ch.Lines[2].Y) != 20 || ch.Lines[2].Notes[0].Text != "kernel" ||
		ch.X.Ticks[0].Text != "2026-03-01" || ch.Y.Unit != "k requests/s" {
		t.Fatalf("%+v", ch)
	}
	if before, after := ch.Lines[0], ch.Lines[1]; before.X[1] != 10 || before.Y[0] != 1 || after.X[0] != 11 ||
		after.Y[0] != .94 {
		t.Errorf("%+v, %+v", before, after)
	}
	if lo, hi := float64(ch.Y.Lo), float64(ch.Y.Hi); lo < .9 || lo > .93 || hi < 1.01 || hi > 1.05 {
		t.Errorf("the axis is from %g to %g", lo, hi)
	}
}

// TestRowsAreBounded: a screen shows some rows, says how many more there are, and all of them if it is asked to.
func TestRowsAreBounded(t *testing.T) {
	var d history.Document
	for i := range mostRows + 5 {
		d.Histories = append(d.Histories, made(fmt.Sprint("m", i), "8 clients", nil))
	}
	text := words(Sections(d, false, true))
	holds(t, text, "5 histories more: --all", "5 more: --all")
	if all := words(Sections(d, true, true)); strings.Contains(all, "--all") || strings.Count(all, "m34") < 3 {
		t.Error(all)
	}
}

// A history without a control says that the machine was busier, if more of its runs were disturbed from then on.
func TestBusier(t *testing.T) {
	disturbed := func(h history.History, before, since int) history.History {
		for i := range h.Nights {
			h.Nights[i].Runs, h.Nights[i].Disturbed = 10, before
			if i >= 11 {
				h.Nights[i].Disturbed = since
			}
		}
		return h
	}
	for _, c := range []struct {
		name          string
		control       *history.Side
		before, since int
		want          string
	}{
		{"busier", nil, 1, 6, "; the machine was busier then: 54 of 90 runs disturbed, 11 of 110 before"},
		{"as busy", nil, 5, 6, ""},
		{"quiet", nil, 0, 0, ""},
		{"quieter", nil, 6, 1, ""},
		{"with a control", &history.Side{}, 1, 6, ""},
	} {
		h := disturbed(made("a", "8 clients", c.control), c.before, c.since)
		if got := busier(h, 11); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if words := nightWords(h, 12); c.since > 0 &&
			!strings.Contains(words, fmt.Sprintf("%d of 10 runs disturbed", c.since)) {
			t.Errorf("%s: %q", c.name, words)
		}
	}
}

// TestLastNight: a last night unlike those before it is no steady history, though no change can be seen yet. One that
// is not in the document's last night is none.
func TestLastNight(t *testing.T) {
	h := made("a", "8 clients", nil)
	h.Changes, h.Last = []history.Suspected{}, h.Nights[19].Began
	lo, hi := 1.4, 1.6
	h.Newest = &history.Ratio{Estimate: figure.Between(lo, hi).Around(1.5), N: 19}
	text := words(Sections(document(h), false, false))
	holds(t, text,
		"last night http, 8 clients, path=/hello on a: +50.0% against the nights before (95%: +40.0% to +60.0%)\n")
	same := made("b", "8 clients", nil)
	same.Changes, same.Last, same.Newest = []history.Suspected{}, h.Last, same.Nights[0].Ratio
	holds(t, words(Sections(document(h, same), false, false)), "1 of 2 histories are off, about 0.1 by chance\n")
	h.Control = &history.Side{ID: "x", Title: "y"}
	d := document(h)
	holds(t, words(Sections(d, false, false)), "on a: ratio to its control +50.0% against the nights before (95%: ")
	d.To = "2026-03-21T02:00:00Z"
	if text := words(Sections(d, false, false)); strings.Contains(text, "last night http") {
		t.Error(text)
	}
}

// TestFailing: what fails or is missing leads, and nothing is steady then.
func TestFailing(t *testing.T) {
	h := made("a", "8 clients", nil)
	h.Changes, h.Nights[19].Failed = []history.Suspected{}, 2
	d := document(h)
	last := "2026-03-17T02:00:00Z"
	d.Failing = []history.Failing{{Title: "w · once", Machine: "a", Last: last, Nights: 3, Runs: 15, Failed: 15},
		{Title: "v", Machine: "a", Last: last, Nights: 2}, {Title: "u", Machine: "a", Nights: 1, Runs: 1, Failed: 1},
		{Title: "t", Machine: "a", Last: last, Runs: 5, Failed: 4}}
	text := words(Sections(d, false, false))
	holds(t, text, "failed w, once on a: no valid run since 2026-03-17 (3 nights, 15 failed runs)\n",
		"missing v on a: not measured since 2026-03-17 (2 nights)\n",
		"failed u on a: no valid run in 1 night (1 failed run); 1 more: --all\n",
		"otherwise no change of level is suspected in 1 history of 20 sessions\n", "2 of 7 runs failed")
	if strings.Contains(text, "steady") {
		t.Error(text)
	}
	holds(t, words(Sections(d, true, false)), "failed t on a: 4 of 5 runs of its last night failed\n")
}

// TestLevelsWithoutRatio: what rises from 0, or falls below it, has no change in percent.
func TestLevelsWithoutRatio(t *testing.T) {
	h := made("a", "8 clients", nil)
	c := &h.Changes[0]
	c.Before, c.After, c.Ratio, c.Better = 0, 1500, math.NaN(), true
	holds(t, words(Sections(document(h), false, false)),
		"better http, 8 clients, path=/hello on a: 0k requests/s to 1.500k requests/s from 2026-03-12 on",
		"2026-03-12 | a | http, 8 clients, path=/hello | – | 0k requests/s | 1.500k requests/s |",
		"suspected change: 0k requests/s to 1.500k requests/s; kernel")
}
