package plan

import (
	"maps"
	"slices"

	"plimsoll/internal/base/usage"
	"plimsoll/internal/record"
)

// setPrimary registers the metric of each workload that gets verdicts: the requested one, else the first that its
// trials report, if that is known beforehand.
func setPrimary(p *record.Plan, req Request, decls []record.Workload) error {
	p.Primary = map[string]string{}
	for _, c := range p.Cells {
		decl, err := Find(decls, c.Workload)
		if err != nil {
			return err
		}
		if metric := firstMetric(*p, decl); metric != "" {
			p.Primary[c.Workload] = metric
		}
	}
	for _, workload := range slices.Sorted(maps.Keys(req.Primary)) {
		decl, err := Find(decls, workload)
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

// firstMetric returns the first metric of a workload's trials: in an open loop their latency, because the throughput is
// offered. It is "" if that depends on the trial.
func firstMetric(p record.Plan, decl record.Workload) string {
	if decl.Free {
		return ""
	}
	first := ""
	for _, c := range p.Cells {
		if c.Workload != decl.Name {
			continue
		}
		own := record.LatencyP99
		if c.Load.Kind != record.Open {
			own = decl.PrimaryAt(c.Params)
		}
		if first != "" && own != first {
			return ""
		}
		first = own
	}
	return first
}

func checkPrimary(p record.Plan, decl record.Workload, metric string) error {
	if !slices.ContainsFunc(p.Cells, func(c record.Cell) bool { return c.Workload == decl.Name }) {
		return usagef("the primary metric of %s is set, but %s is not measured", decl.Name, decl.Name)
	}
	var names []string
	for _, m := range decl.Metrics {
		if m.Name != metric {
			names = append(names, m.Name)
			continue
		}
		if m.Better != record.Higher && m.Better != record.Lower {
			return usagef("%s of %s cannot be the primary metric: neither higher nor lower is better", metric, decl.Name)
		}
		return nil
	}
	if decl.Free {
		return nil // the metrics are known only once it prints them
	}
	return usage.Unknown("metric of "+decl.Name, metric, names)
}
