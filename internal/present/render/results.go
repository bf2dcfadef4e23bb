package render

import (
	"fmt"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/outcome"
	"plimsoll/internal/analysis/judge"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
	coded "plimsoll/internal/record/note"
)

// results returns the table of one workload, and the sections of its findings.
func results(v *finding.View) block.Section {
	s := block.Section{Title: v.Cells[0].Workload,
		Fixed: figure.Joined(v.Split.Fixed, finding.FixedTraits(finding.TraitsOf(v.Cells))), Level: block.ResultLevel}
	analyzers := judge.Analyzers()
	s.Blocks = append(s.Blocks, resultsTable(v, analyzers))
	said := finding.Settings(v.Cells)
	for _, a := range analyzers {
		if a.Show != nil {
			said = append(said, a.Worded(a.Show(v))...)
		}
	}
	said = append(said, finding.Blocks(qualityNotes(v))...)
	s.Blocks = slices.Concat(s.Blocks, block.Arranged(said), trialPlot(v))
	return s
}

// scales holds one prefix for each metric of a table, which makes its figures comparable; none for a metric whose
// figures are too far apart.
type scales map[string]figure.Scale

// tooFar is the ratio of two figures from which on each has its own prefix.
const tooFar = 100

func (s scales) of(c finding.Cell) figure.Scale {
	if common, ok := s[c.Metric]; ok {
		return common
	}
	return figure.ScaleFor(figure.UnitOf(c.Counted(), c.Unit), c.Estimate.Values()...)
}

func scalesOf(cells []finding.Cell) scales {
	values, units := map[string][]float64{}, map[string]string{}
	for _, c := range cells {
		if c.N > 0 {
			values[c.Metric] = append(values[c.Metric], c.Estimate.Values()...)
		}
		units[c.Metric] = figure.UnitOf(c.Counted(), c.Unit)
	}
	out := scales{}
	for metric, unit := range units {
		v := values[metric]
		if len(v) > 0 && slices.Min(v) > 0 && slices.Max(v)/slices.Min(v) > tooFar {
			continue
		}
		out[metric] = figure.ScaleFor(unit, v...)
	}
	return out
}

// failures lists failed trials, those of one reason together. What the programs printed that failed is a detail.
func failures(where string, trials []finding.TrialValue) []block.Sentence {
	var whys []string
	of := map[string][]finding.TrialValue{}
	for _, t := range trials {
		why := figure.Brief(t.Void.String())
		if len(of[why]) == 0 {
			whys = append(whys, why)
		}
		of[why] = append(of[why], t)
	}
	var out []block.Sentence
	for _, why := range whys {
		first, which := of[why][0], fmt.Sprintf("%d runs are left out", len(of[why]))
		if len(of[why]) == 1 {
			which = fmt.Sprintf("run %d is left out", record.RunNumber(first.Replicate))
		}
		out = append(out, block.Sentence{Lead: "failed", Tone: block.Bad, Text: fmt.Sprintf("%s, %s: %s", where, which, why)})
		if whole := first.Void.String(); whole != why {
			out = append(out, block.Sentence{Lead: "failed", Tone: block.Bad, Detail: true,
				Text: fmt.Sprintf("%s, run %d: %s", where, record.RunNumber(first.Replicate), whole)})
		}
	}
	return out
}

// sharedNote is the notes of one likeness on the primary metrics of a view, and their benchmarks.
type sharedNote struct {
	notes  []coded.Note
	places []string
	told   bool
}

// mostAlike is the number of benchmarks that a note names; of more, the first.
const mostAlike = 3

// alikeNotes returns the notes of each likeness on the primary metrics.
func alikeNotes(v *finding.View) map[string]*sharedNote {
	out := map[string]*sharedNote{}
	for _, c := range v.Cells {
		if !c.Primary && c.Metric != "" {
			continue
		}
		for _, d := range c.Doubts {
			key := d.Likeness()
			if out[key] == nil {
				out[key] = &sharedNote{}
			}
			out[key].notes, out[key].places = append(out[key].notes, d), append(out[key].places, v.Place(c))
		}
	}
	for key, a := range out {
		if len(a.notes) < 2 || !coded.Joinable(a.notes) {
			delete(out, key)
		}
	}
	return out
}

// sentences returns what the notes say about all of their benchmarks.
func (a *sharedNote) sentences() []block.Sentence {
	at := strings.Join(a.places, "; ")
	if n := len(a.places); n > mostAlike {
		at = fmt.Sprintf("%s and %d more", a.places[0], n-1)
	}
	return finding.Caveat("note", block.Warn, at+": "+coded.Joined(a.notes).Text())
}

// qualityNotes lists failed trials and the notes on the primary metric, by which the trials are judged. A trial that
// several metrics share is named once, and so is a note that several benchmarks share.
func qualityNotes(v *finding.View) []block.Sentence {
	var out []block.Sentence
	shared := alikeNotes(v)
	seen := map[string]bool{}
	say := func(said []block.Sentence, detail bool) {
		for _, s := range said {
			s.Detail = detail
			out = append(out, s)
		}
	}
	for _, c := range v.Cells {
		where := v.Place(c)
		var doubts, chief []string
		ofTrials := make([]coded.Note, 0, len(c.Trials))
		for _, d := range c.Doubts {
			a := shared[d.Likeness()]
			switch {
			case !c.Primary && c.Metric != "" || a != nil && a.told:
			case a != nil:
				a.told = true
				say(a.sentences(), !outcome.Weakens(d))
			default:
				if doubts = append(doubts, d.Text()); outcome.Weakens(d) {
					chief = append(chief, d.Text())
				}
			}
		}
		var failed []finding.TrialValue
		for _, t := range c.Trials {
			if seen[t.ID] {
				continue
			}
			seen[t.ID] = true
			if !t.Void.IsZero() {
				failed = append(failed, t)
				continue
			}
			ofTrials = append(ofTrials, t.Doubts...)
		}
		out = append(out, failures(where, failed)...)
		for _, d := range finding.Counted(append(doubts, coded.Fold(ofTrials)...)) {
			say(finding.Caveat("note", block.Warn, where+": "+d), !slices.Contains(chief, d))
		}
	}
	return block.Unique(out)
}
