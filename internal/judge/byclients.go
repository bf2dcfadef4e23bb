package judge

import "plimsoll/internal/record"

// ByClients is how a rate follows the clients of a closed load, all else equal: the document of `by_clients` in `show --json`. It stands
// with the primary metric of the cell of the most clients.
type ByClients struct {
	Metric string        `json:"metric"` // what is carried
	Unit   string        `json:"unit"`
	Points []ClientPoint `json:"points"` // the fewest first
}

// ClientPoint is a number of clients and what they carry together.
type ClientPoint struct {
	Clients float64 `json:"clients"`
	Estimate
	N int `json:"n"`

	OverLast *Estimate `json:"over_last,omitempty"` // what they carry over what the point before carries, by replicate
}

// byClientsOf gives each sweep of clients to the cell of its most.
func byClientsOf(ramps []ramp) map[place]*ByClients {
	out := map[place]*ByClients{}
	for _, r := range ramps {
		carried := r.carried()
		if r.unit != record.ParamClients || carried.Name == "" {
			continue
		}
		at := r.last()
		if r = r.having(carried.Name); len(r.levels) < minRamp {
			continue
		}
		found := &ByClients{Metric: carried.Name, Unit: carried.Unit}
		for i, level := range r.levels {
			values := valuesOf(r.at[level], carried.Name)
			p := ClientPoint{Clients: level, Estimate: Of(values), N: len(values)}
			if i > 0 {
				p.OverLast = ratioOf(r.at[r.levels[i-1]], r.at[level], carried.Name)
			}
			found.Points = append(found.Points, p)
		}
		out[at] = found
	}
	return out
}
