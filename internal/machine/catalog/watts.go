package catalog

import (
	"fmt"
	"slices"
)

// Kind is the quality of a power figure.
type Kind string

// The kinds of power figures. Only measured ones may decide anything.
const (
	Measured  Kind = "measured"
	Rated     Kind = "rated"     // by the maker
	Estimated Kind = "estimated" // by somebody, from other figures
	Rumoured  Kind = "rumoured"
)

// Scope is the object of a power figure.
type Scope string

// The scopes of power figures.
const (
	Core    Scope = "core"
	Socket  Scope = "socket"
	Machine Scope = "machine"
)

// Power is the power consumption of a type, or of its share of a socket.
type Power struct {
	Watts  float64 `json:"watts"`
	Of     float64 `json:"watts_of_scope"` // of one core, socket or machine, according to its source
	Units  float64 `json:"units"`          // number of these in the type: 2 sockets, 0.5 of one
	Kind   Kind    `json:"kind"`
	Scope  Scope   `json:"scope"` // of the figure that it is derived from
	Source string  `json:"source"`
	Date   string  `json:"date"` // "" if its source has none
	Note   string  `json:"note,omitempty"`
}

// cpuPower is a power figure of a CPU and the number of its cores.
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
			r.bad("cores and watts must be above 0")
		}
		if !known(p.Kind, Measured, Rated, Estimated, Rumoured) || !known(p.Scope, Core, Socket, Machine) {
			r.bad("unknown kind %q or scope %q", p.Kind, p.Scope)
		}
		out = append(out, p)
	}
	return out
}

func known[T comparable](v T, all ...T) bool { return slices.Contains(all, v) }

// Power returns the power consumption of a type's cores: their share of the socket if the figure is a socket's. It
// returns false if the CPU's power or the type's cores are unknown.
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

// String returns the figure with its derivation, such as "480 W: 2 sockets of 240 W, estimated".
func (p Power) String() string {
	return fmt.Sprintf("%.4g W: %s, %s", p.Watts, p.Share(), p.Kind)
}

// Share returns the derivation of the figure, such as "2 sockets of 240 W".
func (p Power) Share() string {
	units := string(p.Scope) + "s"
	if p.Units == 1 {
		units = string(p.Scope)
	}
	return fmt.Sprintf("%.3g %s of %g W", p.Units, units, p.Of)
}
