package sweep

import (
	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
	"plimsoll/internal/record"
	"plimsoll/internal/trialset"
)

// byClients finds the curves of clients.
func byClients(in *finding.Input) []finding.Finding {
	var out []finding.Finding
	for _, r := range in.Ramps {
		carried := r.Carried()
		if r.Param != record.ParamClients || carried.Name == "" {
			continue
		}
		if c := r.Having(carried.Name).Curve; len(c.Points) >= loadline.MinRamp {
			out = append(out, KindByClients.New(byClientsAlong(c, carried), c.Scope()...)...)
		}
	}
	return out
}

func byClientsAlong(c trialset.Curve, carried record.Metric) *ByClients {
	out := &ByClients{Metric: carried.Name, Unit: carried.Unit}
	for i, at := range c.Points {
		p := ClientPoint{Clients: at.X, Estimate: at.Estimate(carried.Name), N: len(at.Trials)}
		if i > 0 {
			p.OverLast = at.Over(c.Points[i-1], carried.Name)
		}
		out.Points = append(out.Points, p)
	}
	return out
}
