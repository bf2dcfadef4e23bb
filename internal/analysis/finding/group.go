package finding

import (
	"strings"

	"plimsoll/internal/record"
	"plimsoll/internal/record/block"
)

// Label names one row: the parameters that vary, and the load. Behind a parameter, "once" goes without saying.
func (s Split) Label(params map[string]string, load string) string {
	var parts []string
	for _, name := range s.Varying {
		if v, ok := params[name]; ok {
			parts = append(parts, name+"="+v)
		}
	}
	if load != "" && (load != once || len(parts) == 0) {
		parts = append(parts, LoadText(load))
	}
	return strings.Join(parts, ", ")
}

// once is the load of a run that does its work once.
const once = string(record.Once)

// Behind is Label behind other words: "" for a row that is only "once".
func (s Split) Behind(params map[string]string, load string) string {
	if load == once {
		load = ""
	}
	return s.Label(params, load)
}

// Cells returns the columns of the parameters that vary.
func (s Split) Cells(params map[string]string) []block.Cell {
	out := make([]block.Cell, 0, len(s.Varying))
	for _, name := range s.Varying {
		out = append(out, block.Cell{Text: params[name]})
	}
	return out
}

// Columns returns a column for each parameter that varies.
func (s Split) Columns() []block.Column {
	out := make([]block.Column, 0, len(s.Varying))
	for _, name := range s.Varying {
		out = append(out, block.Column{Name: name})
	}
	return out
}
