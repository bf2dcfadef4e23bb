// Command noise shows how soon protocols of measurement decide on a known difference, on noise recorded on this
// machine: of a command of some 40 ms, run one after the other and two at once on half of the CPUs each.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "noise:", err)
		os.Exit(2)
	}
}

// run records pairs of runs, judges recordings by resampling, or is one of the processes that a recording starts.
func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		return errors.New("give record, judge, work or busy")
	}
	flags := flag.NewFlagSet("noise "+args[0], flag.ContinueOnError)
	switch args[0] {
	case "record":
		r := recording{}
		flags.DurationVar(&r.lasts, "for", 2*time.Hour, "how long")
		flags.IntVar(&r.load, "load", 0, "busy processes meanwhile")
		flags.IntVar(&r.turns, "turns", 20_000_000, "of the loop of a run")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return r.to(out)
	case "judge":
		j := judging{}
		flags.IntVar(&j.tries, "tries", 1000, "of each difference")
		flags.Uint64Var(&j.seed, "seed", 1, "of the blocks")
		flags.DurationVar(&j.budget, "within", 5*time.Minute, "the most time of a try")
		flags.Float64Var(&j.planted, "planted", .05, "the difference, as a fraction")
		flags.Float64Var(&j.gate, "gate", .02, "the difference from which on one counts, as a fraction")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return j.files(flags.Args(), out)
	case "work":
		turns, cpus := flags.Int("turns", 0, ""), flags.String("cpus", "", "the CPUs it may use, as 0,1")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return work(*turns, *cpus)
	case "busy":
		return work(0, "")
	}
	return fmt.Errorf("%s: give record, judge, work or busy", args[0])
}
