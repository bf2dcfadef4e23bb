package factorial

import (
	"math/bits"
	"slices"
	"strings"

	"plimsoll/internal/note"
	"plimsoll/internal/record"
	"plimsoll/internal/stat"
	"plimsoll/internal/trialset"
)

// What the combinations of the levels of factors are called.
const (
	DesignFull   = record.DesignFull
	DesignHalf   = record.DesignHalf
	mostFactors  = 4
	HalfRelation = record.HalfRelation
)

// Design is how the cells of one group on one host combine factors of two levels each.
type Design struct {
	Factors []record.Factor
	Half    bool
	Cells   []int // by combination, as stat.Factorial has them
}

// DesignOf finds the factorial that cells are: every combination of one to four factors of two levels, or the half of those
// of four that stat.HalfFourth makes. Otherwise it says why they are none; "" where nothing varies.
func DesignOf(p record.Plan, cells []int) (d Design, why note.Note) {
	d.Factors = factorsIn(p, cells)
	for _, f := range d.Factors {
		if len(f.Levels) > 2 {
			return d, note.New("many-levels", f.Name, len(f.Levels))
		}
	}
	k := len(d.Factors)
	switch {
	case k == 0:
		return d, note.Note{}
	case k > mostFactors:
		return d, note.New("many-factors", k, mostFactors)
	}
	d.Half = k == mostFactors && len(cells) == 1<<(k-1)
	d.Cells = make([]int, len(cells))
	seen := map[int]bool{}
	for _, cell := range cells {
		at, ok := d.Combination(p.Cells[cell].Levels)
		if !ok || seen[at] || at >= len(cells) {
			return d, d.incomplete(p, cells)
		}
		seen[at], d.Cells[at] = true, cell
	}
	if !d.Half && len(cells) != 1<<k {
		return d, d.incomplete(p, cells)
	}
	return d, note.Note{}
}

// incomplete says that combinations are missing, and which.
func (d Design) incomplete(p record.Plan, cells []int) note.Note {
	var missing []string
	for at := range 1 << len(d.Factors) {
		there := slices.ContainsFunc(cells, func(cell int) bool {
			for i, f := range d.Factors {
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
	return note.New("combinations-missing", len(missing), 1<<len(d.Factors), len(d.Factors), trialset.FirstFew(missing))
}

// Combination is where levels stand among stat.Factorial's cells; false for those of the other half.
func (d Design) Combination(levels map[string]string) (int, bool) {
	at := 0
	for i, f := range d.Factors {
		if levels[f.Name] == f.Levels[1] {
			at |= 1 << i
		}
	}
	if !d.Half {
		return at, true
	}
	const three = 1<<(mostFactors-1) - 1
	return at & three, bits.OnesCount(uint(at))%2 == 0
}

// levels are those of a combination.
func (d Design) levels(at int) []string {
	var out []string
	for i, f := range d.Factors {
		second := at>>i&1 == 1
		if d.Half && i == mostFactors-1 {
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
func (d Design) named(at int) string {
	var out []string
	for i, l := range d.levels(at) {
		out = append(out, d.Factors[i].Name+"="+l)
	}
	return strings.Join(out, " ")
}

// Name returns "full factorial" or "half fraction".
func (d Design) Name() string {
	if d.Half {
		return DesignHalf
	}
	return DesignFull
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

// CellsByHost are the cells of a plan that are sides of one comparison on one host, in order. The cells of a sweep of loads are not among
// them: each of its trials is at a load of its own.
func CellsByHost(p record.Plan) [][]int {
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
