package workload

import (
	"plimsoll/internal/base/secret"
	"plimsoll/internal/record"
)

// Params are resolved parameters, read by name. Reading an undeclared name returns the zero value:
// workloadtest finds such reads.
type Params struct {
	decl record.Workload
	vals record.Params

	secrets secret.Values
	hosts   int
}

// NewParams binds canonical values to their declaration.
func NewParams(decl record.Workload, vals record.Params) Params {
	return Params{decl: decl, vals: vals}
}

// With returns the same values with the secrets that they refer to.
func (p Params) With(secrets secret.Values) Params {
	p.secrets = secrets
	return p
}

// On returns the same values for a target of so many hosts, which Preflight sees one by one.
func (p Params) On(hosts int) Params {
	p.hosts = hosts
	return p
}

// Hosts returns the number of hosts of the target, as far as it is a cluster of several: else 0 or 1.
func (p Params) Hosts() int { return p.hosts }

// Text returns a value with its references to secrets resolved.
func (p Params) Text(name string) string {
	d, _ := p.decl.Param(name)
	return p.TextIn(name, map[record.SecretUse]secret.Place{record.SecretURL: secret.URL, record.SecretDSN: secret.DSN,
		record.SecretBody: secret.Body}[d.Secret])
}

// TextIn is Text for a value whose language its declaration does not know.
func (p Params) TextIn(name string, place secret.Place) string {
	if d, ok := p.decl.Param(name); ok && d.Secret.Put() {
		return p.secrets.ResolveIn(p.vals[name], d.Lines, place)
	}
	return p.vals[name]
}

// Set returns a value as it was set, which may refer to a secret and never holds one.
func (p Params) Set(name string) string { return p.vals[name] }

// Environ returns, as NAME=VALUE, the environment variables that a text refers to.
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

// All returns every value, including the user's own (see record.Workload.Free).
func (p Params) All() record.Params { return p.vals }

// Clients returns the number of connections of a load: in a closed loop each is a client, an open loop has
// open of them.
func Clients(l record.LoadPoint, open int) int {
	if l.Kind == record.Closed {
		return max(int(l.Level), 1)
	}
	return open
}

// CPUSets declares record.ParamCPUSets, which Spec.Split reads. who names the parties kept apart, for the
// documentation.
func CPUSets(usual, who string) record.Param {
	return record.Param{
		Name: record.ParamCPUSets, Minor: true, Kind: record.Enum, Default: usual, Choices: []string{record.CPUsShared,
			record.CPUsSplit}, Phase: record.Load,
		Doc: "split gives " + who + " whole cores of their own if there are at least two",
	}
}
