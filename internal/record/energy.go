package record

import (
	"math"
	"strings"
)

// EnergyUse is the energy of the machine's parts over the measured window, by all its meters.
type EnergyUse struct {
	Parts []EnergyOf `json:"parts"`
	CostS float64    `json:"cost_s"` // CPU seconds that the readings took, from before the load on
}

// EnergyOf is the energy of one part. Parts overlap: a package includes its cores.
type EnergyOf struct {
	Host    string  `json:"host,omitempty"` // of a cluster: whose part it is
	Name    string  `json:"name"`           // as in Power
	Scope   string  `json:"scope"`          // as in Power
	Source  string  `json:"source"`         // as in Power
	Joules  float64 `json:"joules"`         // J, with the joules of the machine at rest
	Seconds float64 `json:"seconds"`        // for which it was metered: if sides alternate, in this side's turns
	// Power of the machine at rest by the same meter, just before the run's servers and load began, in W.
	IdleWatts float64 `json:"idle_watts"`
	IdleS     float64 `json:"idle_s"` // seconds for which that was metered; 0: it is unknown
}

// EnergyTotal is the power of the parts that together are most of the machine.
type EnergyTotal struct {
	Scope     string  // of its parts, such as "package+dram"
	Watts     float64 // mean over the window
	IdleWatts float64 // at rest
	Source    string
}

// leastActive is the least part of the power that counts as above rest. Two averages of a constant power differ by
// rounding, and no meter of a machine is exact to a thousandth.
const leastActive = 1e-3

// Active returns the power above that at rest, in W; 0 if they differ by less than leastActive.
func (t EnergyTotal) Active() float64 {
	if above := t.Watts - t.IdleWatts; math.Abs(above) > leastActive*t.Watts {
		return above
	}
	return 0
}

// totals lists the scopes that can be added without counting a part twice, the widest first. RAPL's psys is the
// platform with its packages, a package includes its cores and not its memory (the kernel's powercap.rst). The rails of
// Ampere's Altra are its cores, the rest of its SoC, and its memory (smpro-hwmon.rst).
func totals() [][]string {
	return [][]string{{ScopeBoard}, {"psys"}, {"module"}, {"package", "dram"}, {"socket", "dram"}, {"core", "soc", "dram"}}
}

// Total returns the power of the widest scope of which a meter and the power at rest are known. Several meters of the
// whole board are alternatives, and the first is taken; other parts are added. A cluster's is the sum of its hosts', if
// all have one of the same scope.
func (u *EnergyUse) Total() (EnergyTotal, bool) {
	if u == nil || len(u.Parts) == 0 {
		return EnergyTotal{}, false
	}
	hosts := map[string][]EnergyOf{}
	var order []string
	for _, p := range u.Parts {
		if hosts[p.Host] == nil {
			order = append(order, p.Host)
		}
		hosts[p.Host] = append(hosts[p.Host], p)
	}
	sum, ok := totalOf(hosts[order[0]])
	for _, host := range order[1:] {
		t, known := totalOf(hosts[host])
		ok = ok && known && t.Scope == sum.Scope
		sum.Watts, sum.IdleWatts = sum.Watts+t.Watts, sum.IdleWatts+t.IdleWatts
	}
	return sum, ok
}

// totalOf returns the total of one host.
func totalOf(parts []EnergyOf) (EnergyTotal, bool) {
	for _, scopes := range totals() {
		var t EnergyTotal
		var found []string
		for _, scope := range scopes {
			n := 0
			for _, p := range parts {
				if p.Scope != scope || p.Seconds <= 0 || p.IdleS <= 0 || n > 0 && scope == ScopeBoard {
					continue
				}
				n++
				t.Watts += p.Joules / p.Seconds
				t.IdleWatts += p.IdleWatts
				t.Source = p.Source
			}
			if n > 0 {
				found = append(found, scope)
			}
		}
		if len(found) > 0 && found[0] == scopes[0] {
			t.Scope = strings.Join(found, "+")
			return t, true
		}
	}
	return EnergyTotal{}, false
}

// WorkPerJoule is the beginning of the names of metrics of work done per joule above the power at rest. The scope of
// the meters follows, so that figures of unlike scopes are never compared.
const WorkPerJoule = "work_per_joule_"

// IsWorkPerJoule reports whether a metric is work per joule.
func IsWorkPerJoule(metric string) bool { return strings.HasPrefix(metric, WorkPerJoule) }

// PerJoule relates a rate, such as op/s, to the power above that at rest. It returns nil if that is not known, or not
// above 0.
func (u *EnergyUse) PerJoule(rate Value) []Value {
	t, ok := u.Total()
	if !ok || t.Active() <= 0 || rate.Value <= 0 {
		return nil
	}
	return []Value{{
		Metric: Metric{Name: WorkPerJoule + strings.ReplaceAll(t.Scope, "+", "_"),
			Unit: strings.TrimSuffix(rate.Unit, "/s") + "/J", Better: Higher},
		Value: rate.Value / t.Active(),
	}}
}
