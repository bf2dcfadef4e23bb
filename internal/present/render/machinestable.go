package render

import (
	"fmt"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// owned is a machine with its cost and power, if known.
type owned struct {
	machine record.Machine
	basis   finding.Basis
}

// ownedFact is a row of the table of machines: "" if unknown.
type ownedFact struct {
	name string
	of   func(owned) string
}

// notKnown stands for an unknown value in a table.
const notKnown = "?"

// machinesTable describes machines, their cost and power, one column each. Facts unknown for all are no row: their
// names are the second result.
func machinesTable(names []string, machines map[string]record.Machine, bases map[string]finding.Basis) (block.Table,
	[]string) {
	t := block.Table{Columns: []block.Column{{Name: ""}}, Keys: 1}
	for _, name := range names {
		t.Columns = append(t.Columns, block.Column{Name: name})
	}
	var unknown []string
	for _, f := range ownedFacts() {
		row, any := []block.Cell{{Text: f.name, Tone: block.Dim}}, false
		for _, name := range names {
			c := block.Cell{Text: f.of(owned{machines[name], bases[name]}), Tone: block.Plain}
			if any = any || c.Text != ""; c.Text == "" {
				c = block.Cell{Text: notKnown, Tone: block.Dim}
			}
			row = append(row, c)
		}
		if !any {
			unknown = append(unknown, f.name)
			continue
		}
		t.Rows = append(t.Rows, row)
	}
	return t, unknown
}

func ownedFacts() []ownedFact {
	return append(madeFacts(), costFacts()...)
}

// madeFacts returns the hardware facts of a fingerprint.
func madeFacts() []ownedFact {
	cpu := func(of func(record.CPU) int) func(owned) string {
		return func(o owned) string { return countOrNone(of(o.machine.CPU)) }
	}
	return []ownedFact{
		{"architecture", func(o owned) string { return o.machine.Arch }},
		{"CPU", func(o owned) string {
			return strings.Join(figure.NonEmpty(o.machine.CPU.Model, o.machine.CPU.Core), ", ")
		}},
		{"CPUs", cpu(func(c record.CPU) int { return c.Threads })},
		{"threads per core", cpu(func(c record.CPU) int { return c.ThreadsPerCore })},
		{"cores per socket", cpu(func(c record.CPU) int { return c.Cores / max(c.Sockets, 1) })},
		{"sockets", cpu(func(c record.CPU) int { return c.Sockets })},
		{"NUMA nodes", func(o owned) string { return countOrNone(o.machine.NUMA) }},
		{"L1d", cacheFact(1, "data")},
		{"L1i", cacheFact(1, "instruction")},
		{"L2", cacheFact(2, "unified")},
		{"L3", cacheFact(3, "unified")},
		{"memory", func(o owned) string { return bytesOrNone(o.machine.Memory) }},
	}
}

// costFacts returns cost and power.
func costFacts() []ownedFact {
	return []ownedFact{
		{"instance type", func(o owned) string { return o.basis.Type }},
		{"price per hour", func(o owned) string { return priceText(o.basis, 1) }},
		{"price per vCPU and hour", func(o owned) string { return priceText(o.basis, o.basis.VCPUs) }},
		{"price per core and hour", func(o owned) string { return priceText(o.basis, o.basis.Cores) }},
		{"price from", func(o owned) string { return o.basis.PriceSource }},
		{"power", func(o owned) string { return powerText(o.basis, 1) }},
		{"power per vCPU", func(o owned) string { return powerText(o.basis, o.basis.VCPUs) }},
		{"power per core", func(o owned) string { return powerText(o.basis, o.basis.Cores) }},
		{"power from", func(o owned) string {
			if o.basis.Watts == nil {
				return ""
			}
			return o.basis.Watts.Source
		}},
	}
}

func countOrNone(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func cacheFact(level int, kind string) func(owned) string {
	return func(o owned) string {
		for _, c := range o.machine.CPU.Caches {
			if c.Level != level || c.Type != kind {
				continue
			}
			text := figure.Quantity(float64(c.Bytes), "B")
			if c.Instances > 1 {
				text += fmt.Sprintf(" x %d", c.Instances)
			}
			return text
		}
		return ""
	}
}

// priceText formats a price per unit; "" if either is unknown.
func priceText(b finding.Basis, by float64) string {
	if !b.Priced() || !(by > 0) {
		return ""
	}
	if by == 1 || b.Free {
		return figure.Exact(b.PricePerHour) + " $"
	}
	return figure.Scale{Factor: 1}.Number(b.PricePerHour/by, figure.FineDigits) + " $"
}

// powerText formats a power per unit, with its source.
func powerText(b finding.Basis, by float64) string {
	if b.Watts == nil || !(b.Watts.Value > 0 && by > 0) {
		return ""
	}
	return fmt.Sprintf("%s W, %s", figure.Scale{Factor: 1}.Number(b.Watts.Value/by, figure.Digits), b.Watts.Kind)
}
