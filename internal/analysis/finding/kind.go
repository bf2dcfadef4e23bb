package finding

import (
	"reflect"
	"slices"

	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record/note"
)

// Finding is one statement about some cells.
type Finding struct {
	Kind   string
	Cells  []trialset.Key // its scope: the cells that it rests on; tables show it at the first one
	Metric string         // its metric; "" for the primary one
	Body   any            // pointer to the kind's type; nil if the analysis was impossible, which Notes explain
	Notes  []note.Note
}

// Holder has findings: a cell, a pair of sides, or a whole comparison.
type Holder interface{ Findings() []Finding }

// Kind names the findings whose body is a T.
type Kind[T any] string

// Of returns the body of the first finding of the kind; nil if there is none.
func (k Kind[T]) Of(h Holder) *T {
	for _, f := range h.Findings() {
		if body, ok := f.Body.(*T); ok && f.Kind == string(k) {
			return body
		}
	}
	return nil
}

// All returns the bodies of all findings of the kind.
func (k Kind[T]) All(h Holder) []T {
	var out []T
	for _, f := range h.Findings() {
		if body, ok := f.Body.(*T); ok && f.Kind == string(k) {
			out = append(out, *body)
		}
	}
	return out
}

// Why returns the reason for a missing finding of the kind; the zero Note if there is one or none was attempted.
func (k Kind[T]) Why(h Holder) note.Note {
	for _, f := range h.Findings() {
		if f.Kind == string(k) && f.Body == nil && len(f.Notes) > 0 {
			return f.Notes[0]
		}
	}
	return note.Note{}
}

// New returns a finding about some cells; none if the body is nil.
func (k Kind[T]) New(body *T, cells ...trialset.Key) []Finding {
	if body == nil {
		return nil
	}
	return []Finding{{Kind: string(k), Cells: cells, Body: body}}
}

// About sets the metric of findings.
func About(metric string, found []Finding) []Finding {
	for i := range found {
		found[i].Metric = metric
	}
	return found
}

// Each returns a finding for each of several bodies about the same cells.
func (k Kind[T]) Each(bodies []T, cells ...trialset.Key) []Finding {
	var out []Finding
	for i := range bodies {
		out = append(out, k.New(&bodies[i], cells...)...)
	}
	return out
}

// Impossible returns a finding without a body, and the reason; none without a reason.
func (k Kind[T]) Impossible(reason note.Note, cells ...trialset.Key) []Finding {
	if reason.IsZero() {
		return nil
	}
	return []Finding{{Kind: string(k), Cells: cells, Notes: []note.Note{reason}}}
}

// Body returns the type of the bodies.
func (k Kind[T]) Body() reflect.Type { return reflect.TypeFor[T]() }

// Noted is a body that has notes of its own.
type Noted interface{ Caveats() []note.Note }

// Caveats returns the notes of a finding: its own, and its body's.
func (f Finding) Caveats() []note.Note {
	out := slices.Clone(f.Notes)
	if n, ok := f.Body.(Noted); ok {
		out = append(out, n.Caveats()...)
	}
	return out
}

// Put replaces the findings of its kind by one with a body; nil removes them.
func (k Kind[T]) Put(found []Finding, body *T, cells ...trialset.Key) []Finding {
	return append(k.without(found), k.New(body, cells...)...)
}

// PutAll replaces the findings of their kind by those with bodies.
func (k Kind[T]) PutAll(found []Finding, bodies []T, cells ...trialset.Key) []Finding {
	return append(k.without(found), k.Each(bodies, cells...)...)
}

func (k Kind[T]) without(found []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(found), func(f Finding) bool { return f.Kind == string(k) })
}
