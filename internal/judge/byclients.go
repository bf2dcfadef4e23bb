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

// byClientsOf gives each curve of clients to the cell of its most.
func byClientsOf(ramps []ramp) map[place]*ByClients {
	out := map[place]*ByClients{}
	for _, r := range ramps {
		carried := r.carried()
		if r.Param != record.ParamClients || carried.Name == "" {
			continue
		}
		if c := r.having(carried.Name).Curve; len(c.Points) >= minRamp {
			out[r.last().at()] = byClientsAlong(c, carried)
		}
	}
	return out
}

func byClientsAlong(c Curve, carried record.Metric) *ByClients {
	out := &ByClients{Metric: carried.Name, Unit: carried.Unit}
	for i, at := range c.Points {
		p := ClientPoint{Clients: at.X, Estimate: at.estimate(carried.Name), N: len(at.Trials)}
		if i > 0 {
			p.OverLast = at.over(c.Points[i-1], carried.Name)
		}
		out.Points = append(out.Points, p)
	}
	return out
}
