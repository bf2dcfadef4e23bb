package judge

import "plimsoll/internal/record"

// minSizes is how many sizes say how a rate follows them.
const minSizes = 3

// bySizesOf gives each curve of sizes to the cell of its largest. A cell that lies on several gets that of the most sizes.
func bySizesOf(trials []record.Trial) map[place]*BySize {
	out := map[place]*BySize{}
	for _, c := range curvesAlong(valid(trials), sizeAxes) {
		found, at := bySizeOf(c), c.last().at()
		if found != nil && (out[at] == nil || len(found.Points) > len(out[at].Points)) {
			out[at] = found
		}
	}
	return out
}

// bySizeOf returns nil if there are too few sizes, or no rate that is positive at each of them.
func bySizeOf(c Curve) *BySize {
	if len(c.Points) < minSizes {
		return nil
	}
	metric := rateOf(c.last().Trials)
	over := c.last().over(c.first(), metric)
	logs, ok := c.logs(metric)
	if over == nil || !ok {
		return nil
	}
	out := &BySize{Param: c.Param, Last: *over, Spread: Spread(logs)}
	for _, p := range c.Points {
		out.Points = append(out.Points, SizePoint{p.X, p.estimate(metric), common(p.Trials, record.KeyRegime)})
	}
	return out
}
