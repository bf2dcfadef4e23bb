package main

import (
	"github.com/spf13/pflag"

	"plimsoll/internal/record/block"
)

const (
	flagVerbose = "verbose"
	flagAll     = "all"
)

// addDepth adds the flags that show more than the answer, the figures and the notes that weaken them.
func addDepth(f *pflag.FlagSet, d *block.Depth) {
	f.BoolVarP(&d.Verbose, flagVerbose, "v", false,
		"show details: verdicts in sentences, costs, timelines, notes on single runs")
	f.BoolVar(&d.All, flagAll, false, "show all rows, also those with very wide intervals or all zeros")
}
