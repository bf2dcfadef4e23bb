package plan

import (
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/sequential"
	"plimsoll/internal/stat"
)

// setStop makes a plan sequential if the number of replicates is not fixed and there is something to compare. Its
// replicates are then the maximum of a comparison (docs/method.md#looks-that-may-stop-a-session).
func setStop(p *record.Plan, req Request) error {
	if !compares(*p) {
		return noPilot(req)
	}
	table := stat.Repeated
	if p.Quick {
		table = stat.Early
	}
	b, err := table(p.Alpha)
	if err != nil {
		return usagef("%v", err)
	}
	most := or(req.Limit, b.Looks[len(b.Looks)-1])
	looks := slices.DeleteFunc(slices.Clone(b.Looks), func(n int) bool { return n > most })
	if len(looks) == 0 || most > b.Looks[len(b.Looks)-1] {
		return usagef("at most %d replicates: the interim analyses that may end a comparison are after %v pairs\nhint: fix the number with --replicates %d", most, b.Looks, most)
	}
	p.Stop = &record.Stop{Looks: looks, Early: p.Quick, Alone: min(p.Replicates, most)}
	p.Replicates = looks[len(looks)-1]
	return setPilot(p, req)
}

func compares(p record.Plan) bool {
	return slices.ContainsFunc(groupsOf(p), func(g group) bool { return sequential.Compares(p, g.cells) })
}
