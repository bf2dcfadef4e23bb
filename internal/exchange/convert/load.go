package convert

import (
	"errors"
	"fmt"
	"strings"

	"plimsoll/internal/exchange/convert/reader"
	"plimsoll/internal/record"
)

// The kinds of load in an input.
const (
	loadClients = record.ParamClients
	loadCPUs    = record.ParamCPUs
	loadRate    = record.ParamRate
	loadCopies  = "copies" // of the work, side by side, on a CPU each: only CSV can say so
)

// LacksLoad reports whether an input is not read because it does not state its load.
func LacksLoad(err error) bool { return errors.Is(err, reader.ErrNoLoad) }

// LoadKinds returns the kinds of load that a text for GivenLoad may name.
func LoadKinds() []string { return []string{loadClients, loadCPUs, loadRate} }

// GivenLoad parses a user's load for files that lack it: "64" or "clients=64", "cpus=8", "rate=5000".
func GivenLoad(text string) (record.LoadPoint, error) {
	kind, level, ok := strings.Cut(text, "=")
	if !ok {
		kind, level = loadClients, text
	}
	if level == "" {
		return record.LoadPoint{}, errors.New("no number")
	}
	return loadOf(level, kind, nil)
}

// givenLoads is what became of the load that was given for an input.
type givenLoads struct{ taken, differs bool }

// given returns a load for results that state none; false if there is none.
func (o Options) given() (record.LoadPoint, bool) {
	if o.Load.Kind == "" {
		return o.Load, false
	}
	if o.loads != nil {
		o.loads.taken = true
	}
	return o.Load, true
}

// contradicts returns an error if an input's load differs from the one set for it, unless that is for those without.
func (o Options) contradicts(said record.LoadPoint) error {
	switch {
	case o.Load.Kind == "":
		return nil
	case o.Load.Key() == said.Key():
		_, _ = o.given()
		return nil
	case o.FillLoad:
		if o.loads != nil {
			o.loads.differs = true
		}
		return nil
	}
	return fmt.Errorf("the load is %s here, but %s in --load\nhint: leave out --load, which is for files without a load",
		record.LoadText(said.Key()), record.LoadText(o.Load.Key()))
}

// holds rejects a load of more CPUs than the instance type has that the machine is named after.
func (o Options) holds(machine string, l record.LoadPoint) error {
	if o.CPUs == nil || l.Unit != loadCPUs {
		return nil
	}
	if n, of := o.CPUs(machine); n > 0 && l.Level > n {
		return fmt.Errorf("a load of %s on %s, but %s has %.0f vCPUs\nhint: fix the load, or give the machine another name",
			record.LoadText(l.Key()), reader.Brief(machine), of, n)
	}
	return nil
}

// loadOf parses a load. Without a kind it counts clients; without a level the work loads the machine by itself. The
// parameters cpus=all and arrivals have the same meaning as in our workloads.
func loadOf(level, kind string, params record.Params) (record.LoadPoint, error) {
	if level == "" && kind == "" {
		return record.LoadPoint{Kind: record.Once, Level: 1}, nil
	}
	n, err := reader.Number(level)
	if err != nil || n <= 0 {
		return record.LoadPoint{}, fmt.Errorf("load %s is not a positive number\nhint: it counts clients, CPUs or "+
			"operations per second, according to load_kind", reader.Brief(level))
	}
	switch kind {
	case "", loadClients:
		return reader.Counted(n, loadClients, false)
	case loadCPUs, loadCopies:
		return reader.Counted(n, loadCPUs, params[record.ParamCPUs] == record.AllCPUs)
	case loadRate:
		l := record.LoadPoint{Kind: record.Open, Level: n, Unit: loadRate}
		if a := params[record.ParamArrivals]; a == record.Poisson || a == record.Uniform {
			l.Arrivals = a
		}
		return l, nil
	}
	return record.LoadPoint{}, fmt.Errorf("unknown load_kind %s\nhint: use %s, %s, %s (per second) or, in CSV, %s",
		reader.Brief(kind), loadClients, loadCPUs, loadRate, loadCopies)
}
