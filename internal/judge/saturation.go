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

// saturationsOf gives each ladder that has its peak before its end to the cell of its end. Where the end carries most there is
// nothing past saturation to speak of.
func saturationsOf(ramps []ramp) map[place]*PastSaturation {
	out := map[place]*PastSaturation{}
	for _, r := range ramps {
		if r.unit != record.ParamClients || r.searched != nil {
			continue
		}
		m := r.carried()
		if r = r.having(m.Name); m.Name == "" || len(r.levels) < minRamp {
			continue
		}
		if s := saturationOf(r, m); s != nil {
			out[r.last()] = s
		}
	}
	return out
}

func saturationOf(r ramp, m record.Metric) *PastSaturation {
	mean := func(level float64) float64 { return Average(valuesOf(r.at[level], m.Name)) }
	peak, most := r.levels[0], r.levels[len(r.levels)-1]
	for _, level := range r.levels {
		if mean(level) > mean(peak) {
			peak = level
		}
	}
	if peak == most {
		return nil
	}
	ratio := ratioOf(r.at[peak], r.at[most], m.Name)
	if ratio == nil {
		return nil
	}
	out := &PastSaturation{
		Metric: m.Name, Unit: m.Unit, Peak: peak, Most: most, AtPeak: mean(peak), AtMost: mean(most),
		Loss: ratio.Complement(), N: min(len(r.at[peak]), len(r.at[most])),
	}
	return out
}
