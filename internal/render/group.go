package render

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/block"
	"plimsoll/internal/figure"
	"plimsoll/internal/finding"
	"plimsoll/internal/record"
)

// paramSplit separates the parameters that tell rows of a table apart from
// those that all rows share.
type paramSplit struct {
	Fixed   string   // "key=256, impl=std"
	varying []string // names, sorted
}

func splitParams(rows []map[string]string) paramSplit {
	names := map[string]bool{}
	for _, row := range rows {
		for name := range row {
			names[name] = true
		}
	}
	var split paramSplit
	var fixed []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if varies(rows, name) {
			split.varying = append(split.varying, name)
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

// label names one row: the parameters that vary, and the load.
func (s paramSplit) label(params map[string]string, load string) string {
	var parts []string
	for _, name := range s.varying {
		if v, ok := params[name]; ok {
			parts = append(parts, name+"="+v)
		}
	}
	if load != "" {
		parts = append(parts, loadText(load))
	}
	return strings.Join(parts, ", ")
}

// cells gives the columns of the parameters that vary.
func (s paramSplit) cells(params map[string]string) []block.Cell {
	out := make([]block.Cell, 0, len(s.varying))
	for _, name := range s.varying {
		out = append(out, block.Cell{Text: params[name]})
	}
	return out
}

func (s paramSplit) columns() []block.Column {
	out := make([]block.Column, 0, len(s.varying))
	for _, name := range s.varying {
		out = append(out, block.Column{Name: name})
	}
	return out
}

// loadText writes a load's key with its unit in the right number.
func loadText(key string) string { return record.LoadText(key) }

// groupBy collects items that share a key, in the order of first appearance.
func groupBy[T any](items []T, key func(T) string) [][]T {
	at := map[string]int{}
	var out [][]T
	for _, item := range items {
		k := key(item)
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], item)
	}
	return out
}

// machineNames lists the machines that are described or have results. Sessions of one machine follow each other in time.
func machineNames(s finding.Shown) []string {
	names := map[string]bool{}
	for name := range s.Machines {
		names[name] = true
	}
	for _, c := range s.Workloads {
		names[c.Machine] = true
	}
	return slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		x, y := s.Sessions[a], s.Sessions[b]
		return cmp.Or(strings.Compare(cmp.Or(x.Machine, a), cmp.Or(y.Machine, b)), strings.Compare(x.Began, y.Began), strings.Compare(a, b))
	})
}

// cellsOf keeps the cells of one machine.
func cellsOf(cells []finding.Cell, machine string) []finding.Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c finding.Cell) bool { return c.Machine != machine })
}

func spanOf(c finding.Cell) figure.Span { return figure.Span{Value: c.Value, Lo: c.Lo, Hi: c.Hi} }

// directionText says which way of a metric is better.
func directionText(b record.Better) string {
	switch b {
	case record.Higher:
		return "higher is better"
	case record.Lower:
		return "lower is better"
	}
	return "neither way is better"
}

// maxVarying is how many parameters may vary in one table: more make rows that fit
// no screen, and that nobody reads.
const maxVarying = 2

// subdivided cuts items into tables of few varying parameters, by those of the fewest
// values first, in the order of first appearance.
func subdivided[T any](items []T, params func(T) map[string]string) [][]T {
	rows := make([]map[string]string, len(items))
	for i, item := range items {
		rows[i] = params(item)
	}
	split := splitParams(rows)
	if len(split.varying) <= maxVarying {
		return [][]T{items}
	}
	by := slices.MinFunc(split.varying, func(a, b string) int { return valuesIn(rows, a) - valuesIn(rows, b) })
	var out [][]T
	for _, group := range groupBy(items, func(item T) string { return params(item)[by] }) {
		out = append(out, subdivided(group, params)...)
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
