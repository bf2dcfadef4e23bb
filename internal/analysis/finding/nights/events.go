package nights

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"plimsoll/internal/analysis/history"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/block"
)

// event is the suspected changes of one night in one direction.
type event struct {
	day, lead string
	tone      block.Tone
	of        []change
}

// change is a suspected change of a history.
type change struct {
	h history.History
	c history.Suspected
}

// text writes the change as a share or, of levels without a ratio, as both.
func (c change) text() string {
	if math.IsNaN(c.c.Ratio) {
		u := scaleOf(c.h, c.c.Before, c.c.After)
		return levelText(c.h, c.c.Before, u) + " to " + levelText(c.h, c.c.After, u)
	}
	return changeText(c.c.Ratio)
}

// eventsOf returns the events of all histories: those of most histories first, then by the largest change, which
// histories are in the order of.
func eventsOf(d history.Document) []event {
	type key struct{ day, lead string }
	at := map[key]int{}
	var out []event
	for _, h := range d.Histories {
		for _, c := range h.Changes {
			k := key{day(c.Began), direction(h, c)}
			i, ok := at[k]
			if !ok {
				i = len(out)
				at[k] = i
				out = append(out, event{day: k.day, lead: k.lead, tone: tone(h, c)})
			}
			out[i].of = append(out[i].of, change{h, c})
		}
	}
	slices.SortStableFunc(out, func(a, b event) int { return cmp.Compare(len(b.of), len(a.of)) })
	return out
}

func (e event) sentence(names map[string]string) block.Sentence {
	first := e.of[0]
	if len(e.of) == 1 {
		return block.Sentence{Lead: e.lead, Tone: e.tone, Text: fmt.Sprintf("%s on %s: %s from %s on (night %d of %d)%s%s",
			names[keyOf(first.h)], first.h.Machine, first.text(), e.day, first.c.At+1, len(first.h.Nights),
			busier(first.h, first.c.At), also(first.c.Changed))}
	}
	var machines, changed []string
	lo, hi := math.Inf(1), math.Inf(-1)
	plain := 0
	for _, of := range e.of {
		machines = trialset.AppendNew(machines, of.h.Machine)
		for _, text := range of.c.Changed {
			changed = trialset.AppendNew(changed, text)
		}
		if !math.IsNaN(of.c.Ratio) {
			lo, hi, plain = min(lo, of.c.Ratio), max(hi, of.c.Ratio), plain+1
		}
	}
	by := changeText(lo)
	switch {
	case plain < len(e.of):
		by = "changes, of which the table has the levels,"
	case changeText(hi) != by:
		by += " to " + changeText(hi)
	}
	return block.Sentence{Lead: e.lead, Tone: e.tone,
		Text: fmt.Sprintf("%s of %s: %s from %s on%s", countOf(len(e.of)), trialset.FirstFew(machines), by, e.day,
			also(changed))}
}

// busierBy is the share of runs by which those disturbed have to increase before a history speaks of it. The sentence
// has the counts: it explains nothing away.
const busierBy = 0.1

// busier returns that the machine was busier from a night on, by the runs that something else disturbed; "" if it was
// not, or if a control of the same nights was on the same machine.
func busier(h history.History, from int) string {
	if h.Control != nil || from >= len(h.Nights) {
		return ""
	}
	disturbed := func(nights []history.Night) (n, of int) {
		for _, night := range nights {
			n, of = n+night.Disturbed, of+night.Runs
		}
		return n, of
	}
	before, ofBefore := disturbed(h.Nights[:from])
	since, ofSince := disturbed(h.Nights[from:])
	if ofBefore == 0 || ofSince == 0 {
		return ""
	}
	then, earlier := float64(since)/float64(ofSince), float64(before)/float64(ofBefore)
	if then < earlier+busierBy || then < 2*earlier {
		return ""
	}
	return fmt.Sprintf("; the machine was busier then: %d of %d runs disturbed, %d of %d before", since, ofSince, before,
		ofBefore)
}

// keyOf identifies a history.
func keyOf(h history.History) string { return h.ID + "\x00" + h.Metric + "\x00" + h.Unit }

// shortNames returns names of histories without the parts of their titles that all of their workload share, and the
// metric only where a workload has several.
func shortNames(d history.Document) map[string]string {
	titles, metrics := map[string][][]string{}, map[string]map[string]bool{}
	for _, h := range d.Histories {
		parts := strings.Split(h.Title, partsApart)
		titles[parts[0]] = append(titles[parts[0]], parts[1:])
		if metrics[parts[0]] == nil {
			metrics[parts[0]] = map[string]bool{}
		}
		metrics[parts[0]][h.Metric] = true
	}
	shared := map[string]map[string]bool{}
	for workload, all := range titles {
		shared[workload] = sharedParts(all)
	}
	out := map[string]string{}
	for _, h := range d.Histories {
		parts := strings.Split(h.Title, partsApart)
		name := []string{parts[0]}
		for _, p := range parts[1:] {
			if !shared[parts[0]][p] {
				name = append(name, p)
			}
		}
		if len(metrics[parts[0]]) > 1 {
			name = append(name, h.Metric)
		}
		out[keyOf(h)] = strings.Join(name, ", ")
	}
	return out
}

// partsApart separates the parts of a title.
const partsApart = " · "

// sharedParts returns the parts that all of several titles have; none of a single one.
func sharedParts(all [][]string) map[string]bool {
	count, out := map[string]int{}, map[string]bool{}
	for _, parts := range all {
		for _, p := range parts {
			count[p]++
		}
	}
	for p, n := range count {
		out[p] = n == len(all) && n > 1
	}
	return out
}
