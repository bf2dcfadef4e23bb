package finding

import (
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/record/figure"
)

// Split separates the parameters that distinguish the rows of a table from those that all rows share.
type Split struct {
	Fixed   string   // "key=256, impl=std"
	Varying []string // names, sorted
}

// SplitOf returns the parameters that vary among rows, and those that are the same in all.
func SplitOf(rows []map[string]string) Split {
	names := map[string]bool{}
	for _, row := range rows {
		for name := range row {
			names[name] = true
		}
	}
	var split Split
	var fixed []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if varies(rows, name) {
			split.Varying = append(split.Varying, name)
		} else {
			fixed = append(fixed, name+"="+rows[0][name])
		}
	}
	split.Fixed = strings.Join(fixed, ", ")
	return split
}

func varies(rows []map[string]string, name string) bool {
	first, known := rows[0][name]
	for _, row := range rows[1:] {
		if v, ok := row[name]; v != first || ok != known {
			return true
		}
	}
	return false
}

// LoadText formats a load's key, with its unit in the singular or plural.
func LoadText(key string) string { return record.LoadText(key) }

// GroupBy collects items that share a key, in the order of first appearance.
func GroupBy[T any](items []T, key func(T) string) [][]T {
	at := map[string]int{}
	group := make([]int, len(items)) // of each item
	var sizes []int
	for i, item := range items {
		k := key(item)
		g, ok := at[k]
		if !ok {
			g = len(sizes)
			at[k], sizes = g, append(sizes, 0)
		}
		group[i] = g
		sizes[g]++
	}
	if len(sizes) == 0 {
		return nil
	}
	out := make([][]T, len(sizes))
	for i, item := range items {
		g := group[i]
		if out[g] == nil {
			out[g] = make([]T, 0, sizes[g])
		}
		out[g] = append(out[g], item)
	}
	return out
}

// maxVarying limits the parameters that vary in one table: more give too many rows for a screen.
const maxVarying = 2

// Subdivided splits items into tables of few varying parameters, first by the parameter with the fewest values, in the
// order of first appearance.
func Subdivided[T any](items []T, params func(T) map[string]string) [][]T {
	rows := make([]map[string]string, len(items))
	for i, item := range items {
		rows[i] = params(item)
	}
	split := SplitOf(rows)
	if len(split.Varying) <= maxVarying {
		return [][]T{items}
	}
	by := slices.MinFunc(split.Varying, func(a, b string) int { return valuesIn(rows, a) - valuesIn(rows, b) })
	var out [][]T
	for _, group := range GroupBy(items, func(item T) string { return params(item)[by] }) {
		out = append(out, Subdivided(group, params)...)
	}
	return out
}

func valuesIn(rows []map[string]string, name string) int {
	seen := map[string]bool{}
	for _, row := range rows {
		seen[row[name]] = true
	}
	return len(seen)
}

// ParamsOf returns the parameters of each cell that a table shows.
func ParamsOf(cells []Cell) []map[string]string {
	out := make([]map[string]string, len(cells))
	for i, c := range cells {
		out[i] = c.Shown()
	}
	return out
}

// CountMachines returns the number of machines that cells are of.
func CountMachines(cells []Cell) int {
	seen := map[string]bool{}
	for _, c := range cells {
		seen[c.Machine] = true
	}
	return len(seen)
}

// Placed names the workload, parameters, load and metric of a figure, without empty ones and a load of "once".
func Placed(workload string, params map[string]string, load, metric string) string {
	if load == once {
		load = ""
	}
	return strings.Join(figure.NonEmpty(workload, ParamsText(params), LoadText(load), metric), ", ")
}

// ParamsText names parameters in a line.
func ParamsText(params map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		out = append(out, name+"="+params[name])
	}
	return strings.Join(out, ", ")
}

// Place names a cell among those of its workload.
func Place(c Cell, split Split, several bool) string {
	if several {
		return c.Machine + ", " + split.Behind(c.Shown(), c.Load)
	}
	return split.Label(c.Shown(), c.Load)
}

// SideBySide returns cells with the machines' cells of one place next to each other.
func SideBySide(cells []Cell, split Split) []Cell {
	return slices.Concat(GroupBy(cells, func(c Cell) string { return split.Label(c.Shown(), c.Load) })...)
}
