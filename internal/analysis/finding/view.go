package finding

import (
	"strings"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// View is a group of cells of one workload in a document: it names a cell by its differences from the others of the
// group.
type View struct {
	ID       string // prefix of the IDs of the group's drawings, unique in a document
	Cells    []Cell
	Machines []string         // of the whole document, whose order gives them their colours
	Bases    map[string]Basis // by machine: its size, price and power; nil if nothing is known of any
	Compared []Compared       // of the document, for marks in charts of several machines

	Split   Split
	Several bool // cells of several machines, whose names include theirs
}

// NewView returns the view of some cells of one workload.
func NewView(cells []Cell) *View {
	return &View{Cells: cells, Split: SplitOf(ParamsOf(cells)), Several: CountMachines(cells) > 1}
}

// Place names a cell among those of the view.
func (v *View) Place(c Cell) string { return Place(c, v.Split, v.Several) }

// Along names a cell without the swept parameters, with a colon; "" if it is the only one.
func (v *View) Along(c Cell, params ...string) string {
	c.Params = trialset.Without(c.Params, params...)
	text := strings.TrimSuffix(v.Place(c), ", ")
	if text == "" {
		return ""
	}
	return text + ": "
}

// Sweep names a sweep of load among those of its workload, without the load and its parameter.
func (v *View) Sweep(c Cell) string {
	param := LoadParam(c)
	c.Load = ""
	return v.Along(c, param)
}

// LoadParam returns the parameter that sets the load of a cell.
func LoadParam(c Cell) string {
	for _, p := range []string{record.ParamCPUs, record.ParamClients} {
		if strings.HasSuffix(c.Load, " "+p) {
			return p
		}
	}
	return record.ParamRate
}

// Sentences returns sentences as blocks.
func Sentences(all ...block.Sentence) []block.Block {
	var out []block.Block
	for _, s := range all {
		out = append(out, s)
	}
	return out
}

// Blocks returns values of one type as blocks.
func Blocks[T block.Block](all []T) []block.Block {
	var out []block.Block
	for _, b := range all {
		out = append(out, b)
	}
	return out
}

// Alone returns the view that names cells without their machines.
func (v *View) Alone() *View { return &View{Split: v.Split} }

// Verdicts returns sentences for the verdicts of two sides.
func Verdicts(all ...block.Sentence) []block.Block {
	if len(all) == 0 {
		return nil
	}
	return []block.Block{block.Section{Class: block.Verdicts, Blocks: Blocks(all)}}
}
