package finding

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
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

// Of returns the parameters that texts show, as they show them: perhaps params itself, so nobody may change it.
func (w Wording) Of(params map[string]string) map[string]string {
	out := trialset.Without(params, w.Minor...)
	if len(w.Names) == 0 && len(w.Levels) == 0 {
		return out
	}
	out = maps.Clone(out)
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
	w.Levels = trialset.Without(w.Levels, factor)
	return w
}

// Wordings words the cells of plans, each plan once. Several goroutines may use one.
type Wordings struct {
	plans map[string]record.Plan // by hash
	mu    sync.Mutex
	known map[string][]Wording // by hash; of each cell
}

// newWordings returns the wordings of plans by their hash.
func newWordings(plans map[string]record.Plan) *Wordings {
	return &Wordings{plans: plans, known: map[string][]Wording{}}
}

// Of returns the wording of a trial's cell; the plain one if its plan is not known.
func (w *Wordings) Of(t record.Trial) Wording {
	w.mu.Lock()
	defer w.mu.Unlock()
	cells, ok := w.known[t.Plan]
	if !ok {
		cells = PlannedWordings(w.plans[t.Plan])
		w.known[t.Plan] = cells
	}
	if t.Cell >= 0 && t.Cell < len(cells) {
		return cells[t.Cell]
	}
	return Wording{}
}

// Between returns the wording of what two sides of a comparison have in common.
func (w *Wordings) Between(m trialset.Matched) Wording {
	out := w.Of(m.A[0])
	for factor := range out.Levels {
		if key := record.FactorPrefix + factor; m.A[0].Keys[key] != m.B[0].Keys[key] {
			out = out.Without(factor)
		}
	}
	return out
}

// dimension is a parameter, or a factor, of a workload.
type dimension struct{ workload, name string }

// PlannedWordings returns the wording of each cell of a plan.
func PlannedWordings(p record.Plan) []Wording {
	out := make([]Wording, len(p.Cells))
	shorts, sets := shortValues(p), map[dimension][]string{}
	for i, c := range p.Cells {
		w := Wording{Minor: slices.Clip(c.Minor), Names: map[string]string{}, Levels: map[string]Level{}}
		for name, value := range c.Params {
			if text, long := shorts[dimension{c.Workload, name}][value]; long {
				w.Names[name] = text
			}
		}
		for factor, level := range c.Levels {
			name := strings.TrimPrefix(factor, c.Workload+".")
			if value, param := c.Params[name]; param {
				if value != level {
					w.Names[name] = level
				}
				continue
			}
			at := dimension{c.Workload, factor}
			if _, known := sets[at]; !known {
				sets[at] = setBy(p, c.Workload, factor)
			}
			if set := sets[at]; len(set) > 0 {
				w.Minor, w.Levels[factor] = append(w.Minor, set...), Level{level, set}
			}
		}
		out[i] = w
	}
	return out
}

// shortValues returns the long values of a plan's parameters in short, each told apart from the others of its
// parameter.
func shortValues(p record.Plan) map[dimension]map[string]string {
	out := map[dimension]map[string]string{}
	for _, c := range p.Cells {
		for name, value := range c.Params {
			if at := (dimension{c.Workload, name}); out[at] == nil && figure.Short(value) != value {
				out[at] = map[string]string{}
			}
		}
	}
	for at, texts := range out {
		values := valuesOf(p, at)
		for i, value := range values {
			if figure.Short(value) != value {
				texts[value] = figure.Short(value, slices.Delete(slices.Clone(values), i, i+1)...)
			}
		}
	}
	return out
}

// valuesOf returns the values that a parameter has in a plan, in the order of its cells.
func valuesOf(p record.Plan, at dimension) []string {
	var out []string
	for _, c := range p.Cells {
		if value, ok := c.Params[at.name]; ok && c.Workload == at.workload {
			out = trialset.AppendNew(out, value)
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
