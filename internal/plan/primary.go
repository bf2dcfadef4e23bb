package plan

import (
	"maps"
	"slices"

	"plimsoll/internal/record"
)

// setPrimary registers which metric of each workload gets verdicts: the one asked for, else
// its first.
func setPrimary(p *record.Plan, req Request, decls []record.Workload) error {
	p.Primary = map[string]string{}
	for _, c := range p.Cells {
		decl, err := find(decls, c.Workload)
		if err != nil {
			return err
		}
		if len(decl.Metrics) > 0 {
			p.Primary[c.Workload] = decl.Metrics[0].Name
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
	return Unknown("metric of "+decl.Name, metric, names)
}
