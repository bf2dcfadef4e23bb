package main

import (
	"fmt"
	"time"

	"plimsoll/internal/judge"
	"plimsoll/internal/record"
)

// tenPairs is what the usual ten pairs of 10-minute runs with a minute of warm-up take
// (METHOD section 2), to set what looks saved against.
const tenPairs = 10 * 2 * (10 + 1) * time.Minute

// ended says how the comparisons of a sequential session ended, and what time
// that took; "" for other sessions.
func ended(p record.Plan, trials []record.Trial) string {
	if p.Stop == nil {
		return ""
	}
	groups, order := map[int][]int{}, []int{}
	for i, c := range p.Cells {
		if groups[c.Group] == nil {
			order = append(order, c.Group)
		}
		groups[c.Group] = append(groups[c.Group], i)
	}
	compared, decided, most := 0, 0, 0
	for _, g := range order {
		if len(groups[g]) < 2 {
			continue
		}
		compared++
		if n, ok := judge.Settled(p, groups[g], trials); ok && n < p.Replicates {
			decided++
			most = max(most, n)
		}
	}
	var spent float64
	for _, t := range trials {
		spent += t.WarmupS + t.DurationS
	}
	text := fmt.Sprintf("%d of %d comparisons decided before the limit of %d pairs", decided, compared, p.Replicates)
	if decided > 0 {
		text += fmt.Sprintf(", after %d pairs at most", most)
	}
	return text + fmt.Sprintf("\nmeasured for %v; ten pairs of 10 minutes each would have taken %v",
		time.Duration(spent*float64(time.Second)).Round(time.Second), time.Duration(compared)*tenPairs)
}
