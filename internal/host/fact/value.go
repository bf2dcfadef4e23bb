package fact

import (
	"io/fs"
	"strings"

	"plimsoll/internal/record"
)

// Value declares a fact that needs no field of its own: its value lies in record.Machine.Facts, and all else follows.
type Value struct {
	Key   string
	Group Group
	Doc   string
	Read  func(fs.FS) (record.Fact, error)
	// Moving keeps a value that differs from one moment to the next out of comparisons.
	Moving bool
	// Warns and Advise are as in Fact.
	Warns  string
	Advise func(record.Machine) []Advice
}

// Fact returns the entry of a value.
func (v Value) Fact() Fact {
	f := Fact{Key: v.Key, Group: v.Group, Lead: strings.ReplaceAll(v.Key, "_", " "), Doc: v.Doc, Warns: v.Warns, Advise: v.Advise}
	f.Read = func(fsys fs.FS, m *record.Machine) error {
		value, err := v.Read(fsys)
		if err == nil && value != (record.Fact{}) {
			if m.Facts == nil {
				m.Facts = map[string]record.Fact{}
			}
			m.Facts[v.Key] = value
		}
		return err
	}
	f.Text = func(m record.Machine, q Quantity) string { return valueText(m.Facts[v.Key], q) }
	if !v.Moving {
		f.Compare = of(v.Key, func(m record.Machine) string { return valueText(m.Facts[v.Key], exactly) })
	}
	return f
}

func valueText(v record.Fact, q Quantity) string {
	number := ""
	if v.Number != 0 || v.Unit != "" {
		number = q(v.Number, v.Unit)
	}
	return joined(number, v.Text)
}
