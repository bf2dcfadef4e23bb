package stat

import (
	"cmp"
	"math"
	"slices"
)

// FoundLine is the result of a search for the load line: a place with its uncertainty if Crossed, and else the probes
// on either side of it.
type FoundLine struct {
	Load      float64 // offered load at the line, op/s; if not Crossed, that of Within
	Low, High float64 // op/s: 95% interval of the line; 0 if not Crossed
	Base      float64 // seconds; 0 if unknown
	Limit     float64 // seconds
	Crossed   bool    // the probes on both sides locate the line
	Bracket
	Scatter float64 // standard deviation of ln of a probe's latency at the line
	Slope   float64 // there: ln of latency over ln of load
}

// Bracket is the probes on either side of a line.
type Bracket struct {
	Within   LineProbe // the highest load that is likely to be below the line; Load is 0 if there is none
	Above    LineProbe // the lowest load that is likely to be above it; likewise
	Contrary int       // probes beyond these two that contradict them
	Higher   int       // without Above: probes within the limit at loads above Within, which others there contradict
}

// Line estimates the load line from all probes of a search: the median of its posterior, with a 95% interval
// (docs/derivations.md#searches). It returns false if there is no base, or no load is within the line: then the bracket
// alone is known.
func (s LineSearch) Line(done []LineProbe) (FoundLine, bool) {
	limit, ok := s.Limit(done)
	if !ok {
		return FoundLine{}, false
	}
	base, _ := s.Base(done)
	b := s.posterior(done, limit)
	out := FoundLine{Base: base, Limit: limit, Bracket: s.bracket(b, done, limit)}
	out.Load = out.Within.Load
	if !anyOn(done, Within, limit) {
		return out, false
	}
	low, high := b.quantile(.025), b.quantile(.975)
	if anyOn(done, Above, limit) && (s.Swept || high/low <= widest*widest) {
		out.Crossed, out.Load, out.Low, out.High = true, b.median(), low, high
		out.Scatter, out.Slope = b.scatter, b.slope
	}
	return out, true
}

// widest is the half-width of a line's interval, as a ratio, up to which a search has located the line.
const widest = 1.5

// lowest returns the probe over the limit of the lowest load above the given one; else none.
func lowest(done []LineProbe, limit, from float64) LineProbe {
	for _, p := range byLoad(done) {
		if p.Side(limit) == Above && p.Load > from {
			return p
		}
	}
	return LineProbe{}
}

// highest returns the probe within the limit of the highest load below the given one.
func highest(done []LineProbe, limit, below float64) LineProbe {
	var out LineProbe
	for _, p := range byLoad(done) {
		if p.Side(limit) == Within && p.Load < below {
			out = p
		}
	}
	return out
}

func byLoad(probes []LineProbe) []LineProbe {
	return slices.SortedStableFunc(slices.Values(probes), func(a, b LineProbe) int { return cmp.Compare(a.Load, b.Load) })
}

// Bracket returns the probes that a line of a limit lies between: in all likelihood of the posterior, or, where no
// probe is as likely to be on its side, as the probes themselves have it.
func (s LineSearch) Bracket(done []LineProbe, limit float64) Bracket {
	return s.bracket(s.posterior(done, limit), done, limit)
}

func (s LineSearch) bracket(b belief, done []LineProbe, limit float64) Bracket {
	out := b.between(done, limit)
	if out.Above.Load == 0 {
		out.Above = lowest(done, limit, max(out.Within.Load, b.median()))
	}
	if out.Within.Load == 0 {
		out.Within = highest(done, limit, cmp.Or(out.Above.Load, math.Inf(1)))
	}
	for _, p := range done {
		side := p.Side(limit)
		if side == Above && p.Load <= out.Within.Load || side == Within && out.Above.Load > 0 && p.Load >= out.Above.Load {
			out.Contrary++
		}
		if side == Within && out.Above.Load == 0 && p.Load > out.Within.Load {
			out.Higher++
		}
	}
	return out
}

// between returns the probes beyond the likely places of the line on either side.
func (b belief) between(done []LineProbe, limit float64) Bracket {
	lo, hi := b.quantile(doubtAbout/2), b.quantile(1-doubtAbout/2)
	if !anyOn(done, Above, limit) {
		lo = math.Inf(1) // the highest load within the limit is the least that can be said
	}
	if !anyOn(done, Within, limit) {
		hi = 0 // and the lowest one over it the most
	}
	var out Bracket
	for _, p := range done {
		switch side := p.Side(limit); {
		case side == Within && p.Load <= lo && p.Load > out.Within.Load:
			out.Within = p
		case side == Above && p.Load >= hi && (out.Above.Load == 0 || p.Load < out.Above.Load):
			out.Above = p
		}
	}
	return out
}
