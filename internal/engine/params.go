package engine

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"plimsoll/internal/record"
)

// Params are an engine's resolved parameters, all with a value in canonical text form.
type Params struct {
	decl []record.Param
	vals record.Params
}

// FindDefault finds an engine with every parameter at its default.
func FindDefault(ctx context.Context, e Findable) (Install, error) {
	p, err := Resolve(e, nil)
	if err != nil {
		return Install{}, err
	}
	return e.Find(ctx, p)
}

// Resolve checks values for an engine's parameters and adds the defaults of the others. The error names the
// parameter and the allowed values.
func Resolve(e Findable, set record.Params) (Params, error) {
	p := Params{decl: e.Params(), vals: record.Params{}}
	for _, d := range p.decl {
		text, ok := set[d.Name]
		if !ok {
			text = d.Default
		}
		value, err := d.Canonical(text)
		if err != nil {
			return p, fmt.Errorf("%s: parameter %s: %w", e.Name(), d.Name, err)
		}
		p.vals[d.Name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if _, ok := p.vals[name]; !ok {
			return p, fmt.Errorf("%s: there is no parameter "+
				"%q\nhint: available: %s", e.Name(), name, strings.Join(slices.Sorted(maps.Keys(p.vals)), ", "))
		}
	}
	if c, ok := e.(Checker); ok {
		if err := c.Check(p); err != nil {
			return p, fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	return p, nil
}

// ParamsOf resolves the engine's part of a workload's values. text returns a value by the workload's name for it,
// which is the engine's with a prefix; "" leaves it to the engine. set takes precedence.
func ParamsOf(e Engine, prefix string, text func(name string) string, set record.Params) (Params, error) {
	all := record.Params{}
	for _, d := range e.Params() {
		if v := text(prefix + d.Name); v != "" {
			all[d.Name] = v
		}
	}
	maps.Copy(all, set)
	return Resolve(e, all)
}

// Text returns a value's text; "" for an undeclared name.
func (p Params) Text(name string) string { return p.vals[name] }

// Number returns a value in the base unit of its kind: bytes, seconds, a count.
func (p Params) Number(name string) float64 {
	for _, d := range p.decl {
		if d.Name == name {
			return d.Number(p.vals[name])
		}
	}
	return 0
}

// Int returns a count or a size.
func (p Params) Int(name string) int { return int(p.Number(name)) }

// Bool returns a truth value.
func (p Params) Bool(name string) bool { return p.Number(name) != 0 }

// The common part of all web servers among the engines, so that one client fits all of them.
const (
	// Hello is the body of /hello: 12 bytes of plain text, the answer of the "hello world" servers in published
	// benchmarks.
	Hello = "Hello World!"

	ParamBody = "body"
	ParamTLS  = "tls"
	// ParamSeed seeds an engine's random choices, if it has any.
	ParamSeed = "seed"
)

// MaxSeed is the largest ParamSeed.
const MaxSeed = 1e15

// Web is an engine that is a web server: it has WebParams, and answers at / and /hello.
type Web interface {
	Engine
	// Heat returns how long a fresh instance needs full load until it reaches its speed; 0 without a JIT compiler.
	Heat() time.Duration
}

// Checker is an engine whose parameters may conflict; Resolve calls it.
type Checker interface {
	// Check returns an error if parameters conflict. Each value by itself is allowed.
	Check(Params) error
}

// maxBody is the largest body of /, in bytes.
const maxBody = 64 << 20

// WebParams returns the parameters common to all web servers.
func WebParams() []record.Param {
	return []record.Param{
		{Name: ParamBody, Kind: record.Size, Default: "128B", Min: 1, Max: maxBody, Phase: record.Server,
			Doc: "size of the body of /; the body of /hello has 12 bytes"},
		{Name: ParamTLS, Kind: record.Bool, Default: "false", Phase: record.Server,
			Doc: "HTTPS, with a certificate made at the start"},
	}
}

// alphabet is repeated in a body.
const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz"

// Body returns the body of / with n bytes, the same for every engine.
func Body(n int) []byte {
	return bytes.Repeat([]byte(alphabet), n/len(alphabet)+1)[:n]
}
