package main

import (
	"github.com/spf13/pflag"

	"plimsoll/internal/judge"
)

// demandFlags say what a fleet is to carry.
type demandFlags struct {
	judge.Demand
	asked, headroomSet bool
}

func addDemand(f *pflag.FlagSet, to *demandFlags) {
	f.Float64Var(&to.Rate, "demand", 0, "say how many machines carry this much, in the unit of the load (operations per second, such as 5e6), by their load lines")
	f.Float64Var(&to.Headroom, "headroom", judge.DefaultHeadroom, "fraction of its load line that a machine may carry, for --demand and alarms")
	f.IntVar(&to.Failures, "failures", 1, "with --demand, machines that may fail while the others carry it all")
}

// check reads which of the flags were given, and refuses what cannot be meant.
func (d *demandFlags) check(f *pflag.FlagSet) error {
	d.asked, d.headroomSet = f.Changed("demand"), f.Changed("headroom")
	if !d.asked && f.Changed("failures") {
		return usagef("--failures is given without --demand\nhint: --demand RATE says what the fleet is to carry, in operations per second")
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
