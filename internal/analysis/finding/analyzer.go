package finding

import (
	"fmt"
	"reflect"
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/estimate"
	"plimsoll/internal/record/figure"
	"plimsoll/internal/record/note"
)

// Analyzer derives the findings of one kind, and renders them as blocks. It is pure.
type Analyzer struct {
	Kind  string
	Doc   string       // one line, for docs/schema
	Body  reflect.Type // of its findings
	After []string     // kinds that it reads: they run before it

	Run     func(*Input) []Finding        // findings about cells; nil for none
	Pair    func(*Pairing) []Finding      // findings about two sides; nil for none
	Sides   func(*Sides) []Finding        // findings about all sides of an axis; nil for none
	Show    func(*View) []block.Block     // wording of the findings about the cells of a view; nil for none
	Says    func(*PairView) []block.Block // wording of the findings about two sides; nil for none
	SaysAll func(Compared) []block.Block  // the wording of findings about all sides; nil for none
	Rows    func(Cell) []Row              // secondary figures of a cell in tables; nil for none
	// its wording is on a screen without details too, but for blocks that are details
	Brief bool

	// the part of the findings about the cells of a workload in a document's answer; nil for none
	Answer    func(*View) Answer
	AnswerAll func(Compared) Answer // likewise of those about all sides; nil for none

	// Over draws whole series over time, for pages only, from Read.Windows; machines are those of the page, whose order
	// sets their colours. Its notes are about series that are not drawn. Nil for nothing.
	Over func(in *Input, machines []string) ([]block.Block, []note.Note)
}

// Worded returns blocks of the analyzer with what a screen without details leaves out marked.
func (a Analyzer) Worded(said []block.Block) []block.Block {
	if a.Brief {
		return said
	}
	return block.Details(said)
}

// Row is a secondary figure of a cell, in a table below that of its metric.
type Row struct {
	Name  string
	Value estimate.Estimate
	Scale figure.Scale
}

// Pairing is two sides under comparison.
type Pairing struct {
	*Input
	Pair   *Pair              // with its verdicts, and the findings so far
	Scope  []record.Trial     // trials in which the sides were looked up
	Both   []trialset.Matched // the cells measured on both sides
	Cells  [][]Comparison     // the comparisons of each
	Judged []record.PlanLine  // the plans of these cells

	Clusters *Clusters // measured at equal cost; nil if nobody asked, or there are none

	Varied map[trialset.Dimension]bool // the dimensions that follow from the axis
}

// Clusters is a cluster of each side, of the numbers of nodes that cost the same.
type Clusters struct {
	NodesA, NodesB int
	Both           []trialset.Matched    // their cells
	Cells          []Comparison          // the deciding metric of each
	Compared       map[trialset.Key]bool // the cells of either side in it
}

// Sides is all sides of an axis.
type Sides struct {
	*Input
	By     string
	Trials []record.Trial // one for each replicate of a search, and the load lines of sweeps
	Pairs  []Pair         // with their verdicts
}

// PairView is two sides as a document presents them.
type PairView struct {
	Pair
	ID             string  // prefix of its drawings' IDs
	LabelA, LabelB string  // the sides in sentences
	Margin         float64 // the equivalence margin, as a fraction; 0 if there is none
}

// SentenceEach returns the Says of findings that are a sentence each.
func SentenceEach[T any](k Kind[T], sentence func(*PairView, T) block.Sentence) func(*PairView) []block.Block {
	return func(v *PairView) []block.Block {
		var out []block.Block
		for _, body := range k.All(v.Pair) {
			out = append(out, sentence(v, body))
		}
		return out
	}
}

// SentencesEach returns the Show of findings that are some sentences each.
func SentencesEach[T any](k Kind[T], sentences func(v *View, c Cell, body T) []block.Sentence) func(
	*View) []block.Block {
	return func(v *View) []block.Block {
		var out []block.Block
		for _, c := range v.Cells {
			for _, body := range k.All(c) {
				out = append(out, Blocks(sentences(v, c, body))...)
			}
		}
		return out
	}
}

// Remark returns notes about a cell that are no finding of their own.
func Remark(at trialset.Key, notes ...note.Note) []Finding {
	if len(notes) == 0 {
		return nil
	}
	return []Finding{{Cells: []trialset.Key{at}, Notes: notes}}
}

// ByKey returns a finding for each cell that has a body.
func (k Kind[T]) ByKey(bodies map[trialset.Key]*T) []Finding {
	var out []Finding
	for at, body := range bodies {
		out = append(out, k.New(body, at)...)
	}
	return out
}

// Ordered sorts analyzers such that each one follows those of the kinds that it reads, and is otherwise in its original
// order. A missing kind, or a cycle, is an error in the list.
func Ordered(all []Analyzer) ([]Analyzer, error) {
	var out []Analyzer
	placed := map[string]bool{}
	for len(out) < len(all) {
		at := slices.IndexFunc(all, func(a Analyzer) bool {
			return !placed[a.Kind] && !slices.ContainsFunc(a.After, func(k string) bool { return !placed[k] })
		})
		if at < 0 {
			return nil, fmt.Errorf("the analyzers after %v need missing kinds, or each other", out)
		}
		placed[all[at].Kind] = true
		out = append(out, all[at])
	}
	return out, nil
}
