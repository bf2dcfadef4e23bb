package profile

import (
	"cmp"
	"fmt"
	"slices"

	"plimsoll/internal/analysis/category"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// Flame holds the samples of one cell, from all of its profiled trials together.
type Flame struct {
	Label     string
	Trials    int
	CPU       record.Profile
	Waits     record.Profile
	PerOp     float64 // s of CPU per operation; 0 if unknown
	WaitPerOp float64 // s of waiting threads per operation; 0 if unknown
}

// FlameDiff is the CPU time of one cell on both sides of a comparison. PerOp is known for both.
type FlameDiff struct {
	Label string
	A, B  FlameSide // A is the baseline
}

// FlameSide is one side of a FlameDiff.
type FlameSide struct {
	Name  string
	CPU   record.Profile
	PerOp float64 // s of CPU per operation
}

// flamesOf returns the flame graphs of a page, in order.
func flamesOf(flames []Flame, differences []FlameDiff, sorted *category.Memory) (cells, diffs []block.Flame) {
	for i, f := range flames {
		id := fmt.Sprintf("flame-%d", i+1)
		if tree, ok := flameTree(f.CPU, sorted.OfCPU(f.CPU)); ok {
			cells = append(cells, newFlame(id+"-cpu", f.Label+": CPU time", f.CPU, f.Trials, tree, f.PerOp,
				"of the samples of CPU time", "CPU"))
		}
		if tree, ok := flameTree(byThread(f.Waits), sorted.OfWaits(f.Waits)); ok {
			cells = append(cells, newFlame(id+"-waits", f.Label+": waits of its threads", f.Waits, f.Trials, tree, f.WaitPerOp,
				"of the samples of waiting threads", "waiting"))
		}
	}
	for i, d := range differences {
		if f, ok := newFlameDiff(fmt.Sprintf("flame-diff-%d", i+1), d, sorted); ok {
			diffs = append(diffs, f)
		}
	}
	return cells, diffs
}

func newFlame(id, title string, p record.Profile, trials int, tree *flameNode, perOp float64, whole,
	what string) block.Flame {
	f := block.Flame{ID: id, Title: title, Whole: whole, What: what, Sides: []string{""}, Tree: tree.Drawn(false),
		Legend: flameLegend(tree)}
	f.Per = []float64{perOp / float64(tree.n[0])}
	f.Hint = fmt.Sprintf("%s of %s, by %s", samplesText(tree.n[0]), figure.Count(trials, "run"), clockText(p))
	if perOp > 0 {
		f.Hint += fmt.Sprintf("; %s of %s an operation", figure.Quantity(perOp, "s"), what)
	}
	return f
}

func newFlameDiff(id string, d FlameDiff, sorted *category.Memory) (block.Flame, bool) {
	per := [2]float64{d.A.PerOp / float64(max(d.A.CPU.Samples(), 1)), d.B.PerOp / float64(max(d.B.CPU.Samples(), 1))}
	tree, ok := flameDiffTree(d.A.CPU, d.B.CPU, per, sorted)
	return block.Flame{
		ID: id, Title: fmt.Sprintf("%s: CPU time of an operation, %s against %s", d.Label, d.B.Name, d.A.Name),
		Tree: tree.Drawn(true), Per: per[:],
		Hint: fmt.Sprintf("an operation takes %s on %s and %s on %s, %s; the width is the sum of both",
			figure.Quantity(d.A.PerOp, "s"), d.A.Name,
			figure.Quantity(d.B.PerOp, "s"), d.B.Name, figure.Percent(d.B.PerOp/d.A.PerOp)),
		What: "CPU", Sides: []string{d.A.Name, d.B.Name},
		Legend: []block.Key{
			{Class: "more", Name: "more on " + d.B.Name + ", full from twice as much on", Share: 0},
			{Class: "less", Name: "less, full from half as much on", Share: 0},
			{Class: "none", Name: fmt.Sprintf("no difference beyond %d standard errors of the sampling", noiseSEs), Share: 0},
		},
	}, ok
}

func samplesText(n int64) string {
	if n == 1 {
		return "1 sample"
	}
	return fmt.Sprintf("%d samples", n)
}

func clockText(p record.Profile) string {
	return figure.Joined(p.Clock, "every "+periodText(float64(p.PeriodNs)*1e-9))
}

// flameLegend returns the categories of a tree, largest first.
func flameLegend(tree *flameNode) []block.Key {
	var out []block.Key
	for _, c := range slices.SortedFunc(slices.Values(tree.of), func(a, b categorized) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.name, b.name))
	}) {
		out = append(out, block.Key{Class: categoryClass(c.name), Name: string(c.name),
			Share: float64(c.n) / float64(tree.n[0])})
	}
	return append(out, block.Key{Class: categoryClass(""), Name: "several", Share: 0})
}

// ColouredCategories returns the categories with a colour of their own, indexed by it.
func ColouredCategories() []category.Name {
	return []category.Name{
		category.Application, category.Crypto, category.Compression, category.Checksum, category.Copying,
		category.KernelNetwork, category.KernelDisk, category.KernelMemory,
		category.Scheduling, category.SystemCalls, category.Collection, category.Compiling, category.Locks,
		category.Unattributed,
	}
}

// categoryColour returns the number of a category's colour; 0 if it is mixed or has none.
func categoryColour(c category.Name) int {
	return slices.Index(ColouredCategories(), colouredAs(c)) + 1
}

// colouredAs returns the category of CPU time whose colour a category of waits shares.
func colouredAs(c category.Name) category.Name {
	switch c {
	case category.WaitingDisk:
		return category.KernelDisk
	case category.WaitingNetwork, category.WaitingStandby:
		return category.KernelNetwork
	case category.WaitingMemory:
		return category.KernelMemory
	case category.WaitingParked:
		return category.Scheduling
	case category.WaitingIdle:
		return category.SystemCalls
	}
	return c
}

func categoryClass(c category.Name) string { return fmt.Sprintf("k%d", categoryColour(c)) }
