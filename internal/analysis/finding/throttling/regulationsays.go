package throttling

import (
	"fmt"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record/block"
	"plimsoll/internal/record/figure"
)

// regulationSays states for each disk whether and how it is throttled, and its safe rate and burst.
func regulationSays(v *finding.View) []block.Block {
	var out []block.Sentence
	disks := 0
	for _, c := range v.Cells {
		if KindRegulation.Of(c) != nil {
			disks++
		}
	}
	for _, c := range v.Cells {
		g := KindRegulation.Of(c)
		if g == nil {
			continue
		}
		where := ""
		if disks > 1 {
			where = v.Place(c) + ": "
		}
		out = append(out, block.Sentence{Lead: "throttling", Tone: block.Strong, Text: where + regulationText(*g)})
		if g.SafeRate != nil {
			out = append(out, block.Sentence{Lead: "safe rate", Tone: block.Strong, Text: where + safeText(*g)})
		}
		if g.Verified != nil {
			out = append(out, verifiedNote(where, *g.Verified))
		}
		for _, d := range g.Doubts {
			out = append(out, finding.Caveat("note", block.Warn, where+d.Text())...)
		}
	}
	return finding.Blocks(block.Unique(out))
}

// longEnough is the length in seconds of the runs that the next step suggests: burst credits last minutes at full load.
const longEnough = 600

// regulationAnswer states whether a disk is throttled, in the line of its throughput; of several, that of the first one
// that is. A credit that outlasts the runs would not show: the next step is longer ones.
func regulationAnswer(v *finding.View) finding.Answer {
	var out finding.Answer
	for _, c := range v.Cells {
		g := KindRegulation.Of(c)
		switch {
		case g == nil:
		case g.Throttled():
			return finding.Answer{Also: "throttled to " + g.HeldTo()}
		default:
			seconds := fmt.Sprintf("%.3g s", g.ObservedS)
			if out.Also, out.Nexts = "not throttled in "+seconds, nil; g.ObservedS < longEnough {
				out.Next("burst credits can last longer than " + seconds + ": --for 10m")
			}
		}
	}
	return out
}

func regulationText(g Regulation) string {
	total := 0
	for _, n := range g.Classes {
		total += n
	}
	of := fmt.Sprintf(" (%d of %d runs)", g.N, total)
	switch {
	case g.Refuted != nil:
		return fmt.Sprintf("no throttling found: the %s that full load showed%s is refuted by the runs near its rate",
			map[string]string{Quantum: "quota", Credit: "credit"}[*g.Refuted], of)
	case g.Class == Bursts:
		return fmt.Sprintf("no throttling found%s: operations end together, %s every %s, of %s in flight", of,
			figureText(g, "quantum_bytes", g.QuantumBytes, "B"), figureText(g, "period_s", g.PeriodS, "s"),
			figureText(g, "in_flight_bytes", g.InFlight, "B"))
	case g.Class == Stalls && g.BurstRate == nil:
		return fmt.Sprintf("no throttling found%s: operations end in bursts, with pauses of %s", of, zeroText(g))
	}
	switch g.Class {
	case Quantum:
		return fmt.Sprintf("throttled to %s by a quota of %s every %s%s; at full load it transfers %s for %s of the time, "+
			"then stalls for %s",
			figureText(g, "rate", g.Rate, "B/s"), figureText(g, "quantum_bytes", g.QuantumBytes, "B"), figureText(g, "period_s",
				g.PeriodS, "s"), of,
			burstText(g), shareText(g.Duty), zeroText(g))
	case Credit:
		return fmt.Sprintf("throttled to %s once a credit of %s is spent, after %s%s; before that, it transfers %s",
			figureText(g, "rate", g.Rate, "B/s"),
			figureText(g, "bucket_bytes", g.BucketBytes, "B"), figureText(g, "exhausted_s", g.ExhaustedS, "s"), of, burstText(g))
	case Stalls:
		return fmt.Sprintf("no throttling found%s: it stalls for %s of the time, %s, but neither periodically nor after "+
			"equal amounts; between stalls it transfers %s",
			of, shareText(g.ZeroFraction), zeroText(g), burstText(g))
	}
	return fmt.Sprintf("no throttling found%s in %s and %s; a larger credit would not have run out", of,
		figure.Quantity(g.ObservedS, "s"), figure.Quantity(g.ObservedB, "B"))
}

// figureText formats a parameter with its interval, or as an estimate if it has none.
func figureText(g Regulation, key string, v *float64, unit string) string {
	if v == nil {
		return figure.NoNumber
	}
	s := g.Intervals[key].Around(*v)
	u := figure.ScaleFor(unit, s.Values()...)
	if s.Bounded() {
		return s.Interval(u)
	}
	return s.Estimate(u)
}

func burstText(g Regulation) string {
	text := figureText(g, "burst_rate", g.BurstRate, "B/s")
	if g.AtLeast {
		return "at least " + text
	}
	return text
}

func shareText(v *float64) string {
	if v == nil {
		return figure.NoNumber
	}
	return figure.PercentOf(*v, 1) + "%"
}

func zeroText(g Regulation) string {
	if g.ZeroP50S == nil || g.ZeroMaxS == nil {
		return figure.NoNumber
	}
	return fmt.Sprintf("%s at the median and %s at most", figure.Quantity(*g.ZeroP50S, "s"),
		figure.Quantity(*g.ZeroMaxS, "s"))
}

func safeText(g Regulation) string {
	text := fmt.Sprintf("no stalls below %s", figureText(g, "safe_rate", g.SafeRate, "B/s"))
	if g.SafeBurst != nil {
		text += fmt.Sprintf(", nor in a burst of up to %s after idle time",
			figureText(g, "safe_burst_bytes", g.SafeBurst, "B"))
	}
	return text
}

func verifiedNote(where string, v Verified) block.Sentence {
	if v.Holds == nil {
		return block.Sentence{Lead: "safe rate", Tone: block.Dim, Text: where + "not verified: " + v.Reason.Text()}
	}
	seen := cappedText(v.Below) + ", " + cappedText(v.Above)
	if *v.Holds {
		return block.Sentence{Lead: "safe rate", Tone: block.Strong, Text: where + "verified: " + seen}
	}
	return block.Sentence{Lead: "safe rate", Tone: block.Bad, Text: where + "does not hold: " + seen}
}

func cappedText(c Capped) string {
	text := fmt.Sprintf("at %s%% of it", figure.PercentOf(c.Share, 0))
	if c.Rate != nil {
		text += fmt.Sprintf(" (%s)", figure.Quantity(*c.Rate, "B/s"))
	}
	text += fmt.Sprintf(" %d of %d runs stalled", c.Stalled, c.Trials)
	if c.Void > 0 {
		text += fmt.Sprintf(" and %d failed", c.Void)
	}
	return text
}
