package catalog

import (
	"fmt"
	"slices"
)

// Kind says how a power figure was come by.
type Kind string

// The kinds of power figures. Only what was measured may decide anything.
const (
	Measured  Kind = "measured"
	Rated     Kind = "rated"     // by the maker
	Estimated Kind = "estimated" // by somebody, from other figures
	Rumoured  Kind = "rumoured"
)

// Scope says what a power figure is of.
type Scope string

// The scopes of power figures.
const (
	Core    Scope = "core"
	Socket  Scope = "socket"
	Machine Scope = "machine"
)

// Power is what a type, or its share of a socket, takes.
type Power struct {
	Watts  float64 `json:"watts"`
	Of     float64 `json:"watts_of_scope"` // of one core, socket or machine, as its source has it
	Units  float64 `json:"units"`          // how many of these the type is: 2 sockets, 0.5 of one
	Kind   Kind    `json:"kind"`
	Scope  Scope   `json:"scope"` // of the figure that it is taken from
	Source string  `json:"source"`
	Date   string  `json:"date"` // "" where its source has none
	Note   string  `json:"note,omitempty"`
}

// cpuPower is a power figure of a CPU and of how many of its cores it is.
type cpuPower struct {
	maker, model string
	cores        int
	Power
}

func parseWatts(text []byte, problems *[]Problem) []cpuPower {
	need := []string{"cpu_manufacturer", "cpu_model", "scope", "cores", "watts", "kind", "source", "date", "note"}
	var out []cpuPower
	for _, r := range readTable(text, need, problems) {
		p := cpuPower{r.fields["cpu_manufacturer"], r.fields["cpu_model"], r.count("cores"), Power{
			Watts: r.amount("watts").Value, Kind: Kind(r.fields["kind"]), Scope: Scope(r.fields["scope"]),
			Source: r.fields["source"], Date: r.fields["date"], Note: r.fields["note"],
		}}
		if p.cores <= 0 || p.Watts <= 0 {
			r.bad("cores and watts must be over 0")
		}
		if !known(p.Kind, Measured, Rated, Estimated, Rumoured) || !known(p.Scope, Core, Socket, Machine) {
			r.bad("unknown kind %q or scope %q", p.Kind, p.Scope)
		}
		out = append(out, p)
	}
	return out
}

func known[T comparable](v T, all ...T) bool { return slices.Contains(all, v) }

// Power returns what a type's cores take: their share of the socket, where the
// figure is a socket's. It is false where the CPU's power or the type's
// cores are not known.
func (c *Catalog) Power(t Type) (Power, bool) {
	for _, w := range c.watts {
		if w.maker == t.Maker && w.model == t.Model && t.Cores > 0 {
			p := w.Power
			p.Of, p.Units = w.Watts, float64(t.Cores)/float64(w.cores)
			p.Watts = p.Of * p.Units
			return p, true
		}
	}
	return Power{}, false
}

// String says what the figure is of, such as "480 W: 2 sockets of 240 W, estimated".
func (p Power) String() string {
	return fmt.Sprintf("%.4g W: %s, %s", p.Watts, p.Share(), p.Kind)
}

// Share is what the figure is made of, such as "2 sockets of 240 W".
func (p Power) Share() string {
	units := string(p.Scope) + "s"
	if p.Units == 1 {
		units = string(p.Scope)
	}
	return fmt.Sprintf("%.3g %s of %g W", p.Units, units, p.Of)
}
