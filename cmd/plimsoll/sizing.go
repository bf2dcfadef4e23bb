package main

import (
	"github.com/spf13/pflag"

	"plimsoll/internal/analysis/finding"
	"plimsoll/internal/record"
)

// sizingOptions are the requirements for sizing a disk.
type sizingOptions struct {
	percentile float64 // of the time
	room       string  // size; "": that of the disk
	volumes    bool    // list a provider's volumes for any machine
}

const (
	sizedFor = 99 // % of the time by default
	gibBytes = 1 << 30
)

func (o *sizingOptions) flags(f *pflag.FlagSet) {
	f.Float64Var(&o.percentile, "percentile-of-time", sizedFor,
		"size disks for this `PERCENTAGE` of the time; 100: for the highest measured rate")
	f.BoolVar(&o.volumes, "volumes", false,
		"list cloud volumes that satisfy the disk's load, with prices, also for machines outside that cloud")
	f.StringVar(&o.room, "volume-size", "",
		"required storage `SPACE`, such as 500GiB (default the size of the measured disk)")
}

func (o sizingOptions) check() (gib float64, err error) {
	if !(o.percentile > 0) || o.percentile > 100 {
		return 0, usagef("--percentile-of-time %g: it must be over 0 and at most 100", o.percentile)
	}
	if o.room == "" {
		return 0, nil
	}
	n, err := record.ParseSize(o.room)
	if err != nil {
		return 0, usagef("--volume-size: %v", err)
	}
	if n == 0 {
		return 0, usagef("--volume-size %s: it must be over 0", o.room)
	}
	return float64(n) / gibBytes, nil
}

// ask returns what the flags ask of sizings.
func (o sizingOptions) ask() finding.Ask {
	gib, _ := o.check() // checked before any file was read
	return finding.Ask{Percentile: o.percentile, GiB: gib, Volumes: o.volumes || o.room != ""}
}
