package sweep

import (
	"math"

	"plimsoll/internal/block"
	"plimsoll/internal/record"
)

// sizeZones returns the ranges of sizes whose working set has one regime on every line. Caches differ, and so do the
// ranges: if the lines disagree there is no zone, only the marks.
func sizeZones(curves []curve, x block.Axis) []block.Zone {
	regimes := map[block.Number]string{}
	for _, c := range curves {
		for _, p := range KindBySize.Of(c.Cell).Points {
			at := block.Number(p.Size)
			if before, known := regimes[at]; known && before != p.Regime {
				regimes[at] = ""
				continue
			}
			regimes[at] = p.Regime
		}
	}
	var out []block.Zone
	for i, t := range x.Ticks {
		regime := regimes[t.At]
		if regime == "" {
			continue
		}
		from, to := border(x, i-1), border(x, i)
		if n := len(out); n > 0 && out[n-1].Kind == regime && out[n-1].To == from {
			out[n-1].To = to
			continue
		}
		out = append(out, block.Zone{From: from, To: to, Kind: regime, Text: zoneText(regime)})
	}
	return out
}

// border returns the place half way between a tick and the next one, or the axis' end.
func border(x block.Axis, i int) block.Number {
	switch {
	case i < 0:
		return x.Lo
	case i+1 >= len(x.Ticks):
		return x.Hi
	}
	return block.Number(math.Sqrt(float64(x.Ticks[i].At) * float64(x.Ticks[i+1].At)))
}

// zoneText returns a short name, for a zone may be narrow.
func zoneText(regime string) string {
	switch regime {
	case record.RegimeCache:
		return "cache"
	case record.RegimeBetween:
		return "between"
	}
	return "DRAM"
}
