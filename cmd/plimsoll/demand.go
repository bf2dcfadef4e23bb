package main

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/analysis/finding/headroom"
	"plimsoll/internal/analysis/loadline"
)

// demandFlags are the requirements on a fleet.
type demandFlags struct {
	finding.Demand
	asked, headroomSet bool
}

func addDemand(f *pflag.FlagSet, to *demandFlags) {
	f.Var((*rateFlag)(&to.Demand), "demand", "recommend a number of machines for this demand in operations/s, "+
		"by max load or else peak throughput; `[WORKLOAD=]RATE`, such as 50k or http=50k, repeatable")
	f.Float64Var(&to.Headroom, "headroom", loadline.DefaultHeadroom,
		"load machines up to this `SHARE` of their max load, for --demand and alarms")
	f.IntVar(&to.Failures, "failures", 1, "with --demand: `N` machines may fail without overloading the others")
}

// rateFlag takes the rates of a demand as ParseDemand reads them.
type rateFlag finding.Demand

// String returns the rates.
func (r *rateFlag) String() string {
	var out []string
	if r.Rate != 0 {
		out = append(out, strconv.FormatFloat(r.Rate, 'g', -1, 64))
	}
	for _, workload := range slices.Sorted(maps.Keys(r.Of)) {
		out = append(out, workload+"="+strconv.FormatFloat(r.Of[workload], 'g', -1, 64))
	}
	return strings.Join(out, " ")
}

// Type is the name of the value in help.
func (r *rateFlag) Type() string { return "rate" }

// Set reads a flag's value. Two of the same workload are wrong: one of them would be ignored.
func (r *rateFlag) Set(text string) error {
	workload, rate, err := finding.ParseDemand(text)
	switch {
	case err != nil:
		return err
	case workload == "" && r.Rate != 0 || r.Of[workload] != 0:
		return errors.New("it has another demand above")
	case workload == "":
		r.Rate = rate
		return nil
	case r.Of == nil:
		r.Of = map[string]float64{}
	}
	r.Of[workload] = rate
	return nil
}

// check records which of the flags were set, and rejects invalid values.
func (d *demandFlags) check(f *pflag.FlagSet) error {
	d.asked, d.headroomSet = f.Changed("demand"), f.Changed("headroom")
	if !d.asked && f.Changed("failures") {
		return usagef("--failures requires --demand\nhint: set the fleet's demand with --demand RATE, in operations/s")
	}
	asked := d.Demand
	if !d.asked {
		asked.Rate = 1
	}
	if err := asked.Check(); err != nil {
		return usagef("%v\nhint: such as --demand 5e6 --headroom 0.85 --failures 1", err)
	}
	return nil
}

// answered returns an error for a demand of which it is not clear whose it is, or that no result can answer.
func (d demandFlags) answered(cells []finding.Cell) error {
	if !d.asked {
		return nil
	}
	return headroom.CheckDemand(cells, d.Demand, "--demand", noFleetError())
}

// ask adds the headroom and, if one was stated, the demand to what is asked of the findings.
func (d demandFlags) ask(to *finding.Ask) {
	to.Headroom = d.Headroom
	if d.asked {
		to.Demand = &d.Demand
	}
}
