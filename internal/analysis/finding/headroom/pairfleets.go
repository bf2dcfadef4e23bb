package headroom

import (
	"maps"
	"slices"
	"strings"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/loadline"
	"plimsoll/internal/analysis/trialset"
	"plimsoll/internal/record"
)

// Fleets is the machines of either side for a demand, by one load line of each.
type Fleets struct {
	Workload  string            `json:"workload"`
	Params    map[string]string `json:"params"`
	Wording   finding.Wording   `json:"-"`
	Load      string            `json:"load"` // the placement of the lines' loads
	Statistic string            `json:"statistic"`
	A         *loadline.Need    `json:"a"` // nil if this side has no such line
	B         *loadline.Need    `json:"b"`
}

// fleets returns the machines of either side for a demand, by the load lines of the cells of both.
func fleets(pairing *finding.Pairing) []finding.Finding {
	p := pairing.Pair
	if pairing.Ask.Demand == nil || p.By != record.KeyMachine {
		return nil
	}
	var out []finding.Finding
	var order []string
	found := map[string]*Fleets{}
	for _, cell := range pairing.Input.Cells {
		if cell.Machine != p.A && cell.Machine != p.B {
			continue
		}
		for _, statistic := range loadline.ChiefFirst(LinesIn(cell)) {
			f := fleetsAt(cell, statistic)
			key := strings.Join([]string{f.Workload, trialset.ParamsText(f.Params), f.Load, f.Statistic}, "\x00")
			if found[key] == nil {
				order, found[key] = append(order, key), &f
			}
			need := LinesIn(cell)[statistic].Fleet
			if cell.Machine == p.A {
				found[key].A = need
			} else {
				found[key].B = need
			}
		}
	}
	for _, key := range order {
		out = append(out, KindFleet.New(found[key])...)
	}
	return out
}

// fleetsAt returns the place of a cell's line, without a sweep's last load, which differs between machines.
func fleetsAt(c finding.Cell, statistic string) Fleets {
	f := Fleets{Workload: c.Workload, Params: maps.Clone(c.Params), Wording: c.Wording, Load: c.Load, Statistic: statistic}
	if !slices.Contains([]string{record.KeySearched, record.KeySwept}, c.Load) {
		unit := record.ParamRate
		for _, u := range []string{record.ParamClients, record.ParamCPUs} {
			if strings.HasSuffix(c.Load, " "+u) {
				unit = u
			}
		}
		delete(f.Params, unit)
		f.Load = loadline.SweptKey(unit)
	}
	return f
}
