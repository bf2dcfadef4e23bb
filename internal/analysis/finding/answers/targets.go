package answers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/base/list"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
)

func targets(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	for _, g := range in.Groups {
		if body := targetsOf(g.Trials); body != nil {
			out = append(out, KindTargets.New(body, g.Key)...)
		}
	}
	return out
}

// targetsOf returns what each line of a mix came to; nil if the trials have none. Failed trials count: they are those
// with the failures.
func targetsOf(trials []record.Trial) *Targets {
	valid := len(trialset.Valid(trials)) > 0
	out := Targets{}
	at := map[string]int{}
	var p50, p99 [][]float64
	total := int64(0)
	for _, t := range trials {
		if t.Generator == nil || len(t.Generator.Targets) == 0 {
			continue
		}
		out.N++
		for _, one := range t.Generator.Targets {
			i, ok := at[one.Line]
			if !ok {
				i = len(out.Targets)
				at[one.Line] = i
				out.Targets, p50, p99 = append(out.Targets, Target{Line: one.Line}), append(p50, nil), append(p99, nil)
			}
			of := &out.Targets[i]
			of.Done += one.Done
			total += one.Done
			for why, n := range one.Failed {
				if of.Failed == nil {
					of.Failed = map[string]int64{}
				}
				of.Failed[why] += n
			}
			if one.Done > 0 && (t.Void == "" || !valid) {
				p50[i], p99[i] = append(p50[i], one.P50), append(p99[i], one.P99)
			}
		}
	}
	if out.N == 0 {
		return nil
	}
	for i := range out.Targets {
		of := &out.Targets[i]
		if total > 0 {
			of.Share = float64(of.Done) / float64(total)
		}
		if len(p50[i]) > 0 {
			of.P50, of.P99 = estimate.Of(p50[i]).Value, estimate.Of(p99[i]).Value
		}
	}
	return &out
}

// showTargets makes a table of the lines of each cell's mix.
func showTargets(v *finding.View) []block.Block {
	var out []block.Block
	for _, c := range v.Cells {
		for _, t := range KindTargets.All(c) {
			out = append(out, targetsTable(v.Place(c), t))
		}
	}
	return out
}

func targetsTable(place string, of Targets) block.Block {
	t := block.Table{Keys: 1, Columns: []block.Column{{Name: place}, {Name: "requests", Right: true},
		{Name: "p50", Right: true}, {Name: "p99", Right: true}, {Name: "failed"}}}
	for _, one := range of.Targets {
		p50, p99 := figure.NoNumber, figure.NoNumber
		if one.Done > 0 {
			p50, p99 = figure.Quantity(one.P50, "s"), figure.Quantity(one.P99, "s")
		}
		failed := list.Map(slices.Sorted(maps.Keys(one.Failed)), func(why string) string {
			return fmt.Sprintf("%d %s", one.Failed[why], why)
		})
		t.Rows = append(t.Rows, []block.Cell{{Text: one.Line}, {Text: fmt.Sprint(one.Done)}, {Text: p50},
			{Text: p99, Tone: block.Strong}, {Text: strings.Join(failed, ", "), Tone: block.Bad}})
	}
	return t
}
