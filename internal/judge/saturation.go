package judge

import "plimsoll/internal/record"

// PastSaturation is what a ladder of clients loses beyond where it carries most: the document of `past_saturation` in `show --json`. It stands with the
// primary metric of the cell of the most clients.
type PastSaturation struct {
	Metric string   `json:"metric"`
	Unit   string   `json:"unit"`
	Peak   float64  `json:"peak"` // clients that carry most, by estimate
	Most   float64  `json:"most"` // clients, of the ladder's end
	AtPeak float64  `json:"at_peak"`
	AtMost float64  `json:"at_most"`
	Loss   Estimate `json:"loss"` // from the peak to the end, a fraction; no interval below three replicates of both
	N      int      `json:"n"`    // replicates
}

// saturationsOf gives each curve of clients that has its peak before its end to the cell of its end. If the end carries most, there is
// nothing past saturation to speak of.
func saturationsOf(ramps []ramp) map[place]*PastSaturation {
	out := map[place]*PastSaturation{}
	for _, r := range ramps {
		m := r.carried()
		if r.Param != record.ParamClients || r.searched != nil || m.Name == "" {
			continue
		}
		c := r.having(m.Name).Curve
		if len(c.Points) < minRamp {
			continue
		}
		if s := saturationOf(c, m); s != nil {
			out[c.last().at()] = s
		}
	}
	return out
}

func saturationOf(c Curve, m record.Metric) *PastSaturation {
	peak, most := c.highest(m.Name), c.last()
	ratio := most.over(peak, m.Name)
	if peak.X == most.X || ratio == nil {
		return nil
	}
	return &PastSaturation{
		Metric: m.Name, Unit: m.Unit, Peak: peak.X, Most: most.X, AtPeak: peak.average(m.Name), AtMost: most.average(m.Name),
		Loss: ratio.Complement(), N: min(len(peak.Trials), len(most.Trials)),
	}
}
