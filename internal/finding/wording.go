package finding

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// Wording is how texts show the parameters of a cell. The parameters themselves, which identify it, stay as they are.
type Wording struct {
	Minor  []string          // parameters that texts leave out
	Names  map[string]string // by parameter, in place of its value: the name of its level, or a long value in short
	Levels map[string]Level  // by factor that is no parameter itself, in place of the parameters that it sets
}

// Level is the level of a factor, with the parameters that follow from it.
type Level struct {
	Name string
	Sets []string
}

// Of returns the parameters that texts show, as they show them.
func (w Wording) Of(params map[string]string) map[string]string {
	out := maps.Clone(params)
	for _, name := range w.Minor {
		delete(out, name)
	}
	for name, text := range w.Names {
		if _, shown := out[name]; shown {
			out[name] = text
		}
	}
	if len(w.Levels) > 0 && out == nil {
		out = map[string]string{}
	}
	for factor, level := range w.Levels {
		out[factor] = level.Name
	}
	return out
}

// Without returns the wording of text that states the level of a factor itself.
func (w Wording) Without(factor string) Wording {
	if _, ok := w.Levels[factor]; ok {
		w.Levels = maps.Clone(w.Levels)
		delete(w.Levels, factor)
	}
	return w
}

// WordingOf returns the wording of a trial's cell; the plain one if its plan is not known.
func WordingOf(t record.Trial, plans map[string]record.Plan) Wording {
	if p := plans[t.Plan]; t.Cell >= 0 && t.Cell < len(p.Cells) {
		return PlannedWording(p, t.Cell)
	}
	return Wording{}
}

// WordingBetween returns the wording of what two sides of a comparison have in common.
func WordingBetween(m trialset.Matched, plans map[string]record.Plan) Wording {
	out := WordingOf(m.A[0], plans)
	for factor := range out.Levels {
		if key := record.FactorPrefix + factor; m.A[0].Keys[key] != m.B[0].Keys[key] {
			out = out.Without(factor)
		}
	}
	return out
}

// PlannedWording returns the wording of a cell of a plan.
func PlannedWording(p record.Plan, cell int) Wording {
	c := p.Cells[cell]
	out := Wording{Minor: slices.Clip(c.Minor), Names: map[string]string{}, Levels: map[string]Level{}}
	for name, value := range c.Params {
		if text := figure.Short(value); text != value {
			out.Names[name] = figure.Short(value, others(p, c, name)...)
		}
	}
	for factor, level := range c.Levels {
		name := strings.TrimPrefix(factor, c.Workload+".")
		switch value, param := c.Params[name]; {
		case param && value != level:
			out.Names[name] = level
		case !param:
			if set := setBy(p, c.Workload, factor); len(set) > 0 {
				out.Minor, out.Levels[factor] = append(out.Minor, set...), Level{level, set}
			}
		}
	}
	return out
}

// setBy returns the parameters that follow from a factor's level: equal wherever that is, and not everywhere.
func setBy(p record.Plan, workload, factor string) []string {
	byLevel, mixed, several := map[string]record.Params{}, map[string]bool{}, map[string]bool{}
	for _, c := range p.Cells {
		level := c.Levels[factor]
		if c.Workload != workload {
			continue
		}
		if byLevel[level] == nil {
			byLevel[level] = c.Params
		}
		for name, value := range c.Params {
			mixed[name] = mixed[name] || byLevel[level][name] != value
			for _, params := range byLevel {
				several[name] = several[name] || params[name] != value
			}
		}
	}
	var out []string
	for name := range several {
		if several[name] && !mixed[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// others returns the other values of a cell's parameter in its plan.
func others(p record.Plan, c record.Cell, name string) []string {
	var out []string
	for _, o := range p.Cells {
		if value, ok := o.Params[name]; ok && o.Workload == c.Workload && value != c.Params[name] {
			out = trialset.AppendNew(out, value)
		}
	}
	return out
}

// Settings returns details that state what the names of levels and shortened values stand for.
func Settings(cells []Cell) []block.Block {
	var out []block.Sentence
	for _, c := range cells {
		for _, text := range c.Wording.meaning(c.Params) {
			out = append(out, block.Sentence{Lead: "setting", Tone: block.Dim, Text: text, Detail: true})
		}
	}
	return Blocks(block.Unique(out))
}

// meaning returns what each name of a wording stands for, "NAME=LEVEL: VALUE", sorted.
func (w Wording) meaning(params map[string]string) []string {
	var out []string
	for name, text := range w.Names {
		if value, ok := params[name]; ok && !slices.Contains(w.Minor, name) {
			out = append(out, fmt.Sprintf("%s=%s: %s", name, text, value))
		}
	}
	for factor, level := range w.Levels {
		sets := map[string]string{}
		for _, name := range level.Sets {
			sets[name] = params[name]
		}
		out = append(out, fmt.Sprintf("%s=%s: %s", factor, level.Name, ParamsText(sets)))
	}
	slices.Sort(out)
	return out
}
