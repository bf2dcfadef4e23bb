package main

import (
	"strconv"

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
	f.Var((*rateFlag)(&to.Rate), "demand", "recommend machines for this demand in operations/s, such as 50k or 5e6: how "+
		"many of each by its load line or, without one, by its peak throughput")
	f.Float64Var(&to.Headroom, "headroom", loadline.DefaultHeadroom,
		"fraction of its load line up to which to load a machine, for --demand and alarms")
	f.IntVar(&to.Failures, "failures", 1, "with --demand, number of machines that may fail without overloading the others")
}

// rateFlag is a rate as ParseRate reads it.
type rateFlag float64

func (r *rateFlag) String() string { return strconv.FormatFloat(float64(*r), 'g', -1, 64) }

// Type is the name of the value in help.
func (r *rateFlag) Type() string { return "rate" }

// Set reads the flag's value.
func (r *rateFlag) Set(text string) error {
	v, err := finding.ParseRate(text)
	*r = rateFlag(v)
	return err
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
