package workload

import "plimsoll/internal/record"

// Params are resolved parameters, read by name. Reading a name that the
// workload does not declare gives the zero value: workloadtest finds that.
type Params struct {
	decl record.Workload
	vals record.Params
}

// NewParams binds canonical values to their declaration.
func NewParams(decl record.Workload, vals record.Params) Params {
	return Params{decl, vals}
}

// Text returns a value as it stands.
func (p Params) Text(name string) string { return p.vals[name] }

// Number returns a value in the base unit of its kind: bytes, seconds, a count.
func (p Params) Number(name string) float64 {
	d, _ := p.decl.Param(name)
	return d.Number(p.vals[name])
}

// Int returns a count or a size.
func (p Params) Int(name string) int { return int(p.Number(name)) }

// Bool returns a truth value.
func (p Params) Bool(name string) bool { return p.Number(name) != 0 }

// All returns every value, also those of the user's own (see record.Workload.Free).
func (p Params) All() record.Params { return p.vals }
