package html

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// run is what the template writes at once: sentences or stats that follow one another, or one block of another type.
type run struct {
	Notes   []block.Sentence
	Details []block.Sentence // shown on demand
	Stats   []block.Stat
	Section *block.Section
	Table   *block.Table
	Chart   *block.Chart
	Plot    *block.Plot
	Flame   *block.Flame
}

// manyRows is the number of a plot's rows from which on it is shown on demand.
const manyRows = 24

// Long reports whether a plot is shown on demand.
func (r run) Long() bool { return r.Plot != nil && len(r.Plot.Rows) > manyRows }

// namedKinds is the number of kinds that the title of a fold names.
const namedKinds = 3

// folded returns the title of a fold: the number of its sentences, and their kinds by their lead words.
func folded(all []block.Sentence) string {
	var kinds []string
	for _, s := range all {
		if kind := kindOf(s); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == 1 && slices.Contains([]string{"note", "detail", "verdict"}, kinds[0]) {
		return figure.Count(len(all), kinds[0])
	}
	named := kinds[:min(len(kinds), namedKinds)]
	text := fmt.Sprintf("%d more: %s", len(all), strings.Join(named, ", "))
	if len(named) < len(kinds) {
		text += " …"
	}
	return text
}

// kindOf returns the lead word of a sentence; "verdict" if it is one, and "detail" without one.
func kindOf(s block.Sentence) string {
	switch lower := strings.ContainsFunc(s.Lead, unicode.IsLower); {
	case s.Lead == "":
		return "detail"
	case !lower, s.Lead == "no verdict":
		return "verdict"
	}
	return s.Lead
}

func runsOf(all []block.Block) []run {
	var out []run
	for _, b := range all {
		switch b := b.(type) {
		case block.Sentence:
			if n := len(out); n == 0 || out[n-1].Notes == nil && out[n-1].Details == nil {
				out = append(out, run{})
			}
			last := &out[len(out)-1]
			if b.Detail {
				last.Details = append(last.Details, b)
			} else {
				last.Notes = append(last.Notes, b)
			}
		case block.Stat:
			if n := len(out); n == 0 || out[n-1].Stats == nil {
				out = append(out, run{})
			}
			last := &out[len(out)-1]
			last.Stats = append(last.Stats, b)
		case block.Section:
			out = append(out, run{Section: &b})
		case block.Table:
			out = append(out, run{Table: &b})
		case block.Chart:
			out = append(out, run{Chart: &b})
		case block.Plot:
			out = append(out, run{Plot: &b})
		case block.Flame:
			out = append(out, run{Flame: &b})
		}
	}
	return out
}

// flat returns all blocks of sections, those of their sections too.
func flat(sections []block.Section) []block.Block {
	var out []block.Block
	for _, s := range sections {
		out = append(out, s.Blocks...)
		out = append(out, flat(block.Of[block.Section](s.Blocks))...)
	}
	return out
}
