package main

import (
	"github.com/spf13/pflag"

	"plimsoll/internal/finding"
	"plimsoll/internal/loadline"
)

// demandFlags are the requirements on a fleet.
type demandFlags struct {
	finding.Demand
	asked, headroomSet bool
}

func addDemand(f *pflag.FlagSet, to *demandFlags) {
	f.Float64Var(&to.Rate, "demand", 0, "print how many machines this demand needs by their load lines, in the unit of the load (operations/s, such as 5e6)")
	f.Float64Var(&to.Headroom, "headroom", loadline.DefaultHeadroom, "fraction of its load line up to which to load a machine, for --demand and alarms")
	f.IntVar(&to.Failures, "failures", 1, "with --demand, number of machines that may fail without overloading the others")
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

// ask adds the headroom and, if one was stated, the demand to what is asked of the findings.
func (d demandFlags) ask(to *finding.Ask) {
	to.Headroom = d.Headroom
	if d.asked {
		to.Demand = &d.Demand
	}
}
