package catalog

import "slices"

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
			r.amount("watts").Value, Kind(r.fields["kind"]), Scope(r.fields["scope"]), r.fields["source"], r.fields["date"], r.fields["note"],
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
			p.Watts *= float64(t.Cores) / float64(w.cores)
			return p, true
		}
	}
	return Power{}, false
}
