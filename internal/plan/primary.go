package plan

import (
	"maps"
	"slices"

	"plimsoll/internal/record"
	"plimsoll/internal/usage"
)

// setPrimary registers which metric of each workload gets verdicts: the one asked for, else
// the one that its trials state first, where that is known beforehand.
func setPrimary(p *record.Plan, req Request, decls []record.Workload) error {
	p.Primary = map[string]string{}
	for _, c := range p.Cells {
		decl, err := find(decls, c.Workload)
		if err != nil {
			return err
		}
		if metric := firstMetric(*p, decl); metric != "" {
			p.Primary[c.Workload] = metric
		}
	}
	for _, workload := range slices.Sorted(maps.Keys(req.Primary)) {
		decl, err := find(decls, workload)
		if err != nil {
			return err
		}
		metric := req.Primary[workload]
		if err := checkPrimary(*p, decl, metric); err != nil {
			return err
		}
		p.Primary[workload] = metric
	}
	return nil
}

// firstMetric is what a workload's trials state first: under a rate their latency, for the
// throughput was asked for. It is "" where that depends on the trial.
func firstMetric(p record.Plan, decl record.Workload) string {
	open, others := false, false
	for _, c := range p.Cells {
		if c.Workload == decl.Name {
			open, others = open || c.Load.Kind == record.Open, others || c.Load.Kind != record.Open
		}
	}
	switch {
	case decl.Free || open && others || len(decl.Metrics) == 0:
		return ""
	case open:
		return record.LatencyP99
	}
	return decl.Metrics[0].Name
}

func checkPrimary(p record.Plan, decl record.Workload, metric string) error {
	if !slices.ContainsFunc(p.Cells, func(c record.Cell) bool { return c.Workload == decl.Name }) {
		return usagef("the primary metric of %s is named, but %s is not measured", decl.Name, decl.Name)
	}
	var names []string
	for _, m := range decl.Metrics {
		if m.Name != metric {
			names = append(names, m.Name)
			continue
		}
		if m.Better != record.Higher && m.Better != record.Lower {
			return usagef("%s of %s cannot be the primary metric: neither more nor less of it is better", metric, decl.Name)
		}
		return nil
	}
	if decl.Free {
		return nil // what it prints is known only then
	}
	return usage.Unknown("metric of "+decl.Name, metric, names)
}
