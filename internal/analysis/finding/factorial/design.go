package factorial

import (
	"math/bits"
	"slices"
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/note"
	"plimsoll/internal/record/stat"
)

// mostFactors is how many factors a factorial has at most.
const mostFactors = 4

// design is how the cells of one group on one host combine factors of two levels each.
type design struct {
	factors []record.Factor
	half    bool
	cells   []int // by combination, as stat.Factorial has them
}

// designOf finds the factorial that cells are: every combination of one to four factors of two levels, or the half of
// those of four that stat.HalfFourth makes. Otherwise it returns the reason; none if nothing varies.
func designOf(p record.Plan, cells []int) (d design, why note.Note) {
	d.factors = factorsIn(p, cells)
	for _, f := range d.factors {
		if len(f.Levels) > 2 {
			return d, note.New("many-levels", f.Name, len(f.Levels))
		}
	}
	k := len(d.factors)
	switch {
	case k == 0:
		return d, note.Note{}
	case k > mostFactors:
		return d, note.New("many-factors", k, mostFactors)
	}
	d.half = k == mostFactors && len(cells) == 1<<(k-1)
	d.cells = make([]int, len(cells))
	seen := map[int]bool{}
	for _, cell := range cells {
		at, ok := d.combination(p.Cells[cell].Levels)
		if !ok || seen[at] || at >= len(cells) {
			return d, d.incomplete(p, cells)
		}
		seen[at], d.cells[at] = true, cell
	}
	if !d.half && len(cells) != 1<<k {
		return d, d.incomplete(p, cells)
	}
	return d, note.Note{}
}

// incomplete returns the note that combinations are missing.
func (d design) incomplete(p record.Plan, cells []int) note.Note {
	var missing []string
	for at := range 1 << len(d.factors) {
		there := slices.ContainsFunc(cells, func(cell int) bool {
			for i, f := range d.factors {
				if p.Cells[cell].Levels[f.Name] != f.Levels[at>>i&1] {
					return false
				}
			}
			return true
		})
		if !there {
			missing = append(missing, d.named(at))
		}
	}
	return note.New("combinations-missing", len(missing), 1<<len(d.factors), len(d.factors), trialset.FirstFew(missing))
}

// combination returns the place of levels among stat.Factorial's cells; false for those of the other half.
func (d design) combination(levels map[string]string) (int, bool) {
	at := 0
	for i, f := range d.factors {
		if levels[f.Name] == f.Levels[1] {
			at |= 1 << i
		}
	}
	if !d.half {
		return at, true
	}
	const three = 1<<(mostFactors-1) - 1
	return at & three, bits.OnesCount(uint(at))%2 == 0
}

// levels are those of a combination.
func (d design) levels(at int) []string {
	var out []string
	for i, f := range d.factors {
		second := at>>i&1 == 1
		if d.half && i == mostFactors-1 {
			second = stat.HalfFourth(at)
		}
		l := f.Levels[0]
		if second {
			l = f.Levels[1]
		}
		out = append(out, l)
	}
	return out
}

// named is a combination as text.
func (d design) named(at int) string {
	var out []string
	for i, l := range d.levels(at) {
		out = append(out, d.factors[i].Name+"="+l)
	}
	return strings.Join(out, " ")
}

// name returns "full factorial" or "half fraction".
func (d design) name() string {
	if d.half {
		return record.DesignHalf
	}
	return record.DesignFull
}

// factorsIn are the plan's factors of which the cells have two levels or more, with these levels.
func factorsIn(p record.Plan, cells []int) []record.Factor {
	var out []record.Factor
	for _, f := range p.Factors {
		f.Levels = slices.DeleteFunc(slices.Clone(f.Levels), func(level string) bool {
			return !slices.ContainsFunc(cells, func(c int) bool { return p.Cells[c].Levels[f.Name] == level })
		})
		if len(f.Levels) > 1 {
			out = append(out, f)
		}
	}
	return out
}

// cellsByHost are the cells of a plan that are sides of one comparison on one host, in order. The cells of a sweep of
// loads are not among them: each of its trials is at a load of its own.
func cellsByHost(p record.Plan) [][]int {
	type side struct {
		group int
		host  string
	}
	var order []side
	at := map[side][]int{}
	for i, c := range p.Cells {
		if c.Search != nil && c.Search.Sweep {
			continue
		}
		s := side{c.Group, c.Host}
		if len(at[s]) == 0 {
			order = append(order, s)
		}
		at[s] = append(at[s], i)
	}
	var out [][]int
	for _, s := range order {
		out = append(out, at[s])
	}
	return out
}

// Halved reports whether a factor is one of a half fraction in every plan of trials that varies it: then no two of the
// cells differ in it alone.
func Halved(factor string, trials []record.Trial, plans map[string]record.Plan) bool {
	found := false
	for _, hash := range trialset.PlansOf(trials) {
		for _, cells := range cellsByHost(plans[hash]) {
			d, why := designOf(plans[hash], cells)
			if !slices.ContainsFunc(d.factors, func(f record.Factor) bool { return f.Name == factor }) {
				continue
			}
			if !d.half || !why.IsZero() {
				return false
			}
			found = true
		}
	}
	return found
}
