package workload

import (
	"plimsoll/internal/record"
	"plimsoll/internal/secret"
)

// Params are resolved parameters, read by name. Reading a name that the
// workload does not declare gives the zero value: workloadtest finds that.
type Params struct {
	decl record.Workload
	vals record.Params

	secrets secret.Values
}

// NewParams binds canonical values to their declaration.
func NewParams(decl record.Workload, vals record.Params) Params {
	return Params{decl: decl, vals: vals}
}

// With are the same values with what they refer to.
func (p Params) With(secrets secret.Values) Params {
	p.secrets = secrets
	return p
}

// Text returns a value, with what it refers to in it.
func (p Params) Text(name string) string {
	if d, ok := p.decl.Param(name); ok && d.Secret == record.SecretText {
		return p.secrets.Resolve(p.vals[name], d.Lines)
	}
	return p.vals[name]
}

// Set returns a value as it was set, which may refer to a secret and never holds one.
func (p Params) Set(name string) string { return p.vals[name] }

// Environ is the part of an environment, as NAME=VALUE, that a text refers to.
func (p Params) Environ(text string) []string {
	var out []string
	for _, name := range secret.Names(text) {
		if value, ok := p.secrets[name]; ok {
			out = append(out, name+"="+string(value))
		}
	}
	return out
}

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
