package render

import (
	"fmt"

	"plimsoll/internal/judge"
)

// regulationNotes say of each disk how it is held back, and at which rate and for how many bytes it is not.
func regulationNotes(cells []judge.Cell, split paramSplit, several bool) []note {
	var out []note
	told := 0
	for _, c := range cells {
		if c.Regulation != nil {
			told++
		}
	}
	for _, c := range cells {
		g := c.Regulation
		if g == nil {
			continue
		}
		where := ""
		if told > 1 {
			where = place(c, split, several) + ": "
		}
		out = append(out, note{"regulation", strong, where + regulationText(*g)})
		if g.SafeRate != nil {
			out = append(out, note{"safe", strong, where + safeText(*g)})
		}
		if g.Verified != nil {
			out = append(out, verifiedNote(where, *g.Verified))
		}
		for _, d := range g.Doubts {
			out = append(out, hinted("doubt", warn, where+d)...)
		}
	}
	return unique(out)
}

func regulationText(g judge.Regulation) string {
	total := 0
	for _, n := range g.Classes {
		total += n
	}
	of := fmt.Sprintf(" (%d of %d trials)", g.N, total)
	switch g.Class {
	case judge.Quantum:
		return fmt.Sprintf("quantum%s: %s every %s, which is %s; data flow in %s of the time, at %s, then nothing for %s",
			of, figureText(g, "quantum_bytes", g.QuantumBytes, "B"), figureText(g, "period_s", g.PeriodS, "s"), figureText(g, "rate", g.Rate, "B/s"),
			shareText(g.Duty), burstText(g), zeroText(g))
	case judge.Credit:
		return fmt.Sprintf("credit%s: %s, then %s; the bucket holds %s and is empty after %s", of, burstText(g),
			figureText(g, "rate", g.Rate, "B/s"), figureText(g, "bucket_bytes", g.BucketBytes, "B"), figureText(g, "exhausted_s", g.ExhaustedS, "s"))
	case judge.Stalls:
		return fmt.Sprintf("stalls%s: nothing flows in %s of the time, for %s, neither in step nor after like amounts; %s while it flows",
			of, shareText(g.ZeroFraction), zeroText(g), burstText(g))
	}
	return fmt.Sprintf("smooth%s: nothing held it back in %s and %s; a larger credit may not have run out", of, Quantity(g.ObservedS, "s"), Quantity(g.ObservedB, "B"))
}

// figureText is a parameter with its interval, or by estimate where it has none.
func figureText(g judge.Regulation, key string, v *float64, unit string) string {
	if v == nil {
		return noNumber
	}
	s := span{value: *v}
	if iv, ok := g.Intervals[key]; ok {
		s.lo, s.hi = &iv.Lo, &iv.Hi
	}
	u := scaleFor(unit, s.values()...)
	if s.bounded() {
		return s.interval(u)
	}
	return s.estimate(u)
}

func burstText(g judge.Regulation) string {
	text := figureText(g, "burst_rate", g.BurstRate, "B/s")
	if g.AtLeast {
		return "at least " + text
	}
	return text
}

func shareText(v *float64) string {
	if v == nil {
		return noNumber
	}
	return percent(*v, 1) + " %"
}

func zeroText(g judge.Regulation) string {
	if g.ZeroP50S == nil || g.ZeroMaxS == nil {
		return noNumber
	}
	return fmt.Sprintf("%s at the median and %s at most", Quantity(*g.ZeroP50S, "s"), Quantity(*g.ZeroMaxS, "s"))
}

func safeText(g judge.Regulation) string {
	text := fmt.Sprintf("nothing is held back up to %s", figureText(g, "safe_rate", g.SafeRate, "B/s"))
	if g.SafeBurst != nil {
		text += fmt.Sprintf(", nor a burst of up to %s after a rest", figureText(g, "safe_burst_bytes", g.SafeBurst, "B"))
	}
	return text
}

func verifiedNote(where string, v judge.Verified) note {
	if v.Holds == nil {
		return note{"verified", dim, where + "no: " + v.Reason}
	}
	seen := cappedText(v.Below) + ", " + cappedText(v.Above)
	if *v.Holds {
		return note{"verified", strong, where + "the safe rate holds: " + seen}
	}
	return note{"verified", bad, where + "the safe rate does not hold: " + seen}
}

func cappedText(c judge.Capped) string {
	text := fmt.Sprintf("at %s %% of it", percent(c.Share, 0))
	if c.Rate != nil {
		text += fmt.Sprintf(" (%s)", Quantity(*c.Rate, "B/s"))
	}
	text += fmt.Sprintf(" %d of %d trials stalled", c.Stalled, c.Trials)
	if c.Void > 0 {
		text += fmt.Sprintf(" and %d could not be measured", c.Void)
	}
	return text
}
