package judge

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/stat"
)

// minSizes is how many sizes say how a rate follows them.
const minSizes = 3

// sized is the valid trials of one size.
type sized struct {
	size   float64 // bytes
	trials []record.Trial
}

// bySizesOf gives each sweep of sizes to the cell of its largest. A cell that lies
// on several sweeps gets that of the most sizes.
func bySizesOf(trials []record.Trial) map[place]*BySize {
	out := map[place]*BySize{}
	_, byWorkload := grouped(valid(trials), workloadOf)
	for _, ts := range byWorkload {
		for _, param := range sizeParams(ts) {
			_, families := grouped(ts, func(t record.Trial) place { return familyWithout(t, param) })
			for _, family := range families {
				sizes := sizesOf(family, param)
				found := bySizeOf(param, sizes)
				if found == nil {
					continue
				}
				at := placeOf(sizes[len(sizes)-1].trials[0], "", nil)
				if out[at] == nil || len(found.Points) > len(out[at].Points) {
					out[at] = found
				}
			}
		}
	}
	return out
}

// sizeParams are the parameters of one workload that are sizes in all of its
// trials, in order. Their canonical form tells them: a plan does not hold
// their kinds.
func sizeParams(trials []record.Trial) []string {
	is := map[string]bool{}
	for _, t := range trials {
		for name, text := range paramsOf(t, nil) {
			n, err := record.ParseSize(text)
			before, known := is[name]
			is[name] = (before || !known) && err == nil && record.FormatSize(n) == text
		}
	}
	maps.DeleteFunc(is, func(_ string, yes bool) bool { return !yes })
	return slices.Sorted(maps.Keys(is))
}

// sizesOf are the sizes of a sweep, the smallest first. A size of 0 stands for one that
// the workload chose, and has no place among them.
func sizesOf(family []record.Trial, param string) []sized {
	order, at := grouped(family, func(t record.Trial) string { return paramsOf(t, nil)[param] })
	var out []sized
	for _, text := range order {
		if n, err := record.ParseSize(text); err == nil && n > 0 {
			out = append(out, sized{float64(n), at[text]})
		}
	}
	slices.SortFunc(out, func(a, b sized) int { return cmp.Compare(a.size, b.size) })
	return out
}

// bySizeOf is nil where there are too few sizes, or no rate that is positive at
// each of them.
func bySizeOf(param string, sizes []sized) *BySize {
	if len(sizes) < minSizes {
		return nil
	}
	first, last := sizes[0].trials, sizes[len(sizes)-1].trials
	metric := rateOf(last)
	over := ratioOf(first, last, metric)
	if over == nil {
		return nil
	}
	out := &BySize{Param: param, Last: *over}
	var points []stat.Point
	for _, s := range sizes {
		values := valuesOf(s.trials, metric)
		logs := stat.Logs(values)
		if len(logs) == 0 || math.IsNaN(stat.Mean(logs)) {
			return nil
		}
		points = append(points, stat.Point{Logs: logs})
		out.Points = append(out.Points, SizePoint{s.size, Of(values), common(s.trials, record.KeyRegime)})
	}
	out.Spread = Spread(points)
	return out
}
