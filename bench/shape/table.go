package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

const shown = 10 // of the largest packages

// table writes figures, beside each its change since the earlier commit if there is one.
type table struct {
	w      io.Writer
	now    *figures
	before *figures // nil: without changes
	since  string
}

func (t table) topics() {
	before := map[string]size{}
	if t.before != nil {
		before = t.before.topics
	}
	names := slices.Collect(maps.Keys(t.now.topics))
	for name := range before {
		if _, ok := t.now.topics[name]; !ok {
			names = append(names, name)
		}
	}
	now := t.now.topics
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(now[b].product-now[a].product, now[b].tests-now[a].tests, cmp.Compare(a, b))
	})
	t.head("lines of Go by topic", "code", "tests")
	sum, was := size{}, size{}
	for _, name := range names {
		n, b := now[name], before[name]
		t.row(name, t.cell(n.product, b.product, true), t.cell(n.tests, b.tests, true))
		sum, was = add(sum, n), add(was, b)
	}
	t.row("sum", t.cell(sum.product, was.product, true), t.cell(sum.tests, was.tests, true))
}

func add(a, b size) size { return size{a.product + b.product, a.tests + b.tests} }

func (t table) counts() {
	t.head("figures of the code, tests apart")
	for _, c := range t.now.counts {
		if c.reason != nil {
			t.row(c.name + ": not counted: " + c.reason.Error())
			continue
		}
		before, known := 0, false
		if t.before != nil {
			before, known = t.before.of(c.name)
		}
		t.row(c.name, t.cell(c.n, before, known))
	}
}

func (t table) largest() {
	t.head("largest packages", "lines")
	now := t.now.packages
	names := slices.SortedFunc(maps.Keys(now), func(a, b string) int { return cmp.Or(now[b]-now[a], cmp.Compare(a, b)) })
	for _, name := range names[:min(shown, len(names))] {
		before := 0
		if t.before != nil {
			before = t.before.packages[name]
		}
		t.row(name, t.cell(now[name], before, true))
	}
}

func (t table) names() {
	t.list("exported names that no other package uses", t.now.unused)
	t.list("functions used exactly once", t.now.once)
}

func (t table) list(title string, names []string) {
	fmt.Fprintf(t.w, "\n%s\n", title)
	for _, name := range names {
		fmt.Fprintf(t.w, "  %s\n", name)
	}
}

// head begins a part, with the headings of its columns.
func (t table) head(title string, columns ...string) {
	if t.before != nil {
		title += ", and the change since " + t.since
	}
	for i, c := range columns {
		columns[i] = fmt.Sprintf("%9s", c)
		if t.before != nil {
			columns[i] += fmt.Sprintf("%9s", "")
		}
	}
	fmt.Fprintln(t.w)
	t.row(title, columns...)
}

func (t table) row(name string, cells ...string) {
	line := fmt.Sprintf("%-62s", name) + strings.Join(cells, "")
	fmt.Fprintln(t.w, strings.TrimRight(line, " "))
}

// cell returns a figure, and its change if the earlier figure is known.
func (t table) cell(now, before int, known bool) string {
	text := fmt.Sprintf("%9d", now)
	switch {
	case t.before == nil:
		return text
	case !known:
		return text + fmt.Sprintf("%9s", "?")
	case now == before:
		return text + fmt.Sprintf("%9s", "=")
	}
	return text + fmt.Sprintf("%+9d", now-before)
}
