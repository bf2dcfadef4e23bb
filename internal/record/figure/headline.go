package figure

import (
	"slices"
	"strings"

	"plimsoll/internal/record"
)

// Certainty chooses the verb of a headline. A change that is proved "is", and one of too few runs for a verdict "was".
// A change that an interval leaves open "may be".
type Certainty int

// The certainties of a change.
const (
	Proved Certainty = iota
	Observed
	Possible
)

// manner is how the change of a kind of metric is worded.
type manner struct {
	is, was, may string
	more, less   string // after an amount, before the object
	times        string // "as much", after a ratio of two and more; "" for more
	same         string // all of the predicate, if the sides do not differ
	level        bool   // the subject is a figure of the machine, and not the machine
	long         bool   // it is a time
}

// manner returns how the claim's metric is worded: speed, a time, an amount of work, or the level of anything else.
func (c Claim) manner() manner {
	switch {
	case c.Per != "" && c.Per != machine && c.Direction == record.Higher:
		per := "work" + PerUnit(c.Per)
		return manner{is: "does", was: "did", may: "may do", more: "more " + per + " than", less: "less " + per + " than",
			times: "as much " + per + " as", same: "does as much " + per + " as"}
	case c.Load:
		return manner{is: "handles", was: "handled", may: "may handle", more: "more load than", less: "less load than",
			times: "as much load as", same: "handles as much load as"}
	case c.Metric == record.Elapsed && (c.Per == "" || c.Per == machine):
		return manner{is: "takes", was: "took", may: "may take", more: "more time than", less: "less time than",
			times: "as long as", same: "takes as long as", long: true}
	case c.speed():
		return swift()
	}
	return manner{is: "is", was: "was", may: "may be", more: "higher than", less: "lower than", times: "as high as",
		same: "is the same as", level: true}
}

// swift is the manner of speed.
func swift() manner {
	return manner{is: "is", was: "was", may: "may be", more: "faster than", less: "slower than", same: "is as fast as"}
}

const machine = "machine" // the basis of a figure of a whole machine

// speed reports whether more of the metric is work in less time: a rate, or a mean over several.
func (c Claim) speed() bool {
	return c.Direction == record.Higher && (c.Unit == "" || strings.HasSuffix(c.Unit, "/s"))
}

// Timed reports whether the metric is a time or a speed, which becomes faster or slower.
func (c Claim) Timed() bool {
	return !c.Load && (c.Per == "" || c.Per == machine) && (c.speed() || c.Unit == "s" && c.Direction == record.Lower)
}

// Headline returns the claim for ratios from lo to hi as a whole sentence with the amount before the object: "new is
// 2.2x faster than old". Places name where lo and hi were measured, if these are two.
func (c Claim) Headline(sure Certainty, lo, hi float64, places ...string) string {
	if lo == 1 && hi == 1 {
		return c.Alike()
	}
	m := c.manner()
	subject, object := c.Subject, c.Object
	if m.level {
		subject, object = subject+"'s "+c.level(), object+"'s"
	}
	said := func(m manner, change ...string) string {
		verb := [...]string{m.is, m.was, m.may}[sure]
		return strings.Join(slices.Concat([]string{subject, verb}, change, []string{object}), " ")
	}
	at := make([]string, 2)
	for i, place := range places {
		at[i] = " (" + place + ")"
	}
	// The smaller change comes first, where both are of one sign.
	low, high := Amount(lo)+at[0], Amount(hi)+at[1]
	// "3.5x less time" is hard to read, and percentages of time and of speed differ: 30% less time is 43% faster.
	muchTime := m.long && lo < 1 && max(1/lo, hi) >= ManyTimes
	switch {
	case muchTime && hi <= 1:
		return said(swift(), joinedRange(Factor(1/hi)+at[1], Factor(1/lo)+at[0]), swift().more)
	case muchTime:
		return said(m, joinedRange(Factor(lo)+at[0], Factor(hi)+at[1]), m.times)
	case hi <= 1:
		return said(m, joinedRange(high, low), m.less)
	case lo < 1:
		word, _, _ := strings.Cut(m.less, " ")
		return said(m, low, word, "to", high, m.more)
	case lo >= ManyTimes && m.times != "":
		return said(m, joinedRange(low, high), m.times)
	}
	return said(m, joinedRange(low, high), m.more)
}

// Alike returns the sentence of a claim whose sides are equal within the margin.
func (c Claim) Alike() string {
	m := c.manner()
	if m.level {
		return c.Subject + "'s " + c.level() + " " + m.same + " " + c.Object + "'s"
	}
	return c.Subject + " " + m.same + " " + c.Object
}

// level names the figure of a claim about anything but work, time and speed.
func (c Claim) level() string { return MetricName(c.Metric) + PerUnit(c.Per) }

// joinedRange returns two amounts as a range, or one if they read alike.
func joinedRange(from, to string) string {
	if from == to {
		return to
	}
	return from + " to " + to
}

// Amount returns how much more or less a ratio is than 1, without the direction: "9.0%", and from a factor of two on
// "2.2x".
func Amount(ratio float64) string {
	factor := max(ratio, 1/ratio)
	switch {
	case !IsFinite(ratio) || ratio <= 0:
		return NoNumber
	case factor >= ManyTimes:
		return Factor(factor)
	}
	change := max(ratio-1, 1-ratio)
	return PercentRange(change, change)
}

// Factor returns a ratio as "2.2x", or "25.0 million times".
func Factor(ratio float64) string {
	const digits, many = 2, 1e6
	if ratio >= many {
		return manyTimes(ratio) + " times"
	}
	return Fixed(ratio, Decimals(ratio, digits)) + "x"
}

// MetricName returns a metric as sentences name it: "p99" for latency_p99.
func MetricName(metric string) string {
	return strings.ReplaceAll(strings.TrimPrefix(metric, record.Latency+"_"), "_", " ")
}
